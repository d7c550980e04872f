@core
Feature: The trajectory
  ReAct makes the accumulated trajectory available to the caller for debugging and evaluation.

  Rule: The prediction includes a trajectory attribute representing the tool-usage trace

    @TRJ-001 @must
    Scenario: The prediction includes the trajectory
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "tallest tower"}
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      When it is called with {"question": "How tall?"}
      Then the prediction includes a trajectory
      And the trajectory tells of the use of "search"

    @TRJ-001 @must
    Scenario: The prediction includes the trajectory when the steps ran out
      Given a ReAct over "question -> answer" with the tool "search"
      And max_steps is 2
      And the LM keeps calling "search" with {"query": "tallest tower"}
      And the LM answers {"answer": "828 m"}
      When it is called with {"question": "How tall?"}
      Then the prediction includes a trajectory
      And the trajectory tells of the use of "search"

    @TRJ-001 @must
    Scenario: The prediction includes the trajectory when no tool was used
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      When it is called with {"question": "How tall?"}
      Then the prediction includes a trajectory

    @TRJ-001 @must
    Scenario: The prediction of an asynchronous call includes the trajectory
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "tallest tower"}
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      When it is called asynchronously with {"question": "How tall?"}
      Then the prediction includes a trajectory
      And the trajectory tells of the use of "search"

  Rule: The trace holds thought, tool name, args and observation of every step, in order, and nothing that did not happen

    @TRJ-002 @must
    Scenario: The only step is in the trace with all its parts
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds thought, tool name, args and observation of every step, in order
      And the trajectory holds nothing that did not happen

    @TRJ-002 @must
    Scenario: Several steps are in the trace in the order they were taken
      Given a ReAct over "question -> answer" with the tools "add", "search" and "weather"
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "widths"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds thought, tool name, args and observation of every step, in order
      And the trajectory holds nothing that did not happen

    @TRJ-002 @must
    Scenario Outline: Every step is in the trace, whatever the dialect of the step
      Given a ReAct over "question -> answer" with the tools "add", "search" and "weather"
      And the global adapter is "<dialect>"
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "widths"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds thought, tool name, args and observation of every step, in order
      And the trajectory holds nothing that did not happen

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |

    @TRJ-002 @must
    Scenario Outline: The trace has every step when the steps ran out
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is <steps>
      And the LM takes <steps> steps with the tool "add" and {"a": 2, "b": 3}
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds thought, tool name, args and observation of every step, in order
      And the trajectory holds nothing that did not happen

      Examples:
        | steps |
        | 1     |
        | 4     |

    @TRJ-002 @must
    Scenario: A run without tools leaves no step of a tool in the trace
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds nothing that did not happen

    @TRJ-002 @must
    Scenario: The same call made twice is two steps of the trace
      Given a ReAct over "question -> answer" with the tool "search"
      And the tool "search" returns "nothing yet"
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "search" with {"query": "heights"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds thought, tool name, args and observation of every step, in order
      And the trajectory holds nothing that did not happen

    @TRJ-002 @must
    Scenario: A step whose tool failed is in the trace, with what it said
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the tool "search" raises "the archive is closed"
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds thought, tool name, args and observation of every step, in order
      And the trajectory holds nothing that did not happen

    @TRJ-002 @must
    Scenario: A step without args is in the trace
      Given a ReAct over "question -> answer" with the tools "ping" and "add"
      And the LM calls "ping"
      And the LM calls "add" with {"a": 0, "b": 0}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds thought, tool name, args and observation of every step, in order
      And the trajectory holds nothing that did not happen

    @TRJ-002 @must
    Scenario: The second call's trace holds the second call's steps only
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "heights"}
      And the LM finishes
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      And the LM answers {"answer": "5"}
      When it is called with {"question": "How tall?"}
      And it is called again with {"question": "2+3"}
      Then the trajectory holds thought, tool name, args and observation of every step, in order
      And the trajectory holds nothing that did not happen

  Rule: The same steps always give the same trace

    @TRJ-003 @must
    Scenario: Another instance that takes the same steps gives the same trace
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"b": 3, "a": 2}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      And another one is called with {"question": "2+3"}
      Then both trajectories are the same

    @TRJ-003 @must
    Scenario: The trace depends on the steps, not on what was asked
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "heights"}
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      When it is called with {"question": "How tall?"}
      And another one is called with {"question": "How tall is the tallest tower?"}
      Then both trajectories are the same

  Rule: The trace is a text, a mapping with numbered keys, or a list of episodes, and records finish or leaves it out

    @TRJ-004 @must
    Scenario: The trace of several steps is in one of the forms
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory is a text, a mapping with numbered keys, or a list of episodes

    @TRJ-004 @must
    Scenario: What is recorded of finish is a whole step
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory is a text, a mapping with numbered keys, or a list of episodes

    @TRJ-004 @must
    Scenario: Whether finish is recorded does not depend on the steps before it
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM finishes
      And the LM calls "search" with {"query": "heights"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      And the LM answers {"answer": "828 m"}
      When it is called with {"question": "2+3"}
      And it is called again with {"question": "How tall?"}
      Then both trajectories record "finish", or both leave it out

  Rule: The returned trajectory is the full record, whatever was left out of a prompt to make it fit

    @TRJ-005 @must
    Scenario: A long run is returned from its first step to its last
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 40
      And the LM takes 30 steps with the tool "add" and {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds thought, tool name, args and observation of every step, in order
      And the trajectory holds nothing that did not happen

    @TRJ-005 @must
    Scenario: A long observation is returned whole
      Given a ReAct over "question -> answer" with the tool "search"
      And the tool "search" returns a text of 60000 characters
      And the LM calls "search" with {"query": "everything"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds thought, tool name, args and observation of every step, in order

    @TRJ-005 @must
    Scenario: Long args are returned whole
      Given a ReAct over "question -> answer" with the tool "translate"
      And the LM calls "translate" with a text of 60000 characters
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds thought, tool name, args and observation of every step, in order

    @TRJ-005 @must
    Scenario Outline: Steps that no longer fit into a prompt are returned all the same
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the prompt of the next <phase> does not fit the context window
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory is complete, unless the call failed

      Examples:
        | phase      |
        | step       |
        | extraction |

  Rule: Recorded args and observations are values that nobody rewrites later

    @TRJ-006 @must
    Scenario Outline: A tool that changes its args in place does not rewrite the record of them
      Given a ReAct over "question -> answer"
      And the tools:
        | name | description         | parameters     |
        | tag  | Sorts things by tag. | <parameters> |
      And the tool "tag" changes its args in place, and later what it returned
      And the LM calls "tag" with <args>
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "tag" ran once with <args>
      And the trajectory does not show "changed by the tool"
      And the LM is never shown "changed by the tool"

      Examples:
        | parameters                                               | args                        |
        | {"tags": {"type": "array", "items": {"type": "string"}}} | {"tags": ["new"]}           |
        | {"sorting": {"type": "object"}}                          | {"sorting": {"by": ["new"]}} |

    @TRJ-006 @must
    Scenario: A tool that changes what it returned earlier does not rewrite the observation of it
      Given a ReAct over "question -> answer" with the tool "search"
      And the tool "search" changes its args in place, and later what it returned
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "search" with {"query": "widths"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds thought, tool name, args and observation of every step, in order
      And the trajectory does not show "changed after it was returned"
      And the LM is never shown "changed after it was returned"
