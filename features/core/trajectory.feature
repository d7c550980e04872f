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
    Scenario: The trajectory holds all parts of an only step
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds thought, tool name, args and observation of every step, in order
      And the trajectory holds nothing that did not happen

    @TRJ-002 @must
    Scenario: The trajectory holds several steps in the order in which they were taken
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
    Scenario Outline: The trajectory holds every step whatever its dialect
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
    Scenario Outline: The trajectory holds every step when the steps have run out
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
    Scenario: The trajectory holds no tool's step when no tool ran
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds nothing that did not happen

    @TRJ-002 @must
    Scenario: The trajectory holds a call that is made twice as two steps
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
    Scenario: The trajectory holds a failed step with its error
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the tool "search" raises "the archive is closed"
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds thought, tool name, args and observation of every step, in order, unless the call failed

    @TRJ-002 @must
    Scenario: The trajectory holds a step without args
      Given a ReAct over "question -> answer" with the tools "ping" and "add"
      And the LM calls "ping"
      And the LM calls "add" with {"a": 0, "b": 0}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds thought, tool name, args and observation of every step, in order
      And the trajectory holds nothing that did not happen

    @TRJ-002 @must
    Scenario: A second call's trajectory holds the steps of that call only
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

    @TRJ-002 @must @since-2
    Scenario: The trajectory names the unknown tool that the LM selected
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM selects the unknown tool "multiply" with {"a": 2, "b": 3}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory names "multiply", unless the loop has ended there

    @TRJ-002 @must @since-2
    Scenario: The trajectory holds a thought of several lines
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And as its next step the LM calls "search" with {"query": "heights"}, thinking "First I look it up.\nThen I add."
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds thought, tool name, args and observation of every step, in order

    @TRJ-002 @must @since-2
    Scenario: The trajectory holds a step without args behind one with args
      Given a ReAct over "question -> answer" with the tools "ping" and "add"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "ping"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory records every step with the args and the observation that it had

    @TRJ-002 @must @since-3
    Scenario: The trajectory holds the thought of a step that was malformed at first
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the agent asks again where a reply can't be read
      And the LM calls "add" with {"a": 2, "b": 3}
      And that step is garbled at first: missing-field
      And the LM calls "search" with {"query": "five"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds thought of every step, in order

  Rule: The same steps always give the same trace

    @TRJ-003 @must
    Scenario: Two instances that take the same steps give the same trajectory
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"b": 3, "a": 2}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      And another one is called with {"question": "2+3"}
      Then both trajectories are the same

    @TRJ-003 @must
    Scenario: The trajectory depends on the steps, not on the question
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "heights"}
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      When it is called with {"question": "How tall?"}
      And another one is called with {"question": "How tall is the tallest tower?"}
      Then both trajectories are the same

  Rule: The trace is a text, a mapping with numbered keys, or a list of episodes, and records finish or leaves it out

    @TRJ-004 @retired
    Scenario: The trajectory is a text, a mapping or a list of episodes
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory is a text, a mapping with numbered keys, or a list of episodes

    @TRJ-004 @retired
    Scenario: The trajectory records finish as a whole step or not at all
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory is a text, a mapping with numbered keys, or a list of episodes

    @TRJ-004 @retired
    Scenario: The trajectory records finish always or never
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
    Scenario: The trajectory of a long run holds every step
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 40
      And the LM takes 30 steps with the tool "add" and {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds tool name, args and observation of every step, in order

    @TRJ-005 @must
    Scenario: The trajectory holds a long observation whole
      Given a ReAct over "question -> answer" with the tool "search"
      And the tool "search" returns a text of 60000 characters
      And the LM calls "search" with {"query": "everything"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds observation of every step, in order

    @TRJ-005 @must
    Scenario: The trajectory holds long args whole
      Given a ReAct over "question -> answer" with the tool "translate"
      And the LM calls "translate" with a text of 60000 characters
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds args of every step, in order

    @TRJ-005 @must
    Scenario Outline: The trajectory holds the steps that no longer fit into a prompt
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the prompt of the next <phase> does not fit the context window
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds tool name, args and observation of every step, in order, unless the call failed

      Examples:
        | phase      |
        | step       |
        | extraction |

    @TRJ-005 @must @since-2
    Scenario: The trajectory holds the steps of a run whose prompt didn't fit twice
      Given a ReAct over "question -> answer" with the tools "add", "search" and "ping"
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "ping"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the prompt of the next extraction does not fit the context window
      And the prompt of the next extraction does not fit the context window
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds tool name, args and observation of every step, in order, unless the call failed

    @TRJ-005 @must @since-3
    Scenario: The trajectory that a suspension shows holds the steps that no longer fit into a prompt
      Given a ReAct over "question -> answer" with the tools "add", "search" and "translate"
      And prompts can be truncated
      And the tool "translate" requires confirmation
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the prompt of the next step does not fit the context window
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then its context has the trajectory of the steps before it, and nothing of the call that waits

  Rule: The recorded observation and args of a step equal what the tool was given and returned

    @TRJ-007 @must
    Scenario Outline: The trajectory records what a tool returned as it was
      Given a ReAct over "question -> answer" with the tools "search" and "add"
      And the tool "search" returns <value>
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory records every step with the args and the observation that it had

      Examples:
        | value                                             |
        | "two  blanks,  a tab\\tand\\n\\n  a paragraph"       |
        | " blank space around "                            |
        | "5"                                               |
        | ""                                                |
        | 0                                                 |
        | false                                             |
        | -2.5                                              |
        | []                                                |
        | {}                                                |
        | {"found": [{"at": 0, "name": "", "next": null}]}  |

    @TRJ-007 @must
    Scenario Outline: The trajectory records what a tool was given as it was
      Given the agent exposes its trajectory
      And a ReAct over "question -> answer"
      And the tools:
        | name  | description    | parameters                 |
        | store | Keeps a value. | {"value": {"type": <type>}} |
      And the LM calls "store" with {"value": <value>}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory records every step with the args and the observation that it had

      Examples:
        | type      | value                              |
        | "string"  | "two  blanks and\\n\\n  a paragraph" |
        | "string"  | "5"                                |
        | "integer" | 0                                  |
        | "number"  | -2.5                               |
        | "boolean" | false                              |
        | "array"   | []                                 |
        | "object"  | {"a": [1, null, {"b": ""}]}        |

    @TRJ-007 @must
    Scenario: The trajectory tells steps apart that have one thought
      Given a ReAct over "question -> answer" with the tool "search"
      And as its next step the LM calls "search" with {"query": "heights"}, thinking "I look it up."
      And as its next step the LM calls "search" with {"query": "widths"}, thinking "I look it up."
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory records every step with the args and the observation that it had

  Rule: Recorded args and observations are values that nobody rewrites later

    @TRJ-006 @practice
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
      Then the trajectory does not show "changed by the tool"

      Examples:
        | parameters                                               | args                        |
        | {"tags": {"type": "array", "items": {"type": "string"}}} | {"tags": ["new"]}           |
        | {"sorting": {"type": "object"}}                          | {"sorting": {"by": ["new"]}} |

    @TRJ-006 @practice @since-3
    Scenario Outline: The LM is shown the args that it gave, whatever the tool did to them
      Given a ReAct over "question -> answer"
      And the tools:
        | name | description         | parameters     |
        | tag  | Sorts things by tag. | <parameters> |
      And the tool "tag" changes its args in place, and later what it returned
      And the LM calls "tag" with <args>
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the LM is never shown "changed by the tool"

      Examples:
        | parameters                                               | args                        |
        | {"tags": {"type": "array", "items": {"type": "string"}}} | {"tags": ["new"]}           |
        | {"sorting": {"type": "object"}}                          | {"sorting": {"by": ["new"]}} |

    @TRJ-006 @practice
    Scenario: A tool that changes what it returned earlier does not rewrite the observation of it
      Given a ReAct over "question -> answer" with the tool "search"
      And the tool "search" changes its args in place, and later what it returned
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "search" with {"query": "widths"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds observation of every step, in order
      And the trajectory does not show "changed after it was returned"
      And the LM is never shown "changed after it was returned"
