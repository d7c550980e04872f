@robustness
Feature: Steps that never come to an end
  Whatever the LM says, and however often it says it, a call comes to an end, and tells what it did.

  Background:
    Given a ReAct over "question -> answer" with the tools "add" and "search"

  Rule: LM requests per call are bounded by max_steps, the extraction and the declared retries

    @ERR-008 @must
    Scenario: The agent bounds its requests to an LM it never understands
      Given max_steps is 3
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And that step is garbled: prose
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the agent asked the LM at most as often as max_steps and the declared retries allow

    @ERR-008 @must
    Scenario: The agent bounds its requests to an LM that never names a known tool
      Given max_steps is 3
      And the LM keeps selecting the unknown tool "multiply"
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the agent asked the LM at most as often as max_steps and the declared retries allow

    @ERR-008 @must
    Scenario: The agent bounds its requests to an LM that never writes JSON args
      Given max_steps is 3
      And the LM keeps calling "add" with the args text "two and three"
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the agent asked the LM at most as often as max_steps and the declared retries allow

    @ERR-008 @must
    Scenario: The agent bounds its requests to an LM whose tool always fails
      Given max_steps is 3
      And the tool "search" raises "no connection"
      And the LM keeps calling "search" with {"query": "tower"}
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "How high is the tower?"}
      Then the agent asked the LM at most as often as max_steps and the declared retries allow

    @ERR-008 @must
    Scenario: The agent bounds its requests to an LM whose args never fit
      Given max_steps is 3
      And the LM keeps calling "search" with {"phrase": "tower"}
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "How high is the tower?"}
      Then the agent asked the LM at most as often as max_steps and the declared retries allow

    @ERR-008 @must
    Scenario: The agent bounds its requests for an answer it can't read
      Given max_steps is 1
      And the LM finishes
      And the LM answers {"answer": "5"}
      And that answer is garbled: prose
      When it is called with {"question": "2+3"}
      Then the agent asked the LM at most as often as max_steps and the declared retries allow

  Rule: max_steps exhaustion with unfinished or failing steps still yields the trajectory so far

    @ERR-013 @must
    Scenario Outline: The trajectory holds every step that ran when the steps have run out
      Given max_steps is <steps>
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory so far is kept, unless the step that went wrong ended the call

      Examples:
        | steps |
        | 1     |
        | 3     |

    @ERR-013 @must
    Scenario: The trajectory is kept when the steps run out on a tool that fails
      Given max_steps is 2
      And the tool "search" raises "no connection"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM keeps calling "search" with {"query": "tower"}
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "How high is the tower?"}
      Then the trajectory so far is kept, unless the step that went wrong ended the call

    @ERR-013 @must
    Scenario: The trajectory is kept when the steps run out on an unknown tool name
      Given max_steps is 2
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM keeps selecting the unknown tool "multiply"
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "(2+3)*7"}
      Then the trajectory so far is kept, unless the step that went wrong ended the call

    @ERR-013 @must
    Scenario: The trajectory is kept when the steps run out on args that aren't JSON
      Given max_steps is 2
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM keeps calling "add" with the args text "five and seven"
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "2+3+5+7"}
      Then the trajectory so far is kept, unless the step that went wrong ended the call

    @ERR-013 @must
    Scenario: The trajectory is kept when the steps run out on malformed replies
      Given max_steps is 2
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM keeps calling "search" with {"query": "tower"}
      And that step is garbled: prose
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "2+3"}
      Then the trajectory so far is kept, unless the step that went wrong ended the call
