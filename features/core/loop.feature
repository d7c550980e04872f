@core
Feature: The tool loop
  ReAct is an iterative loop that selects tool calls through an internal predictor over a generated step
  signature, executes them, and stops when the step predictor says so or the steps run out.

  Rule: ReAct executes a tool loop using an internal step predictor

    @LOOP-001 @must @smoke
    Scenario: ReAct selects and executes a tool
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}

    @LOOP-001 @must
    Scenario: The agent executes the tool where the LM thought nothing
      Given a ReAct over "question -> answer" with the tool "add"
      And as its next step the LM calls "add" with {"a": 2, "b": 3}, thinking ""
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}

    @LOOP-001 @must
    Scenario Outline: The agent executes the tool whatever the dialect of the step
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

  Rule: The tool's result is appended to the trajectory as that step's observation, and the next step's request shows it

    @LOOP-002 @must
    Scenario: Each step request shows the result of the step before it
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then every step request shows the result of the step before it

    @LOOP-002 @must
    Scenario: Each step request shows the results of all steps before it
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "the population of Oslo"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then every step request shows the result of each step before it

    @LOOP-002 @must
    Scenario: Each step request shows every result under its own step
      Given a ReAct over "question -> answer" with the tool "search"
      And the tool "search" reports which run it is
      And the LM calls "search" with {"query": "Rome"}
      And the LM calls "search" with {"query": "Rome"}
      And the LM calls "search" with {"query": "Oslo"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then every step request shows, in order, the result of each step before it

    @LOOP-002 @must @since-2
    Scenario: Each step request shows a result that came before under its own step again
      Given a ReAct over "question -> answer" with the tool "search"
      And the tool "search" returns "nothing yet"
      And the LM calls "search" with {"query": "Rome"}
      And the LM calls "search" with {"query": "Oslo"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then every step request shows, in order, the result of each step before it

  Rule: ReAct stops when the step predictor selects finish

    @LOOP-003 @must
    Scenario: Selecting finish ends the loop though steps are left
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 5
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM calls "search" with {"query": "more"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no step was asked for after the LM finished
      And the tools ran in the order "add"

    @LOOP-003 @must
    Scenario: Selecting finish runs no tool
      Given a ReAct over "question -> answer" with the tools "ping" and "search"
      And the LM calls "ping"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Is it up?"}
      Then no tool ran after the LM finished

  Rule: ReAct stops when max steps is reached, even if finish was not selected, and extraction still runs

    @LOOP-004 @must
    Scenario Outline: The loop takes max_steps steps if finish is never selected
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is <steps>
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers
      When it is called with {"question": "2+3"}
      Then the LM was asked for <steps> steps

      Examples:
        | steps |
        | 1     |
        | 2     |
        | 5     |

    @LOOP-004 @must
    Scenario: Extraction runs when the steps have run out
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 2
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the extraction was asked for once

    @LOOP-004 @must
    Scenario: The LM may finish in the last step
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 2
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the LM was asked for 2 steps
      And the prediction has {"answer": "5"}

    @LOOP-004 @must
    Scenario: The agent takes no step with max_steps 0
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 0
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}, unless it refused to be constructed
      Then the LM was asked for 0 steps

    @LOOP-004 @must @since-2
    Scenario: A step that names an unknown tool is a step
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 2
      And the LM selects the unknown tool "multiply" with {"a": 2, "b": 3}
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers
      When it is called with {"question": "2+3"}
      Then the tool "add" ran at most once

    @LOOP-004 @must @since-3
    Scenario: A step that is left out of a prompt is a step
      Given a ReAct over "question -> answer" with the tools "search", "translate" and "weather"
      And prompts can be truncated
      And max_steps is 3
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the prompt of the next step does not fit the context window
      And the LM keeps calling "weather" with {"city": "Oslo"}
      And the LM answers {"answer": "a million"}
      When it is called with {"question": "How many?"}
      Then the tool "weather" ran at most once

  Rule: Several steps run in the order the LM chose them, and the trajectory keeps that order

    @LOOP-005 @must
    Scenario: Several tools run in the order the LM chose them
      Given a ReAct over "question -> answer" with the tools "add", "search" and "translate"
      And the LM calls "translate" with {"text": "venti"}
      And the LM calls "search" with {"query": "Rome"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "Oslo"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then the tools ran in the order "translate", "search", "add" and "search"

    @LOOP-005 @must
    Scenario: Several calls of one tool run in the order the LM chose them
      Given a ReAct over "question -> answer" with the tool "add"
      And the LM calls "add" with {"a": 3, "b": 1}
      And the LM calls "add" with {"a": 1, "b": 1}
      And the LM calls "add" with {"a": 2, "b": 1}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then these tools ran, in this order:
        | tool | args             |
        | add  | {"a": 3, "b": 1} |
        | add  | {"a": 1, "b": 1} |
        | add  | {"a": 2, "b": 1} |

    @LOOP-005 @must
    Scenario: The extraction shows the results in the order of the steps
      Given a ReAct over "question -> answer" with the tools "add", "search" and "translate"
      And the LM calls "translate" with {"text": "venti"}
      And the LM calls "search" with {"query": "Rome"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then the extraction request shows, in order, the result of each step before it

  Rule: Step selection goes through an internal predictor over a generated step signature: one LM request per step

    @LOOP-006 @must
    Scenario Outline: The agent asks the LM once for each step
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 10
      And the LM calls "add" <calls> times
      And the LM finishes
      And the LM answers
      When it is called with {"question": "2+3"}
      Then the LM was asked for <steps> steps

      Examples:
        | calls | steps |
        | 2     | 3     |
        | 6     | 7     |

  Rule: finish on the first step is legal: zero user tools run, and extraction still runs

    @LOOP-007 @must
    Scenario: The LM may finish in the first step
      Given a ReAct over "question -> answer" with the tools "ping" and "search"
      And the LM finishes
      And the LM answers {"answer": "Rome"}
      When it is called with {"question": "Which city?"}
      Then no tool ran

    @LOOP-007 @must @since-3
    Scenario: The extraction follows when the LM finishes in the first step
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Which city?"}
      Then the extraction was asked for once

    @LOOP-007 @must
    Scenario: An agent without tools finishes and answers, or is refused
      Given a ReAct over "question -> answer"
      And the LM finishes
      And the LM answers {"answer": "Rome"}
      When it is called with {"question": "Which city?"}, unless it refused to be constructed
      Then it refused to be constructed, or the prediction has {"answer": "Rome"}

  Rule: Without a max_steps of its own an agent stops at a documented default

    @LOOP-011 @practice
    Scenario: An LM that never finishes is stopped at the documented default
      Given a ReAct over "question -> answer" with the tool "add"
      And a default of max_steps is documented
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers
      When it is called with {"question": "2+3"}
      Then the LM was asked for the default number of steps

  Rule: max_steps can be set at construction

    @LOOP-008 @must
    Scenario: max_steps may be larger than the default
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 3 more than the default
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers
      When it is called with {"question": "2+3"}
      Then the LM was asked for 3 steps more than the default

    @LOOP-008 @must
    Scenario: Another ReAct's max_steps doesn't change this one's
      Given another ReAct with max_steps 1 was constructed before
      And a ReAct over "question -> answer" with the tool "add"
      And the LM calls "add" 2 times
      And the LM finishes
      And the LM answers
      When it is called with {"question": "2+3"}
      Then the LM was asked for 3 steps

  Rule: max_steps given per call overrides the constructed one for that call only

    @LOOP-009 @must
    Scenario: max_steps given per call may be smaller than the constructed one
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 5
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers
      When it is called with {"question": "2+3"} and max_steps 2
      Then the LM was asked for 2 steps

    @LOOP-009 @must
    Scenario: max_steps given per call may be larger than the constructed one
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 2
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers
      When it is called with {"question": "2+3"} and max_steps 5
      Then the LM was asked for 5 steps

    @LOOP-009 @must
    Scenario: A max_steps given per call doesn't outlive its call
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 3
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers
      And the LM answers
      When it is called with {"question": "2+3"} and max_steps 1
      And it is called again with {"question": "2+3"}
      Then the LM was asked for 3 steps in the last call

    @LOOP-009 @must @since-3
    Scenario Outline: max_steps given to an async call holds for it
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is <constructed>
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers
      When it is called asynchronously with {"question": "2+3"} and max_steps <given>
      Then the LM was asked for <given> steps

      Examples:
        | constructed | given |
        | 5           | 2     |
        | 2           | 5     |

    @LOOP-009 @must @since-2
    Scenario: A max_steps given to an async call doesn't outlive it
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 3
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers
      And the LM answers
      When it is called asynchronously with {"question": "2+3"} and max_steps 1
      And it is called again with {"question": "2+3"}
      Then the LM was asked for 3 steps in the last call

  Rule: finish ends the loop whatever its arguments, and they never reach a user tool

    @LOOP-010 @must
    Scenario: No user tool gets the arguments of finish
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes with {"query": "Oslo"}
      And the LM answers
      When it is called with {"question": "How many?"}
      Then the tool "search" ran once with {"query": "Rome"}
      And no tool ran after the LM finished

    @LOOP-010 @must
    Scenario: Finish ends the loop whatever its arguments
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes with {"answer": "Rome", "confidence": 1}
      And the LM finishes
      And the LM answers {"answer": "Oslo"}
      When it is called with {"question": "Which city?"}
      Then no step was asked for after the LM finished

    @LOOP-010 @must @since-3
    Scenario: Finish that is called natively ends the loop though its arguments can't be read
      Given a udspy ReAct over "question -> answer" with the tool "search"
      And tools are called natively
      And the LM calls "search" with {"query": "Rome"}
      And the LM calls "finish" with the args text "all is known"
      And the LM finishes
      And the LM answers {"answer": "Oslo"}
      When it is called with {"question": "Which city?"}
      Then the LM was asked for 2 steps

  Rule: The extraction is told of no error where the loop ended by finish

    @LOOP-012 @practice
    Scenario: The agent doesn't report finish as an error
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Which city?"}
      Then the extraction is told of no error

    @LOOP-012 @practice
    Scenario: The agent doesn't report a finish with arguments as an error
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes with {"answer": "Rome"}
      And the LM answers
      When it is called with {"question": "Which city?"}
      Then the extraction is told of no error
