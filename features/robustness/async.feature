@robustness
Feature: The async entry point
  Who awaits the agent gets the same agent.

  Rule: The async entry point gives the same record as the sync one

    @ASY-001 @must
    Scenario: An async call of several steps gives the same record
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 3
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      And another one is called asynchronously with {"question": "2+3"}
      Then the async call gave the same record as the sync one

    @ASY-001 @must
    Scenario Outline: An async call uses the module's own adapter
      Given a ReAct over "question -> answer" with the tool "add"
      And the module's own adapter is "<adapter>"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      And another one is called asynchronously with {"question": "2+3"}
      Then the async call gave the same record as the sync one

      Examples:
        | adapter |
        | json    |
        | xml     |

    @ASY-001 @must
    Scenario: An async call runs out of steps where a sync one does
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 2
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      And another one is called asynchronously with {"question": "2+3"}
      Then the async call gave the same record as the sync one

    @ASY-001 @must @since-2
    Scenario: An async call keeps to a max_steps of its own
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 3
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"} and max_steps 1
      And another one is called asynchronously with {"question": "2+3"} and max_steps 1
      Then the async call gave the same record as the sync one

    @ASY-001 @must @since-2
    Scenario Outline: An async call is governed by the adapter that is configured for it
      Given a ReAct over "question -> answer" with the tool "add"
      And the global adapter is "chat"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"} under the global adapter "<adapter>"
      And another one is called asynchronously with {"question": "2+3"} under the global adapter "<adapter>"
      Then the async call gave the same record as the sync one

      Examples:
        | adapter |
        | json    |
        | xml     |

    @ASY-001 @must
    Scenario: An async call treats a tool's error as a sync one does
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the tool "search" raises "no connection"
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      And another one is called asynchronously with {"question": "2+3"}
      Then the async call did the same as the sync one

    @ASY-001 @must
    Scenario Outline: An async call treats an LM fault as a sync one does
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 3
      And while no result of "add" is shown the LM calls it with {"a": 2, "b": 3}
      And as every further step the LM fails with "<fault>"
      And as every further answer the LM fails with "<fault>"
      When it is called with {"question": "2+3"}
      And another one is called asynchronously with {"question": "2+3"}
      Then the async call did the same as the sync one

      Examples:
        | fault          |
        | rate-limit     |
        | context-window |
