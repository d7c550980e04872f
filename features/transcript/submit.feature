@transcript
Feature: The typed submit
  A run is completed by submitting the outputs of the signature: no keyword, no second free-form answer.

  Rule: Completion is a typed submit whose parameters are the declared outputs; there is no finish

    @TRN-002 @must
    Scenario Outline: The agent offers submit with the outputs as its parameters
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> total: int, sources: list[str], sure: bool" with the tool "search"
      And the LM submits {"total": 5, "sources": ["an almanac"], "sure": true}
      When it is called with {"question": "How many?"}
      Then "submit" is offered with the outputs as its parameters, each with its type
      And the prediction has {"total": 5, "sources": ["an almanac"], "sure": true}

      Examples:
        | dialect |
        | chat    |
        | json    |
        | native  |

    @TRN-002 @must
    Scenario Outline: The agent doesn't offer finish
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM submits {"answer": "the forum"}
      When it is called with {"question": "Where?"}
      Then "finish" is not offered

      Examples:
        | dialect |
        | chat    |
        | native  |

    @TRN-002 @must
    Scenario: A call of finish doesn't end the run
      Given a transcript ReAct over "question -> answer" with the tool "search"
      And the agent goes on after an unknown tool
      And the LM calls "finish"
      And the LM submits {"answer": "the forum"}
      When it is called with {"question": "Where?"}
      Then the LM was asked for 2 steps
      And the prediction has {"answer": "the forum"}

  Rule: A successful submit commits the outputs directly

    @TRN-003 @must
    Scenario Outline: The agent asks for nothing after a submit
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM submits {"answer": "the forum"}
      When it is called with {"question": "Where?"}
      Then nothing was asked for after the submit
      And the prediction has {"answer": "the forum"}

      Examples:
        | dialect |
        | chat    |
        | native  |

    @TRN-003 @must
    Scenario: The agent takes a submit on the first turn for the end
      Given a transcript ReAct over "question -> answer" with the tool "search"
      And the LM submits {"answer": "the forum"}
      When it is called with {"question": "Where?"}
      Then nothing was asked for after the submit
      And no tool ran
      And the prediction has {"answer": "the forum"}

    @TRN-003 @must @since-2
    Scenario: An asynchronous run ends with the submit that follows a refused one
      Given a transcript ReAct over "question -> answer, source" with the tool "search"
      And the LM submits {"answer": "the forum"}
      And the LM submits {"answer": "the forum", "source": "an almanac"}
      When it is called asynchronously with {"question": "Where?"}
      Then the agent asked the LM at most 2 times
      And the prediction has {"answer": "the forum", "source": "an almanac"}

  Rule: Missing or mistyped submit args are refused as an observation and the loop goes on

    @TRN-005 @practice
    Scenario Outline: A submit without one of the outputs is refused
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer, source" with the tool "search"
      And the LM submits {"answer": "the forum"}
      And the LM submits {"answer": "the forum", "source": "an almanac"}
      When it is called with {"question": "Where?"}
      Then the next request shows a refusal of the submit that names "source"
      And the prediction has {"answer": "the forum", "source": "an almanac"}

      Examples:
        | dialect |
        | chat    |
        | native  |

    @TRN-005 @practice
    Scenario Outline: A submit with an output of another type is refused
      Given a transcript ReAct over "question -> total: int, parts: list[int]" with the tool "search"
      And the LM submits <wrong>
      And the LM submits {"total": 5, "parts": [2, 3]}
      When it is called with {"question": "How many?"}
      Then the next request shows a refusal of the submit that names "<field>"
      And the prediction has {"total": 5, "parts": [2, 3]}

      Examples:
        | wrong                              | field |
        | {"total": "many", "parts": [2, 3]} | total |
        | {"total": 5, "parts": "2 and 3"}   | parts |
        | {"total": null, "parts": [2, 3]}   | total |

    @TRN-005 @practice @since-2
    Scenario: A refused submit lends no output to a later one
      Given a transcript ReAct over "question -> answer, source" with the tool "search"
      And the LM submits {"answer": "the forum"}
      And the LM submits {"source": "an almanac"}
      And the LM submits {"answer": "the baths", "source": "a guide"}
      When it is called with {"question": "Where?"}
      Then the LM was asked for 3 steps
      And the prediction has {"answer": "the baths", "source": "a guide"}

    @TRN-005 @practice
    Scenario: The loop goes on with all its tools after a refused submit
      Given a transcript ReAct over "question -> total: int" with the tool "add"
      And the LM submits {"total": "many"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM submits {"total": 5}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}
      And the prediction has {"total": 5}

  Rule: Without a submit the fallback runs over the history and ends in the same terminal shape

    @TRN-006 @must
    Scenario Outline: The agent asks for the answer over the history when the steps have run out
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tool "search"
      And max_steps is 2
      And the LM keeps calling "search" with {"query": "Rome"}
      And the LM answers {"answer": "the forum"}
      When it is called with {"question": "Where?"}
      Then the LM was asked for 2 steps
      And the request for the answer shows the user's request, the tool calls and the observations so far, each as a message by its role
      And the prediction has {"answer": "the forum"}

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |
        | native  |

    @TRN-006 @must
    Scenario: The history of a fallback ends as that of a submit does
      Given a transcript ReAct over "question -> answer" with the tool "search"
      And max_steps is 2
      And the LM calls "search" with {"query": "Rome"}
      And the LM submits {"answer": "the forum"}
      And the LM keeps calling "search" with {"query": "Rome"}
      And the LM answers {"answer": "the forum"}
      When it is called with {"question": "Where?"}
      And it is called again with {"question": "Where?"}
      Then both histories end in the same shape

    @TRN-006 @must
    Scenario: A follow-up turn finds the answer of a fallback as it finds that of a submit
      Given a transcript ReAct over "question -> answer" with the tool "search"
      And max_steps is 1
      And the LM calls "search" with {"query": "Rome"}
      And the LM answers {"answer": "the forum"}
      And the LM submits {"answer": "near the river"}
      When it is called with {"question": "Where?"}
      And it is called with {"question": "Where is that?"} and the history of the first call
      Then the first request of the follow-up shows the prior request, tool calls, observations and answer, in order

    @TRN-006 @must @since-2
    Scenario: A follow-up turn has all its steps before the fallback
      Given a transcript ReAct over "question -> answer" with the tool "search"
      And max_steps is 2
      And the LM calls "search" with {"query": "Rome"}
      And the LM submits {"answer": "the forum"}
      And the LM keeps calling "search" with {"query": "Ostia"}
      And the LM answers {"answer": "near the river"}
      When it is called with {"question": "Where?"}
      And it is called with {"question": "Where is that?"} and the history of the first call
      Then the LM was asked for 2 steps in the last call
      And the prediction has {"answer": "near the river"}

    @TRN-006 @must
    Scenario: The run goes on after replies that can't be read
      Given a transcript ReAct over "question -> answer" with the tool "search"
      And the agent goes on after a reply that can't be read
      And the LM calls "search" with {"query": "Rome"}
      And the LM submits {"answer": "the forum"}
      And instead of that step the LM at first says "Well, let me see."
      And instead of that step the LM at first says "There is a lot to be said about this."
      And the LM submits {"answer": "the forum"}
      When it is called with {"question": "Where?"}
      Then the prediction has {"answer": "the forum"}
      And its history holds the request, the tool calls, the observations and the answer, in order

    @TRN-006 @must
    Scenario: The fallback runs after submits that are refused again and again
      Given a transcript ReAct over "question -> answer, source" with the tool "add"
      And max_steps is 3
      And the LM keeps submitting {"answer": "five"}
      And the LM answers {"answer": "5", "source": "by heart"}
      When it is called with {"question": "2+3"}
      Then the LM was asked for 3 steps
      And the prediction has {"answer": "5", "source": "by heart"}

  Rule: With several outputs, all are typed and present, and the terminal message is built from them

    @TRN-009 @must
    Scenario Outline: The prediction has every output of a submit, each of its type
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> total: int, ratio: float, sure: bool, parts: list[str], note" with the tool "search"
      And the LM submits {"total": 5, "ratio": 0.5, "sure": true, "parts": ["two", "three"], "note": "by heart"}
      When it is called with {"question": "How many?"}
      Then the prediction has {"total": 5, "ratio": 0.5, "sure": true, "parts": ["two", "three"], "note": "by heart"}, each of its type

      Examples:
        | dialect |
        | chat    |
        | native  |

    @TRN-009 @must @since-2
    Scenario Outline: The prediction has every output of a submit that is next to nothing
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> total: int, sure: bool, parts: list[str], note" with the tool "search"
      And the LM submits {"total": 0, "sure": false, "parts": [], "note": "by heart"}
      And the LM submits {"total": 5, "sure": true, "parts": ["two"], "note": "at a glance"}
      When it is called with {"question": "How many?"}
      Then the LM was asked for 1 step
      And the prediction has {"total": 0, "sure": false, "parts": [], "note": "by heart"}, each of its type

      Examples:
        | dialect |
        | chat    |
        | native  |

    @TRN-009 @must @since-3
    Scenario Outline: The prediction has an output that may be null, though the submit leaves it out at first
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer, year: int | None" with the tool "search"
      And the LM submits {"answer": "the forum"}
      And the LM submits {"answer": "the forum", "year": null}
      When it is called with {"question": "Where?"}
      Then the prediction has {"answer": "the forum", "year": null}

      Examples:
        | dialect |
        | chat    |
        | native  |

    @TRN-009 @must @since-2
    Scenario Outline: The terminal message holds every output that is next to nothing
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> total: int, sure: bool, note" with the tool "search"
      And the LM submits {"total": 0, "sure": false, "note": "by heart"}
      And the LM submits {"total": 5, "sure": true, "note": "at a glance"}
      When it is called with {"question": "How many?"}
      And it is called with {"question": "And now?"} and the history of the first call
      Then an assistant message of the follow-up's first request holds every output of the prior answer

      Examples:
        | dialect |
        | chat    |
        | native  |

    @TRN-009 @must
    Scenario Outline: The terminal message holds every output
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer, source, note" with the tool "search"
      And the LM submits {"answer": "the forum", "source": "an almanac", "note": "by heart"}
      And the LM submits {"answer": "near the river", "source": "a map", "note": "at a glance"}
      When it is called with {"question": "Where?"}
      And it is called with {"question": "Where is that?"} and the history of the first call
      Then an assistant message of the follow-up's first request holds every output of the prior answer

      Examples:
        | dialect |
        | chat    |
        | native  |

    @TRN-009 @must
    Scenario: The outputs of a fallback are typed like those of a submit
      Given a transcript ReAct over "question -> total: int, parts: list[str]" with the tool "search"
      And max_steps is 1
      And the LM calls "search" with {"query": "Rome"}
      And the LM answers {"total": 5, "parts": ["two", "three"]}
      When it is called with {"question": "How many?"}
      Then the prediction has {"total": 5, "parts": ["two", "three"]}, each of its type

  Rule: submit is reserved: a user tool or field with a reserved name is refused at construction

    @TRN-012 @practice
    Scenario: A user's tool named submit is refused
      Given a transcript ReAct over "question -> answer"
      And the tools:
        | name   | description          | parameters                    |
        | submit | Hands in the report. | {"query": {"type": "string"}} |
      When it is constructed
      Then it was refused with an error that names "submit"

    @TRN-012 @practice
    Scenario: An output named like the history of a prediction is refused
      Given a transcript ReAct over "question -> answer, history" with the tool "search"
      When it is constructed
      Then it was refused with an error that names "history"

    @TRN-012 @practice
    Scenario: An input named like the history of a call is refused
      Given a transcript ReAct over "question, history -> answer" with the tool "search"
      When it is constructed
      Then it was refused with an error that names "history"
