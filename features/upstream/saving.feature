@upstream
Feature: Saving and loading
  A program can be saved and loaded: what an optimizer found for the two internal predictors isn't lost.

  Rule: dump_state and load_state keep instructions and demos of both internal predictors

    @SAV-001 @practice
    Scenario: The instructions of both predictors are kept
      Given a ReAct over the signature class "question -> answer"
      And its instructions read "Answer as a stonemason would."
      And the tools "search" and "add"
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM finishes
      And the LM answers {"answer": "a million"}
      When it is called with {"question": "How many?"}
      And it is saved, loaded into one without instructions, and that is called with {"question": "How many?"}
      Then both made the same requests and had the same outcome

    @SAV-001 @practice
    Scenario: The demos of the step predictor are kept
      Given a ReAct over "question -> answer" with the tools "search" and "add"
      And its step predictor has the demo {"question": "1+1", "trajectory": "nothing yet", "next_thought": "one and one", "next_tool_name": "add", "next_tool_args": {"a": 1, "b": 1}}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      And it is saved, loaded into one without demos, and that is called with {"question": "2+3"}
      Then every step request shows the demo's "one and one"
      And both made the same requests and had the same outcome

    @SAV-001 @practice
    Scenario: The demos of the extraction are kept
      Given a ReAct over "question -> answer" with the tools "search" and "add"
      And its extraction has the demo {"question": "1+1", "trajectory": "added", "reasoning": "one and one", "answer": "two"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      And it is saved, loaded into one without demos, and that is called with {"question": "2+3"}
      Then the extraction request shows the demo's "two"
      And both made the same requests and had the same outcome

    @SAV-001 @practice @since-3
    Scenario: The instructions of steps that are called natively are kept
      Given a udspy ReAct over the signature class "question -> answer"
      And its instructions read "Answer as a stonemason would."
      And the tools "search" and "add"
      And tools are called natively
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM finishes
      And the LM answers {"answer": "a million"}
      When it is called with {"question": "How many?"}
      And it is saved, loaded into one without instructions, and that is called with {"question": "How many?"}
      Then both made the same requests and had the same outcome

  Rule: After loading a saved program, prompts describe the tools the agent has now

    @SAV-002 @practice
    Scenario: A loaded program describes its own tools, not those it was saved with
      Given a ReAct over "question -> answer" with the tools "search" and "add"
      And the LM finishes
      And the LM answers {"answer": "a million"}
      When it is called with {"question": "How many?"}
      And it is saved, loaded into one with the tools "weather" and "ping", and that is called with {"question": "How many?"}
      Then every step request describes all tools
      And every step request shows the parameters "city"
      And the LM is never shown "Searches the archive for a phrase."
      And the LM is never shown "Adds two whole numbers."

    @SAV-002 @practice @since-3
    Scenario: A loaded program describes a tool as it is, whatever signs are in its description
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description                     | parameters                                                   |
        | split | Splits at \\d or \\1, \\g<0> too. | {"text": {"type": "string"}, "sign": {"default": "\\\\s+"}} |
      And the LM finishes
      And the LM answers {"answer": "a million"}
      When it is called with {"question": "How many?"}
      And it is saved, loaded into a new one, and that is called with {"question": "How many?"}
      Then every step request describes all tools

  Rule: After loading a saved program, prompts name only the tools that the agent has now

    @SAV-003 @practice
    Scenario: A loaded program names no tool that it was saved with
      Given a ReAct over "question -> answer" with the tools "translate" and "publish"
      And the LM calls "ping" with {}
      And the LM finishes
      And the LM answers {"answer": "a million"}
      When it is called with {"question": "How many?"}
      And it is saved, loaded into one with the tools "weather" and "ping", and that is called with {"question": "How many?"}
      Then the LM is never shown "translate"
      And the LM is never shown "publish"
