@core
Feature: The tool loop
  ReAct is an iterative loop that selects tool calls through an internal predictor over a generated step
  signature, executes them, and stops when the step predictor says so or the steps run out.

  Rule: ReAct executes a tool loop using an internal step predictor

    @LOOP-001 @must @smoke @kills:tool-run-twice @kills:args-dropped
    Scenario: ReAct selects and executes a tool
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}
      And the result of "add" is shown in the next request
      And the prediction has {"answer": "5"}

    @LOOP-001 @must @kills:tool-run-twice
    Scenario Outline: The tool is executed whatever the dialect of the step
      Given a ReAct over "question -> answer" with the tool "add"
      And the global adapter is "<dialect>"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |
