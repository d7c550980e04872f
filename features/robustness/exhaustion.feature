@robustness
Feature: Steps that never come to an end
  Whatever the LM says, and however often it says it, a call comes to an end, and tells what it did.

  Background:
    Given a ReAct over "question -> answer" with the tools "add" and "search"

  Rule: LM requests per call are bounded by max_steps, the extraction and the declared retries

    @ERR-008 @must
    Scenario: An LM that is never understood is asked only so often
      Given max_steps is 3
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And that step is garbled: prose
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the LM was asked at most as often as max_steps and the declared retries allow

    @ERR-008 @must
    Scenario: An LM that never names a tool there is is asked only so often
      Given max_steps is 3
      And the LM keeps selecting the unknown tool "multiply"
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the LM was asked at most as often as max_steps and the declared retries allow

    @ERR-008 @must
    Scenario: An LM that never writes JSON args is asked only so often
      Given max_steps is 3
      And the LM keeps calling "add" with the args text "two and three"
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the LM was asked at most as often as max_steps and the declared retries allow

    @ERR-008 @must
    Scenario: An LM whose tool always fails is asked only so often
      Given max_steps is 3
      And the tool "search" raises "no connection"
      And the LM keeps calling "search" with {"query": "tower"}
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "How high is the tower?"}
      Then the LM was asked at most as often as max_steps and the declared retries allow

    @ERR-008 @must
    Scenario: An LM whose args never fit is asked only so often
      Given max_steps is 3
      And the LM keeps calling "search" with {"phrase": "tower"}
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "How high is the tower?"}
      Then the LM was asked at most as often as max_steps and the declared retries allow

    @ERR-008 @must
    Scenario: An LM whose answer can't be read is asked for it only so often
      Given max_steps is 1
      And the LM finishes
      And the LM answers {"answer": "5"}
      And that answer is garbled: prose
      When it is called with {"question": "2+3"}
      Then the LM was asked at most as often as max_steps and the declared retries allow

  Rule: max_steps exhaustion with unfinished or failing steps still yields the trajectory so far

    @ERR-013 @must
    Scenario Outline: Steps that run out leave the trajectory of all of them
      Given max_steps is <steps>
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory so far is kept, unless the step that went wrong ended the call
      And the trajectory holds thought, tool name, args and observation of every step, in order

      Examples:
        | steps |
        | 1     |
        | 3     |

    @ERR-013 @must
    Scenario: Steps that run out with a tool that fails leave the trajectory so far
      Given max_steps is 2
      And the tool "search" raises "no connection"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM keeps calling "search" with {"query": "tower"}
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "How high is the tower?"}
      Then the trajectory so far is kept, unless the step that went wrong ended the call
      And the trajectory is complete, unless the call failed

    @ERR-013 @must
    Scenario: Steps that run out with an unknown name leave the trajectory so far
      Given max_steps is 2
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM keeps selecting the unknown tool "multiply"
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "(2+3)*7"}
      Then the trajectory so far is kept, unless the step that went wrong ended the call

    @ERR-013 @must
    Scenario: Steps that run out with args that aren't JSON leave the trajectory so far
      Given max_steps is 2
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM keeps calling "add" with the args text "five and seven"
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "2+3+5+7"}
      Then the trajectory so far is kept, unless the step that went wrong ended the call

    @ERR-013 @must
    Scenario: Steps that run out with malformed replies leave the trajectory so far
      Given max_steps is 2
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM keeps calling "search" with {"query": "tower"}
      And that step is garbled: prose
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "2+3"}
      Then the trajectory so far is kept, unless the step that went wrong ended the call
