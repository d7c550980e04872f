@robustness
Feature: A provider that fails
  Providers limit rates, time out, break down and run out of context. What the tools have done by then is done.

  Rule: An LM fault surfaces as an error or a declared recovery; tools already run are not run again

    @ERR-012 @must
    Scenario Outline: The agent runs no tool again when a step meets an LM fault
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 4
      And the LM calls "add" with {"a": 2, "b": 3}
      And as its next step the LM fails with "<fault>"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}
      And the tool "search" ran at most once
      And the call ended with an error, or the prediction has {"answer": "5"}

      Examples:
        | fault            |
        | rate-limit       |
        | timeout          |
        | server-error     |
        | context-window   |
        | connection-reset |
        | truncated-body   |
        | empty-choices    |
        | finish-length    |

    @ERR-012 @must
    Scenario Outline: The agent runs no tool again when a step meets an LM fault once
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 4
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "heights"}
      And instead of that step the LM at first fails with "<fault>"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}
      And the tool "search" ran at most once
      And the call ended with an error, or the prediction has {"answer": "5"}

      Examples:
        | fault            |
        | rate-limit       |
        | timeout          |
        | server-error     |
        | context-window   |
        | connection-reset |
        | truncated-body   |
        | empty-choices    |
        | finish-length    |

    @ERR-012 @must
    Scenario Outline: The agent runs no tool again when the answer meets an LM fault once
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 4
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "heights"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      And instead of that answer the LM at first fails with "<fault>"
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}
      And the tool "search" ran once with {"query": "heights"}
      And the call ended with an error, or the prediction has {"answer": "5"}

      Examples:
        | fault          |
        | rate-limit     |
        | server-error   |
        | context-window |
        | empty-choices  |
        | finish-length  |

    @ERR-012 @must
    Scenario Outline: The agent gives up on a provider that is down for good
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 4
      And the LM calls "add" with {"a": 2, "b": 3}
      And as every further step the LM fails with "<fault>"
      And as every further answer the LM fails with "<fault>"
      When it is called with {"question": "2+3"}
      Then the call ends with an error
      And the tool "add" ran once with {"a": 2, "b": 3}
      And the LM was asked at most 30 times

      Examples:
        | fault          |
        | rate-limit     |
        | timeout        |
        | server-error   |
        | context-window |
        | empty-choices  |
        | finish-length  |
