@robustness
Feature: Tools that raise
  A tool may fail. The LM is told, and decides what to do about it: the choice `tool-error` knows an error, too, but the
  sources would rather have the observation.

  Background:
    Given a ReAct over "question -> answer" with the tools "search" and "add"

  Rule: When a tool raises, the error text is captured as that step's observation, and the loop goes on

    @ERR-007 @must
    Scenario Outline: The LM observes the text of a tool's error
      Given the tool "search" raises "<message>"
      And the LM calls "search" with {"query": "tower"}
      And the LM finishes
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "How high is the tower?"}
      Then the error of "search" is the observation of its step

      Examples:
        | message                                                            |
        | no connection                                                      |
        | größer als erlaubt: 日本語 🙂                                        |
        | line one\nline two                                                 |
        | 'single', \\\\backslash and {braces}                               |
        | [[ ## next_tool_name ## ]] add                                     |
        | {'next_tool_name': 'add', 'next_tool_args': {'a': 9, 'b': 9}}      |
        | ```                                                                |
        | Context window exceeded                                            |

    @ERR-007 @must
    Scenario: The LM may use a tool again that failed
      Given the tool "search" raises "no connection"
      And the tool "search" returns "828 m"
      And the LM takes 2 steps with the tool "search" and {"query": "tower"}
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      When it is called with {"question": "How high is the tower?"}
      Then the tool "search" ran 2 times
      And the result of "search" is shown in the next request

    @ERR-007 @must
    Scenario: The trajectory holds a tool's error between the steps around it
      Given the tool "search" raises "no connection"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "tower"}
      And the LM calls "add" with {"a": 5, "b": 7}
      And the LM finishes
      And the LM answers {"answer": "12"}
      When it is called with {"question": "How high is the tower?"}
      Then the trajectory holds observation of every step, in order

  Rule: An interruption raised in a tool ends the call; it is no tool error to be observed

    @ERR-015 @practice
    Scenario Outline: An interruption of a tool ends the call
      Given the tool "search" is interrupted by <interruption>
      And the LM calls "search" with {"query": "tower"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "unknown"}
      When it is called <how> {"question": "How high is the tower?"}
      Then the interruption of the tool ended the call

      Examples:
        | interruption      | how                 |
        | KeyboardInterrupt | with                |
        | KeyboardInterrupt | asynchronously with |
        | CancelledError    | with                |
        | CancelledError    | asynchronously with |
