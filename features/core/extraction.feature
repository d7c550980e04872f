@core
Feature: The extraction
  After the loop terminates, the user's outputs are produced by an internal extraction module over the
  accumulated trajectory.

  Rule: The extraction module is called with the original inputs plus trajectory, however the loop ended

    @EXT-001 @must
    Scenario: The extraction gets the original inputs after finish
      Given a ReAct over "context, question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"context": "a census", "question": "How many?"}
      Then the extraction request has exactly the inputs "context", "question" and "trajectory"
      And the extraction request shows the input {"context": "a census", "question": "How many?"}

    @EXT-001 @must
    Scenario: The extraction gets the trajectory after finish
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then the extraction request shows the thought, tool, args and result of each step before it

    @EXT-001 @must
    Scenario Outline: The extraction gets inputs and trajectory when the steps have run out
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is <steps>
      And the LM calls "search" with {"query": "Rome"}
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers
      When it is called with {"question": "How many?"}
      Then the extraction request shows the input {"question": "How many?"}
      And the extraction request shows the thought, tool, args and result of each step before it

      Examples:
        | steps |
        | 1     |
        | 3     |

    @EXT-001 @must
    Scenario: The extraction gets the original inputs when no tool ran
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then the extraction request shows the input {"question": "How many?"}

    @EXT-001 @must
    Scenario: The extraction gets a failed step like any other
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 2
      And the tool "search" raises "the archive is closed"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "Rome"}
      And the LM answers
      When it is called with {"question": "How many?"}
      Then the extraction request shows the input {"question": "How many?"}, unless the error of the tool ended the call
      And the extraction request shows "the archive is closed", unless the error of the tool ended the call

    @EXT-001 @must @since-2
    Scenario: The extraction gets the thought of a failed step
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the tool "search" raises "the archive is closed"
      And as its next step the LM calls "search" with {"query": "Rome"}, thinking "Perhaps the archive knows."
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then the extraction request shows the thought of each step before it, unless the error of the tool ended the call

    @EXT-001 @must @since-2
    Scenario Outline: The extraction gets an input that is next to nothing
      Given a ReAct over "question, given: <type> -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?", "given": <value>}
      Then the extraction request gives <value> for the input "given"
      And every step request gives <value> for the input "given"

      Examples:
        | type      | value |
        | int       | 0     |
        | bool      | false |
        | list[str] | []    |

    @EXT-001 @must
    Scenario: An argument of a tool doesn't replace the extraction's input of the same name
      Given a ReAct over "query -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Oslo"}
      And the LM finishes
      And the LM answers
      When it is called with {"query": "Rome"}
      Then the extraction request shows the input {"query": "Rome"}

  Rule: The prediction contains every output of the user's signature, with the values extraction produced

    @EXT-002 @must
    Scenario Outline: The prediction contains every output
      Given a ReAct over "<signature>" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers <outputs>
      When it is called with {"topic": "Rome"}
      Then the prediction has <outputs>

      Examples:
        | signature                         | outputs                                                            |
        | topic -> summary, sources         | {"summary": "a city", "sources": "an atlas"}                       |
        | topic -> title, summary, sources  | {"title": "Roma", "summary": "a city", "sources": "an atlas"}      |

    @EXT-002 @must @since-2
    Scenario: The prediction has every item of a list, as it is
      Given a ReAct over "topic -> parts: list[str]" with the tool "search"
      And the LM finishes
      And the LM answers exactly {"parts": ["two", "two", "three", ""]}
      When it is called with {"topic": "Rome"}
      Then the prediction has exactly {"parts": ["two", "two", "three", ""]}

    @EXT-002 @must
    Scenario: The prediction has the values of the extraction, not the tool's
      Given a ReAct over "question -> answer" with the tool "search"
      And the tool "search" returns "2873000"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers {"answer": "almost three million"}
      When it is called with {"question": "How many?"}
      Then the prediction has {"answer": "almost three million"}

    @EXT-002 @must
    Scenario: The prediction has the values of the extraction, not those given to finish
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM finishes with {"answer": "Oslo"}
      And the LM answers {"answer": "Rome"}
      When it is called with {"question": "Which city?"}
      Then the prediction has {"answer": "Rome"}

    @EXT-002 @must
    Scenario: The prediction has the values of this call's extraction, not of an earlier one
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM finishes
      And the LM finishes
      And the LM answers {"answer": "Rome"}
      And the LM answers {"answer": "Oslo"}
      When it is called with {"question": "Which city?"}
      And it is called again with {"question": "Which city?"}
      Then the prediction has {"answer": "Oslo"}

  Rule: Extraction happens exactly once per call when its reply is well-formed

    @EXT-003 @must
    Scenario Outline: Extraction happens once, after the last step
      Given a ReAct over "question -> answer" with the tool "add"
      And the LM calls "add" <calls> times
      And the LM finishes
      And the LM answers
      When it is called with {"question": "2+3"}
      Then the extraction was asked for once
      And nothing was asked for after the extraction

      Examples:
        | calls |
        | 1     |
        | 3     |

    @EXT-003 @must
    Scenario: Extraction happens once when the steps have run out
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 2
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers
      When it is called with {"question": "2+3"}
      Then the extraction was asked for once

    @EXT-003 @must
    Scenario: Extraction happens once in each of several calls
      Given a ReAct over "question -> answer" with the tool "add"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM finishes
      And the LM answers
      And the LM answers
      When it is called with {"question": "2+3"}
      And it is called again with {"question": "2+3"}
      Then the extraction was asked for once in each call

  Rule: Extraction is chain-of-thought by default: a reasoning output is asked for

    @EXT-004 @should
    Scenario: The extraction asks for every output, and for whatever else before them
      Given a ReAct over "topic -> summary, sources" with the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"topic": "Rome"}
      Then the extraction asks for "summary" and "sources", and for whatever else before them

    @EXT-004 @should
    Scenario: The extraction asks for reasoning, unless the subject declares plain predict
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then the extraction asks for reasoning, unless its declared choice is plain predict

  Rule: The extraction request carries the signature's own instructions

    @EXT-005 @should
    Scenario Outline: The signature's own instructions appear in the extraction
      Given a ReAct over the <form> "question -> answer"
      And its instructions read "Answer in the words of a lighthouse keeper."
      And the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "How many?"}
      Then the extraction request shows "Answer in the words of a lighthouse keeper."

      Examples:
        | form            |
        | signature class |
        | signature value |

    @EXT-005 @should
    Scenario: The signature's own instructions appear in an extraction after the steps ran out
      Given a ReAct over the signature class "question -> answer"
      And its instructions read "Answer in the words of a lighthouse keeper."
      And the tool "search"
      And max_steps is 2
      And the LM keeps calling "search" with {"query": "Rome"}
      And the LM answers
      When it is called with {"question": "How many?"}
      Then the extraction request shows "Answer in the words of a lighthouse keeper."

  Rule: A value that the extraction gave as null isn't returned as a text

    @EXT-006 @practice
    Scenario Outline: The prediction has no text for an optional output that is null
      Given a ReAct over "question -> verdict: <type>" with the tool "search"
      And the LM finishes
      And the LM answers {"verdict": null}
      When it is called with {"question": "Which one?"}
      Then no output that is null is returned as a text

      Examples:
        | type              |
        | int \| None       |
        | bool \| None      |
        | list[str] \| None |

    @EXT-006 @practice
    Scenario: The prediction has no text for an output that is null when the steps have run out
      Given a ReAct over "question -> verdict: int | None" with the tool "search"
      And max_steps is 1
      And the LM keeps calling "search" with {"query": "verdicts"}
      And the LM answers {"verdict": null}
      When it is called with {"question": "Which one?"}
      Then no output that is null is returned as a text

    @EXT-006 @practice
    Scenario Outline: The prediction has no text for a text output that is null
      Given a ReAct over "question -> verdict: <type>" with the tool "search"
      And replies are asked for in "<dialect>"
      And the LM finishes
      And as every further extraction the LM answers {"verdict": null}, reasoning "Nobody knows."
      When it is called with {"question": "Which one?"}
      Then no output that is null is returned as a text

      Examples:
        | type        | dialect |
        | str         | json    |
        | str \| None | json    |
        | str         | native  |
        | str \| None | native  |

    @EXT-006 @practice
    Scenario: The prediction has no text for a text output that is null beside a number
      Given a ReAct over "question -> verdict: str | None, count: int" with the tool "search"
      And replies are asked for in "json"
      And the LM finishes
      And as every further extraction the LM answers {"verdict": null, "count": 3}, reasoning "Nobody knows."
      When it is called with {"question": "Which one?"}
      Then no output that is null is returned as a text
