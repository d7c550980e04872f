@udspy
Feature: The surface of udspy's ReAct
  What the caller of udspy's ReAct can see: the trajectory's keys, the text of a tool's error, the tools with finish
  among them, the three signatures, and steps taken by native tool calls.

  Rule: Trajectory keys are reasoning_i, tool_name_i, tool_args_i and observation_i, the finish step included ("Task completed")

    @UDS-001 @must
    Scenario: The trajectory is a mapping of numbered keys
      Given a udspy ReAct over "question -> answer" with the tools "search" and "add"
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory has exactly the keys of S3 for 3 steps
      And step 0 of the trajectory is the call of the LM and what the tool brought
      And step 1 of the trajectory is the call of the LM and what the tool brought

    @UDS-001 @must
    Scenario: The finish step is recorded with the observation "Task completed"
      Given a udspy ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then step 1 of the trajectory is the finish step

    @UDS-001 @must
    Scenario: An observation is a text, whatever the tool returned
      Given a udspy ReAct over "question -> answer" with the tool "add"
      And the tool "add" returns 5
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "2+3"}
      Then the observation of step 0 is "5"

    @UDS-001 @must @since-2
    Scenario Outline: An observation that is next to nothing is its text
      Given a udspy ReAct over "question -> answer" with the tool "add"
      And the tool "add" returns <value>
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "2+3"}
      Then the observation of step 0 is "<text>"

      Examples:
        | value | text |
        | 0     | 0    |
        | []    | []   |

    @UDS-001 @must @since-2
    Scenario: An async call records the finish step, too
      Given a udspy ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM finishes
      And the LM answers
      When it is called asynchronously with {"question": "How many?"}
      Then step 1 of the trajectory is the finish step

    @UDS-001 @must @since-3
    Scenario: The trajectory in the context of a suspension has no other keys
      Given a udspy ReAct over "question -> answer" with the tools "search" and "add"
      And the tool "add" requires confirmation
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "add" with {"a": 2, "b": 3}
      When it is called with {"question": "2+3"}
      Then the trajectory of its context has no keys but those of S3

  Rule: The tool error observation reads "Error executing {tool}: {message}"

    @UDS-002 @must
    Scenario: The observation of a tool that raises is its error
      Given a udspy ReAct over "question -> answer" with the tool "search"
      And the tool "search" raises "Invalid endpoint"
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then the observation of step 0 is "Error executing search: Invalid endpoint"

    @UDS-002 @must @since-2
    Scenario: The observation of a native call of a tool that raises is its error
      Given a udspy ReAct over "question -> answer" with the tool "search"
      And tools are called natively
      And the tool "search" raises "Invalid endpoint"
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then the observation of step 0 is "Error executing search: Invalid endpoint"

    @UDS-002 @must
    Scenario: The agent tries another tool after an error
      Given a udspy ReAct over "question -> answer" with the tools "search" and "add"
      And the tool "search" raises "no connection: port 80"
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the observation of step 0 is "Error executing search: no connection: port 80"
      And the tool "add" ran once with {"a": 2, "b": 3}

  Rule: tools exposes the user's tools plus finish; signature, react_signature and extract_signature can be inspected

    @UDS-003 @must
    Scenario: The list of tools holds finish
      Given a udspy ReAct over "question -> answer" with the tools "search" and "add"
      When it is constructed
      Then its tools are "search", "add" and "finish"

    @UDS-003 @must
    Scenario: The three signatures can be inspected
      Given a udspy ReAct over "context, question -> answer, sources" with the tool "search"
      When it is constructed
      Then its "signature" has the inputs "context" and "question" and the outputs "answer" and "sources"
      And its "react_signature" has the inputs "context", "question" and "trajectory" and a reasoning
      And its "extract_signature" has the inputs "context", "question" and "trajectory" and the outputs "answer" and "sources"

  Rule: finish's description is "Call this when you have all information needed to produce {outputs}"

    @UDS-004 @must
    Scenario Outline: The description of finish names the outputs
      Given a udspy ReAct over "<signature>" with the tool "search"
      When it is constructed
      Then the list of tools describes finish as what produces <outputs>

      Examples:
        | signature                   | outputs                |
        | question -> answer          | "answer"               |
        | question -> answer, sources | "answer" and "sources" |

    @UDS-004 @must
    Scenario: The LM is shown the description of finish
      Given a udspy ReAct over "question -> answer, sources" with the tool "search"
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then every step request describes finish as what produces "answer" and "sources"

  Rule: With native tool calling, reasoning text and tool selection come in one native reply

    @UDS-005 @must
    Scenario: The text beside the tool call is the reasoning of the step
      Given a udspy ReAct over "question -> answer" with the tools "search" and "add"
      And tools are called natively
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then each step took one request
      And the trajectory holds thought and tool name of every step, in order

    @UDS-005 @must
    Scenario: The tools are offered natively, finish among them
      Given a udspy ReAct over "question -> answer" with the tools "search" and "add"
      And tools are called natively
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "2+3"}
      Then every step request offers the tools "search", "add" and "finish" natively
      And step 1 of the trajectory is the finish step

    @UDS-005 @must @since-2
    Scenario: The text beside the tool call is the reasoning of a second call's step, too
      Given a udspy ReAct over "question -> answer" with the tools "search" and "add"
      And tools are called natively
      And the LM finishes
      And the LM answers {"answer": "4"}
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+2"}
      And it is called again with {"question": "2+3"}
      Then the trajectory holds thought and tool name of every step, in order
