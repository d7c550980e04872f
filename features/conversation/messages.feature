@conversation
Feature: The append-only conversation
  The conversation history is a list of messages. New interactions append new messages; what was said stays as it was.

  Rule: History is a list of user and assistant messages, no earlier interaction a JSON blob inside a user message

    @CNV-001 @must
    Scenario: Each step of a turn is a user and an assistant message
      Given a conversation over "question -> answer" with the tools "search" and "add"
      And the LM calls "search" with {"query": "hills"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "seven"}
      When it is called with {"question": "How many hills?"}
      Then every request is a system prompt and then user and assistant messages in turn
      And what the LM said before stands in assistant messages, and in no user message

    @CNV-001 @must
    Scenario: Each earlier turn is user and assistant messages
      Given a conversation over "question -> answer" with the tools "search" and "add"
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers {"answer": "seven"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "five"}
      When it is called with {"question": "How many hills?"}
      And it is called with {"question": "And rivers?"} and the history so far
      Then every request is a system prompt and then user and assistant messages in turn
      And what the LM said before stands in assistant messages, and in no user message

    @CNV-001 @must
    Scenario: The conversation tells every input and every result once
      Given a conversation over "question -> answer" with the tools "search" and "add"
      And the LM calls "search" with {"query": "hills"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many hills?"}
      Then every input and every tool result stands in one user message of its own

  Rule: Each step is its own message pair, and earlier messages never change

    @CNV-002 @must
    Scenario: Within a turn every request extends the one before it
      Given a conversation over "question -> answer" with the tools "search" and "add"
      And the LM calls "search" with {"query": "hills"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "rivers"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many hills?"}
      Then every request extends the one before it, unchanged

    @CNV-002 @must
    Scenario: Across turns every request extends the one before it
      Given a conversation over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers
      And the LM calls "search" with {"query": "rivers"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many hills?"}
      And it is called with {"question": "And rivers?"} and the history so far
      Then every request extends the one before it, unchanged

    @CNV-002 @must @since-3
    Scenario: Across turns every request extends the one before it when the call was resumed
      Given a conversation over "question -> answer" with the tools "search" and "add"
      And the tool "add" requires confirmation
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers {"answer": "seven"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "five"}
      When it is called with {"question": "How many hills?"}
      And it is called with {"question": "And rivers?"} and the history so far
      And it is resumed with "yes"
      Then every request extends the one before it, unchanged

    @CNV-002 @must
    Scenario: A tool that failed stays in the conversation
      Given a conversation over "question -> answer" with the tools "search" and "add"
      And the tool "search" raises "no connection"
      And the LM calls "search" with {"query": "hills"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "five"}
      When it is called with {"question": "How many hills?"}
      Then every request extends the one before it, unchanged

    @CNV-002 @must @since-2
    Scenario: A step that names an unknown tool stays in the conversation as it was said
      Given a conversation over "question -> answer" with the tools "search" and "add"
      And the LM selects the unknown tool "multiply" with {"a": 2, "b": 3}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "five"}
      When it is called with {"question": "2+3"}
      Then every request extends the one before it, unchanged
      And every tool that the LM named before stands in an assistant message

    @CNV-002 @must
    Scenario: Each step is its own pair of messages
      Given a conversation over "question -> answer" with the tools "search" and "add"
      And the LM calls "search" with {"query": "hills"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "rivers"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many hills?"}
      Then every request extends the one before it by one exchange

  Rule: The system prompt is the same in every request, across states and turns, and documents all states

    @CNV-003 @must
    Scenario: The system prompt stays the same across states
      Given a conversation over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many hills?"}
      Then the system prompt is one and the same in every request

    @CNV-003 @must
    Scenario: The system prompt stays the same when the steps have run out
      Given a conversation over "question -> answer" with the tool "search"
      And max_steps is 2
      And the LM keeps calling "search" with {"query": "hills"}
      And the LM answers
      When it is called with {"question": "How many hills?"}
      Then the system prompt is one and the same in every request

    @CNV-003 @must
    Scenario: The system prompt stays the same across turns
      Given a conversation over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers
      And the LM calls "search" with {"query": "rivers"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many hills?"}
      And it is called with {"question": "And rivers?"} and the history so far
      Then the system prompt is one and the same in every request

    @CNV-003 @must
    Scenario: The system prompt documents all states
      Given a conversation over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many hills?"}
      Then every system prompt documents the states "user_query", "tool_result", "interrupted" and "finish"

  Rule: History from the first turn is passed in, its messages stand unchanged, and new ones follow

    @CNV-009 @must
    Scenario: The second turn goes on with the first
      Given a conversation over "question -> answer" with the tools "search" and "add"
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers {"answer": "seven"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "five"}
      When it is called with {"question": "How many hills?"}
      And it is called with {"question": "And rivers?"} and the history so far
      Then each call begins with the whole conversation of the call before it, its answer included
      And the LM was asked in the states "user_query", "tool_result" and "finish"

    @CNV-009 @must
    Scenario: The third turn goes on with both
      Given a conversation over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers {"answer": "seven"}
      And the LM calls "search" with {"query": "rivers"}
      And the LM finishes
      And the LM answers {"answer": "one"}
      And the LM calls "search" with {"query": "gates"}
      And the LM finishes
      And the LM answers {"answer": "many"}
      When it is called with {"question": "How many hills?"}
      And it is called with {"question": "And rivers?"} and the history so far
      And it is called with {"question": "And gates?"} and the history so far
      Then each call begins with the whole conversation of the call before it, its answer included
      And what the LM said before stands in assistant messages, and in no user message

    @CNV-009 @must
    Scenario: The next turn goes on with one that was interrupted
      Given a conversation over "question -> answer" with the tools "search" and "add"
      And max_steps is 2
      And the LM calls "search" with {"query": "hills"}
      And the LM calls "search" with {"query": "more hills"}
      And the LM answers {"answer": "seven so far"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "five"}
      When it is called with {"question": "How many hills?"}
      And it is called with {"question": "Go on!"} and the history so far
      Then each call begins with the whole conversation of the call before it, its answer included

    @CNV-009 @must
    Scenario: The signature may name the history
      Given a conversation over "talk: dspy.History, question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers {"answer": "seven"}
      And the LM calls "search" with {"query": "rivers"}
      And the LM finishes
      And the LM answers {"answer": "one"}
      When it is called with {"question": "How many hills?"}
      And it is called with {"question": "And rivers?"} and the history so far
      Then each call begins with the whole conversation of the call before it, its answer included

    @CNV-009 @must @since-2
    Scenario Outline: The next turn keeps what is empty in the first
      Given a conversation over "question -> answer" with the tool "search"
      And the tool "search" returns <value>
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers {"answer": "none"}
      And the LM calls "search" with {"query": "rivers"}
      And the LM finishes
      And the LM answers {"answer": "one"}
      When it is called with {"question": "How many hills?"}
      And it is called with {"question": "And rivers?"} and the history so far
      Then each call begins with the whole conversation of the call before it, its answer included

      Examples:
        | value |
        | ""    |
        | 0     |
        | false |
        | []    |
        | null  |

  Rule: A malformed reply at step k is recovered from, and the history stays well-formed

    @CNV-010 @must
    Scenario Outline: The machine recovers from a malformed reply at step <k>
      Given a conversation over "question -> answer" with the tools "search" and "add"
      And the LM takes <before> steps with the tool "search" and {"query": "hills"}
      And the LM replies with broken markers
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "five"}
      When it is called with {"question": "2+3"}
      Then the prediction has {"answer": "five"}
      And every earlier exchange is well-formed
      And every request extends the one before it, unchanged

      Examples:
        | k | before |
        | 1 | 0      |
        | 2 | 1      |
        | 3 | 2      |

    @CNV-010 @must
    Scenario Outline: The machine recovers from a reply <how>
      Given a conversation over "question -> answer" with the tools "search" and "add"
      And the LM calls "search" with {"query": "hills"}
      And the LM replies <how>
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "five"}
      When it is called with {"question": "2+3"}
      Then every request is a system prompt and then user and assistant messages in turn
      And every earlier exchange is well-formed
      And the prediction has {"answer": "five"}

      Examples:
        | how                   |
        | without markers       |
        | with broken markers   |
        | with unclosed markers |
        | without a tool        |

    @CNV-010 @must
    Scenario: The turn after a malformed reply goes on with a well-formed history
      Given a conversation over "question -> answer" with the tools "search" and "add"
      And the LM calls "search" with {"query": "hills"}
      And the LM replies with broken markers
      And the LM finishes
      And the LM answers {"answer": "seven"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "five"}
      When it is called with {"question": "How many hills?"}
      And it is called with {"question": "2+3"} and the history so far
      Then every earlier exchange is well-formed
      And each call begins with the whole conversation of the call before it, its answer included

    @CNV-010 @must @since-2
    Scenario: A malformed reply in the second turn leaves the first as it was
      Given a conversation over "question -> answer" with the tools "search" and "add"
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers {"answer": "seven"}
      And the LM calls "search" with {"query": "rivers"}
      And the LM replies with broken markers
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "five"}
      When it is called with {"question": "How many hills?"}
      And it is called with {"question": "2+3"} and the history so far
      Then every earlier exchange is well-formed
      And every request extends the one before it, unchanged

  Rule: An async call gives the same conversation as a sync one

    @CNV-012 @must
    Scenario: An async call gives the same conversation
      Given a conversation over "question -> answer" with the tools "search" and "add"
      And the LM calls "search" with {"query": "hills"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "seven"}
      When it is called with {"question": "How many hills?"}
      And another one is called asynchronously with {"question": "How many hills?"}
      Then both conversations are the same

    @CNV-012 @must
    Scenario: An async call is interrupted like a sync one
      Given a conversation over "question -> answer" with the tool "search"
      And max_steps is 2
      And the LM keeps calling "search" with {"query": "hills"}
      And the LM answers {"answer": "seven so far"}
      When it is called with {"question": "How many hills?"}
      And another one is called asynchronously with {"question": "How many hills?"}
      Then both conversations are the same

    @CNV-012 @must
    Scenario: An async second turn goes on with the first
      Given a conversation over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers {"answer": "seven"}
      And the LM calls "search" with {"query": "rivers"}
      And the LM finishes
      And the LM answers {"answer": "one"}
      When it is called asynchronously with {"question": "How many hills?"}
      And it is called asynchronously with {"question": "And rivers?"} and the history so far
      Then each call begins with the whole conversation of the call before it, its answer included
      And every request extends the one before it, unchanged
