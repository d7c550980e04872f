@robustness
Feature: The parser
  A reply is read by a parser before anything is done with it: what the parser loses the agent never knew, and what it
  makes up the LM never said.

  Rule: The parser undoes the encoding: decode(encode(fields)) == fields for every dialect the subject claims

    @PRS-001 @practice
    Scenario Outline: Fields are read as they were written
      Given the parser of its replies
      When fields with <values> are written in each of its dialects
      Then they are read as they were written

      Examples:
        | values                     |
        | plain words                |
        | empty texts                |
        | texts of other types       |
        | other scripts              |
        | blank space around them    |
        | several lines              |
        | line breaks of other kinds |
        | control characters         |
        | quotes and backslashes     |
        | JSON                       |
        | markup                     |
        | texts like marks           |
        | names of fields            |
        | long texts                 |

    @PRS-001 @practice
    Scenario: Fields of any kind are read as they were written
      Given the parser of its replies
      When 150 sets of odd fields are written in each of its dialects
      Then they are read as they were written

  Rule: The parser gives fields or a typed parse error for any text, in time linear in its length

    @PRS-002 @practice
    Scenario Outline: The parser gives the fields or a typed error for a text that is no reply
      Given the parser of its replies
      When it reads <what>, in each of its dialects
      Then each gives the fields or a typed parse error

      Examples:
        | what                      |
        | nothing                   |
        | prose                     |
        | a reply cut off anywhere  |
        | replies in other dialects |
        | fields of other types     |
        | brackets nested deeply    |
        | a very long number        |
        | marks and nothing else    |

    @PRS-002 @practice
    Scenario: The parser gives the fields or a typed error for texts near the grammar
      Given the parser of its replies
      When it reads 300 texts near the grammar, in each of its dialects
      Then each gives the fields or a typed parse error

    @PRS-002 @practice
    Scenario: The parser gives a typed error for a reply that lacks a field
      Given the parser of its replies
      When it reads replies with one field left out, in each of its dialects
      Then each gives a typed parse error

    @PRS-002 @practice
    Scenario Outline: The parser takes time linear in the length of a text
      Given the parser of its replies
      Then the time it takes for <texts> is linear in their length, in each of its dialects

      Examples:
        | texts                |
        | one long value       |
        | many marks           |
        | many fields          |
        | one field many times |
        | much blank space     |
        | many line feeds      |
        | halves of marks      |
        | opening brackets     |
        | opening braces       |
        | open objects         |
        | open elements        |
        | quotes               |
        | backslashes          |
        | ampersands           |
        | digits               |
        | fences               |
