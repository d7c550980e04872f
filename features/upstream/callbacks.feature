@upstream
Feature: Callbacks
  Who watches a program by the framework's callbacks sees what its agent does.

  Rule: The framework's callbacks hear of every tool call and every reply parsed

    @OBS-001 @practice
    Scenario Outline: The callbacks hear of every tool call and every reply
      Given a ReAct over "question -> answer" with the tools "search" and "add"
      And the LM calls "search" with {"query": "tower"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "height"}
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      And the framework's callbacks are listened to
      When it is called <how> {"question": "How high is the tower?"}
      Then the callbacks heard of every tool call
      And the callbacks heard of every reply

      Examples:
        | how                 |
        | with                |
        | asynchronously with |

    @OBS-001 @practice
    Scenario: The callbacks hear of a tool that raises
      Given a ReAct over "question -> answer" with the tools "search" and "add"
      And the tool "search" raises "no connection"
      And the LM calls "search" with {"query": "tower"}
      And the LM finishes
      And the LM answers {"answer": "unknown"}
      And the framework's callbacks are listened to
      When it is called with {"question": "How high is the tower?"}
      Then the callbacks heard of every tool call

    @OBS-001 @practice
    Scenario: The callbacks hear of an async tool's call
      Given a ReAct over "question -> answer" with the tools "search" and "add"
      And the tool "search" is an async function
      And the LM calls "search" with {"query": "tower"}
      And the LM finishes
      And the LM answers {"answer": "unknown"}
      And the framework's callbacks are listened to
      When it is called asynchronously with {"question": "How high is the tower?"}
      Then the callbacks heard of every tool call

    @OBS-001 @practice
    Scenario: The callbacks hear of a reply that can't be read
      Given a ReAct over "question -> answer" with the tools "search" and "add"
      And the LM calls "add" with {"a": 2, "b": 3}
      And that step is garbled at first: prose
      And the LM finishes
      And the LM answers {"answer": "5"}
      And the framework's callbacks are listened to
      When it is called with {"question": "2+3"}
      Then the callbacks heard of every reply
