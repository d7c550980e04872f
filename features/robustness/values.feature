@robustness
Feature: Values of any kind
  What goes in comes out, whatever alphabet, length and depth it has.

  Background:
    Given a ReAct over "question -> answer" with the tools "translate" and "ping"

  Rule: Unicode, control characters, very long values, nested JSON and empty strings survive the trip unchanged

    @ERR-010 @practice
    Scenario Outline: The tool gets a text in its args unchanged
      Given the LM calls "translate" with {"text": <text>}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the tool "translate" ran once with {"text": <text>}

      Examples:
        | text                                                            |
        | "é ß ñ 日本語 한국어"                                             |
        | "🙂 👩‍👩‍👧 𝔘𝔫𝔦"                                                 |
        | "e\\u0301 is not \\u00e9"                                       |
        | "\\u202eright to left\\u202c \\u200bzero\\ufeffwidth"           |
        | "tab\\there, \\"quotes\\", back\\\\slash, sl/ash"               |
        | "line one\\nline two\\r\\nline three\\n"                        |
        | "form\\ffeed \\u000b \\u0085 \\u2028 separators"                |
        | "nul\\u0000 bell\\u0007 escape\\u001b[31m delete\\u007f"        |
        | "<b>bold</b> &amp; &#39;"                                       |
        | "{\\"a\\": [1, {\\"b\\": null}]}"                               |
        | "%s {0} ${HOME} {question} {{x}} <x>"                           |
        | "\\\\n is no newline, \\\\u0041 is no A"                        |
        | " blank space around "                                          |
        | ""                                                              |

    @ERR-010 @practice
    Scenario Outline: A text that a tool returns is shown unchanged
      Given the tool "translate" returns <text>
      And the LM calls "translate" with {"text": "it"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the result of "translate" is shown unchanged in the next request
      And the trajectory holds thought, tool name, args and observation of every step, in order

      Examples:
        | text                                                            |
        | "é ß ñ 日本語 한국어"                                             |
        | "🙂 👩‍👩‍👧 𝔘𝔫𝔦"                                                 |
        | "e\\u0301 is not \\u00e9"                                       |
        | "tab\\there, \\"quotes\\", back\\\\slash, sl/ash"               |
        | "nul\\u0000 bell\\u0007 escape\\u001b[31m delete\\u007f"        |
        | "<b>bold</b> &amp; &#39;"                                       |
        | "two  blanks,  a tab\\tand\\n\\n  a paragraph"                     |
        | {"a": [1, 2.5, null, true, "é", [], {"b": ""}]}                 |
        | ""                                                              |

    @ERR-010 @practice
    Scenario Outline: A result that is next to nothing is shown in the place of the observation
      Given the tool "ping" returns <value>
      And the LM calls "ping"
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "Is it there?"}
      Then the result of "ping" is shown unchanged in the next request

      Examples:
        | value |
        | 0     |
        | false |
        | ""    |
        | {}    |

    @ERR-010 @practice
    Scenario: The tool gets a whole number that no double is, or the double next to it
      Given the tools:
        | name  | description     | parameters                     |
        | store | Keeps a number. | {"number": {"type": "integer"}} |
      And the LM calls "store" with {"number": 9007199254740993}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "Keep it."}
      Then the tool "store" ran with {"number": 9007199254740993}, or not at all
      And the call ends in order, or with a typed error
      And the choice "integer-range" is as declared

    @ERR-010 @practice
    Scenario Outline: The prediction has a text in the answer unchanged
      Given the LM finishes
      And the LM answers exactly {"answer": <text>}
      When it is called with {"question": "What does it mean?"}
      Then the prediction has exactly {"answer": <text>}

      Examples:
        | text                                                            |
        | "é ß ñ 日本語 한국어"                                             |
        | "🙂 👩‍👩‍👧 𝔘𝔫𝔦"                                                 |
        | "e\\u0301 is not \\u00e9"                                       |
        | "tab\\there, \\"quotes\\", back\\\\slash, sl/ash"               |
        | "\\"quoted\\" from end to \\"end\\""                            |
        | "line one\\nline two\\r\\nline three"                           |
        | "form\\ffeed \\u000b \\u0085 \\u2028 separators"                |
        | "nul\\u0000 bell\\u0007 escape\\u001b[31m delete\\u007f"        |
        | "<b>bold</b> &amp; &#39;"                                       |
        | "\\\\n is no newline, \\\\u0041 is no A"                        |
        | ""                                                              |

    @ERR-010 @practice
    Scenario Outline: The LM is shown a text in the inputs unchanged
      Given the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": <text>}
      Then every step request shows the input {"question": <text>}
      And the extraction request shows the input {"question": <text>}

      Examples:
        | text                                                            |
        | "é ß ñ 日本語 한국어"                                             |
        | "🙂 👩‍👩‍👧 𝔘𝔫𝔦"                                                 |
        | "tab\\there, \\"quotes\\", back\\\\slash, sl/ash"               |
        | "nul\\u0000 bell\\u0007 escape\\u001b[31m delete\\u007f"        |
        | "<b>bold</b> &amp; &#39;"                                       |
        | "%s {0} ${HOME} {question} {{x}} <x>"                           |

    @ERR-010 @practice @since-2
    Scenario: The LM is shown an empty text in the inputs in its place
      Given a ReAct over "given, question -> answer" with the tools "translate" and "ping"
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with exactly {"given": "", "question": "What does it mean?"}
      Then every step request gives "" for the input "given"
      And the extraction request gives "" for the input "given"

    @ERR-010 @practice @since-2
    Scenario: The LM is shown a text in the inputs unchanged after its call was suspended
      Given the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "it"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "    indented,  two  blanks"}
      And it is resumed with "yes"
      Then the LM reads "    indented,  two  blanks" unescaped in every request

    @ERR-010 @practice @since-2
    Scenario: A very long text stays whole as an input
      Given the LM calls "ping"
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with a question of 50000 characters
      Then every step request shows the whole question
      And the extraction request shows the whole question

    @ERR-010 @practice
    Scenario: A very long text stays whole as an arg and as an observation
      Given the LM calls "translate" with a text of 50000 characters
      And the tool "translate" returns a text of 50000 characters
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then no tool call was guessed
      And the result of "translate" is shown unchanged in the next request
      And the trajectory holds thought, tool name, args and observation of every step, in order

    @ERR-010 @practice
    Scenario Outline: The tool gets nested JSON as it is
      Given the tools:
        | name  | description    | parameters                    |
        | store | Keeps a value. | {"value": {"type": "object"}} |
      And the LM calls "store" with {"value": <value>}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "Keep it."}
      Then the tool "store" ran once with {"value": <value>}

      Examples:
        | value                                                                        |
        | {}                                                                           |
        | {"a": {"b": {"c": [1, 2.5, null, true, "x", [], {}]}}}                       |
        | {"": "", "é": {"日": "本"}, "a.b": {"c d": [[[["deep"]]]]}}                    |
        | {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {}}}}}}}}}}}     |

  Rule: Text that the request can carry as it is reaches the LM unescaped

    @ERR-014 @practice
    Scenario Outline: The LM reads a text in the inputs unescaped
      Given the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": <text>}
      Then the LM reads <text> unescaped in every request

      Examples:
        | text                   |
        | "é ß ñ 日本語 한국어"    |
        | "🙂 𝔘𝔫𝔦 – naïve"       |

    @ERR-014 @practice
    Scenario Outline: The LM reads a text in a result unescaped
      Given the tool "translate" returns <value>
      And the LM calls "translate" with {"text": "it"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the LM reads <text> unescaped in the last request

      Examples:
        | value                             | text              |
        | "é ß ñ 日本語 🙂"                   | "é ß ñ 日本語 🙂"   |
        | {"größe": ["é ß ñ", "日本語 🙂"]}   | "日本語 🙂"         |

    @ERR-014 @practice
    Scenario: The LM reads a text in the args of an earlier step unescaped
      Given the LM calls "translate" with {"text": "é ß ñ 日本語 🙂"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the LM reads "é ß ñ 日本語 🙂" unescaped in the last request

  Rule: Text that no encoding can carry is shown in some form or refused by a typed error; the run is not lost by a crash

    @ERR-017 @practice
    Scenario Outline: The agent survives a result that no encoding can carry
      Given the tool "translate" returns <text>
      And the LM calls "translate" with {"text": "it"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the result is shown in some form, or refused by a typed error

      Examples:
        | text                           |
        | "half a pair \\ud83d is no text" |
        | "the other \\udc00 half"         |
        | "nul \\u0000 inside"             |
        | {"note": "half \\ud83d a pair"}  |

    @ERR-017 @practice
    Scenario: The agent survives an input with a character that ends a text elsewhere
      Given the LM calls "ping" with {}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "nul \u0000 inside"}
      Then the input is shown in some form, or refused by a typed error

    @ERR-017 @practice
    Scenario Outline: The agent survives an input that no encoding can carry
      Given text that no encoding can carry reaches the agent as it is
      And the LM calls "ping" with {}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": <text>}
      Then the input is shown in some form, or refused by a typed error

      Examples:
        | text                           |
        | "half a pair \\ud83d is no text" |
        | "the other \\udc00 half"         |
