@core
Feature: The step
  ReAct generates a step signature from the user's: its inputs and the trajectory, to a thought, a tool name
  constrained to the tools there are, and the tool's arguments as JSON.

  Rule: Step signature constrains tool names

    @STEP-001 @must
    Scenario Outline: next_tool_name is constrained to the tools and finish
      Given the steps ask for a thought, a tool and its args as fields
      And a ReAct over "question -> answer" with the tools <tools>
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then every step request allows exactly <tools> and finish as the tool

      Examples:
        | tools                                      |
        | "add", "search"                            |
        | "ping"                                     |
        | "add", "search", "translate" and "weather" |

    @STEP-001 @must
    Scenario Outline: next_tool_name is constrained whatever the dialect of the step
      Given the steps ask for a thought, a tool and its args as fields
      And a ReAct over "question -> answer" with the tools "add" and "search"
      And the global adapter is "<dialect>"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then every step request allows exactly "add" and "search" and finish as the tool

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |

    @STEP-001 @must
    Scenario: The LM may select a tool again that has run
      Given the steps ask for a thought, a tool and its args as fields
      And a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then every step request allows exactly "add" and "search" and finish as the tool

    @STEP-001 @must
    Scenario: The LM may not select the tools of another ReAct
      Given the steps ask for a thought, a tool and its args as fields
      And another ReAct with the tool "weather" was constructed before
      And a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then every step request allows exactly "add" and "search" and finish as the tool

  Rule: Step signature requires JSON tool args

    @STEP-002 @must
    Scenario: next_tool_args is required to be a valid JSON object
      Given the steps ask for a thought, a tool and its args as fields
      And a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then every step request requires the args to be a JSON object

    @STEP-002 @must
    Scenario: Each step requires next_tool_args to be JSON even in an XML reply
      Given the steps ask for a thought, a tool and its args as fields
      And a ReAct over "question -> answer" with the tool "search"
      And the global adapter is "xml"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then every step request requires the args to be a JSON object

  Rule: Step inputs are the user's inputs plus trajectory; step outputs are next_thought, next_tool_name and next_tool_args

    @STEP-003 @must
    Scenario: Each step gets the user's inputs and the trajectory
      Given the steps ask for a thought, a tool and its args as fields
      And a ReAct over "context, question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers
      When it is called with {"context": "a census", "question": "How many?"}
      Then every step request has exactly the inputs "context", "question" and "trajectory"
      And every step request shows the input {"context": "a census", "question": "How many?"}

    @STEP-003 @must
    Scenario: Each step request shows all parts of the steps before it
      Given the steps ask for a thought, a tool and its args as fields
      And a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then every step request shows the thought, tool, args and result of each step before it

    @STEP-003 @must
    Scenario: An argument of a tool doesn't replace a step's input of the same name
      Given the steps ask for a thought, a tool and its args as fields
      And a ReAct over "query -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Oslo"}
      And the LM finishes
      And the LM answers
      When it is called with {"query": "Rome"}
      Then every step request shows the input {"query": "Rome"}

    @STEP-003 @must
    Scenario: Each step asks for a thought, a tool name and its args, and for nothing else
      Given the steps ask for a thought, a tool and its args as fields
      And a ReAct over "question -> answer, sources" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then every step request asks for a thought, a tool and its args, and for nothing else

  Rule: The step prompt describes every tool and its argument schema

    @STEP-004 @must
    Scenario: Every tool is described in every step
      Given a ReAct over "question -> answer" with the tools "add", "search" and "weather"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then every step request describes all tools

    @STEP-004 @must
    Scenario: The arguments of a tool are shown with their types
      Given a ReAct over "question -> answer" with the tool "book"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Where do we eat?"}
      Then every step request shows the arguments of "book" with their types

    @STEP-004 @must
    Scenario: Arguments inside an argument are shown with their types
      Given a ReAct over "question -> answer" with the tool "visit"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Where do we go?"}
      Then every step request shows the arguments of "visit" with their types

    @STEP-004 @must
    Scenario: Each step shows arguments named like words of JSON Schema
      Given a ReAct over "question -> answer" with the tool "publish"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What do we read?"}
      Then every step request shows the arguments of "publish" with their types

    @STEP-004 @must
    Scenario: Each step shows the arguments of every one of several tools
      Given a ReAct over "question -> answer" with the tools "search", "book" and "weather"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Where do we eat?"}
      Then every step request shows the arguments of "search" with their types
      And every step request shows the arguments of "book" with their types
      And every step request shows the arguments of "weather" with their types

  Rule: The signature's own instructions appear in the step prompt

    @STEP-005 @should
    Scenario Outline: The signature's own instructions appear in every step
      Given a ReAct over the <form> "question -> answer"
      And its instructions read "Answer in the words of a lighthouse keeper."
      And the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then every step request shows "Answer in the words of a lighthouse keeper."

      Examples:
        | form            |
        | signature class |
        | signature value |
