@transcript
Feature: The history is the state of a run
  A run is recorded as the real turns of a conversation. The final answer is one of them, so that a later turn has
  something to refer to; a trajectory is only derived from it.

  Rule: History is the canonical state: real turns, not flattened keys

    @TRN-001 @must
    Scenario Outline: The LM reads the run as request, tool calls and observations, in the dialect of the adapter
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tools "search" and "weather"
      And the LM calls "search" with {"query": "the oldest bridge"}
      And the LM calls "weather" with {"city": "Avignon"}
      And the LM submits {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then every request shows the user's request, the tool calls and the observations so far, each as a message by its role

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |
        | native  |

    @TRN-001 @must @since-3
    Scenario Outline: The LM reads an observation that is next to nothing as it is
      Given a transcript ReAct over "question, hint: list[str] | None -> answer" with the tools "search" and "weather"
      And the tool "search" returns <value>
      And the LM calls "search" with {"query": "the oldest bridge"}
      And the LM submits {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?", "hint": null}
      Then every request shows the user's request, the tool calls and the observations so far, each as a message by its role

      Examples:
        | value |
        | 0     |
        | false |

    @TRN-001 @must
    Scenario: Neither a request nor the history holds the numbered keys of a flattened trajectory
      Given a transcript ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "the oldest bridge"}
      And the LM calls "search" with {"query": "the newest bridge"}
      And the LM submits {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then no request and no history holds the numbered keys of a flattened trajectory

    @TRN-001 @must
    Scenario: The history holds every turn of the run
      Given a transcript ReAct over "question -> answer" with the tools "search" and "weather"
      And the LM calls "search" with {"query": "the oldest bridge"}
      And the LM calls "weather" with {"city": "Avignon"}
      And the LM submits {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then its history holds the request, the tool calls, the observations and the answer, in order

    @TRN-001 @must
    Scenario: An asynchronous call gives the same turns
      Given a transcript ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "the oldest bridge"}
      And the LM submits {"answer": "a stone one"}
      When it is called asynchronously with {"question": "Which bridge is dry?"}
      Then every request shows the user's request, the tool calls and the observations so far, each as a message by its role
      And its history holds the request, the tool calls, the observations and the answer, in order

  Rule: The final assistant answer is materialised in the history

    @TRN-004 @must
    Scenario: The history of a run that submitted ends with the answer
      Given a transcript ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "the oldest bridge"}
      And the LM submits {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then its history holds the answer

    @TRN-004 @must
    Scenario Outline: The next turn shows the answer as an assistant message
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tool "search"
      And the LM submits {"answer": "a stone one"}
      And the LM submits {"answer": "in the south"}
      When it is called with {"question": "Which bridge is dry?"}
      And it is called with {"question": "Where is it?"} and the history of the first call
      Then an assistant message of the follow-up's first request holds every output of the prior answer

      Examples:
        | dialect |
        | chat    |
        | native  |

    @TRN-004 @must
    Scenario: The next turn shows the answer where the same question is asked again
      Given a transcript ReAct over "question -> answer" with the tool "search"
      And the LM submits {"answer": "a stone one"}
      And the LM submits {"answer": "the wooden one"}
      When it is called with {"question": "Which bridge is dry?"}
      And it is called with {"question": "Which bridge is dry?"} and the history of the first call
      Then an assistant message of the follow-up's first request holds every output of the prior answer
      And the prediction has {"answer": "the wooden one"}

  Rule: The trajectory is available as a derived compatibility output

    @TRN-007 @may
    Scenario: The trajectory of a run is derived from its turns
      Given a transcript ReAct over "question -> answer" with the tools "search" and "weather"
      And the LM calls "search" with {"query": "the oldest bridge"}
      And the LM calls "weather" with {"city": "Avignon"}
      And the LM submits {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then the trajectory holds tool name, args and observation of every step, in order
      And the trajectory holds nothing that did not happen

    @TRN-007 @may
    Scenario: The trajectory of a follow-up turn is that of its own run
      Given a transcript ReAct over "question -> answer" with the tools "search" and "weather"
      And the LM calls "search" with {"query": "the oldest bridge"}
      And the LM submits {"answer": "a stone one"}
      And the LM calls "weather" with {"city": "Avignon"}
      And the LM submits {"answer": "it is"}
      When it is called with {"question": "Which bridge is old?"}
      And it is called with {"question": "Is it dry?"} and the history of the first call
      Then the trajectory holds tool name, args and observation of every step, in order
      And the trajectory holds nothing that did not happen

    @TRN-007 @may @since-2
    Scenario: The trajectory holds the steps that a summary stands for
      Given a transcript ReAct over "question -> answer" with the tool "weather"
      And the LM calls "weather" with {"city": "Lisbon"}
      And the LM calls "weather" with {"city": "Paris"}
      And the prompt of the next step does not fit the context window
      And the LM submits {"answer": "fifty degrees F"}
      And the LM summarises "Lisbon is windy"
      When it is called with {"question": "How warm is it?"}
      Then the trajectory holds tool name, args and observation of every step, in order

  Rule: A follow-up turn has the prior request, tool call, observation and answer in its history

    @TRN-008 @must
    Scenario Outline: The second call shows the request, calls, observations and answer of the first
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tools "weather" and "search"
      And the LM calls "weather" with {"city": "Paris"}
      And the LM submits {"answer": "fifty degrees F"}
      And the LM submits {"answer": "ten degrees C"}
      When it is called with {"question": "How warm is it in Paris?"}
      And it is called with {"question": "Convert that number."} and the history of the first call
      Then the first request of the follow-up shows the prior request, tool calls, observations and answer, in order

      Examples:
        | dialect |
        | chat    |
        | json    |
        | native  |

    @TRN-008 @must @since-2
    Scenario Outline: The second call shows an observation of the first that is next to nothing
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tool "weather"
      And the tool "weather" returns <value>
      And the LM calls "weather" with {"city": "Paris"}
      And the LM submits {"answer": "it is freezing"}
      And the LM submits {"answer": "it is"}
      When it is called with {"question": "How warm is it in Paris?"}
      And it is called with {"question": "Is that cold?"} and the history of the first call
      Then the first request of the follow-up shows the prior request, tool calls, observations and answer, in order

      Examples:
        | dialect | value |
        | chat    | 0     |
        | native  | false |
        | native  | []    |

    @TRN-008 @must
    Scenario: The third call shows the turns of both calls before it
      Given a transcript ReAct over "question -> answer" with the tool "weather"
      And the LM calls "weather" with {"city": "Paris"}
      And the LM submits {"answer": "fifty degrees F"}
      And the LM submits {"answer": "ten degrees C"}
      And the LM submits {"answer": "it is cold"}
      When it is called with {"question": "How warm is it in Paris?"}
      And it is called with {"question": "Convert that number."} and the history of the first call
      And it is called with {"question": "Is that cold?"} and the history of the second call
      Then the first request of the follow-up shows the turns of all calls before it, in order

    @TRN-008 @must
    Scenario: A call without a history begins a new conversation
      Given a transcript ReAct over "question -> answer" with the tool "weather"
      And the LM calls "weather" with {"city": "Paris"}
      And the LM submits {"answer": "fifty degrees F"}
      And the LM submits {"answer": "what number?"}
      When it is called with {"question": "How warm is it in Paris?"}
      And it is called with {"question": "Convert that number."}
      Then the last call's first request shows nothing of the first call

  Rule: Every request of a follow-up, resumed or not, and the history that it returns have what came before

    @TRN-017 @must
    Scenario Outline: Every request of a follow-up shows the turn before it
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tools "weather" and "search"
      And the LM calls "weather" with {"city": "Paris"}
      And the LM submits {"answer": "fifty degrees F"}
      And the LM calls "search" with {"query": "degrees"}
      And the LM calls "search" with {"query": "Celsius"}
      And the LM submits {"answer": "ten degrees C"}
      When it is called with {"question": "How warm is it in Paris?"}
      And it is called with {"question": "Convert that number."} and the history of the first call
      Then every request of the follow-up shows the prior request, tool calls, observations and answer, in order

      Examples:
        | dialect |
        | chat    |
        | native  |

    @TRN-017 @must
    Scenario: The requests of a follow-up show the turn before it when it was resumed
      Given a transcript ReAct over "question -> answer" with the tools "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "weather" with {"city": "Paris"}
      And the LM submits {"answer": "fifty degrees F"}
      And the LM calls "translate" with {"text": "fifty degrees"}
      And the LM submits {"answer": "cinquante degrés"}
      When it is called with {"question": "How warm is it in Paris?"}
      And it is called with {"question": "And in French?"} and the history of the first call
      And it is resumed with "yes"
      Then every request of the follow-up shows the prior request, tool calls, observations and answer, in order

    @TRN-017 @must
    Scenario: The history of a follow-up holds the turns of both calls
      Given a transcript ReAct over "question -> answer" with the tools "weather" and "search"
      And the LM calls "weather" with {"city": "Paris"}
      And the LM submits {"answer": "fifty degrees F"}
      And the LM calls "search" with {"query": "degrees"}
      And the LM submits {"answer": "ten degrees C"}
      When it is called with {"question": "How warm is it in Paris?"}
      And it is called with {"question": "Convert that number."} and the history of the first call
      Then its history holds the requests, the tool calls, the observations and the answers of all calls, in order

    @TRN-017 @must
    Scenario: The history of a follow-up that was resumed holds the turns of both calls
      Given a transcript ReAct over "question -> answer" with the tools "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "weather" with {"city": "Paris"}
      And the LM submits {"answer": "fifty degrees F"}
      And the LM calls "translate" with {"text": "fifty degrees"}
      And the LM submits {"answer": "cinquante degrés"}
      When it is called with {"question": "How warm is it in Paris?"}
      And it is called with {"question": "And in French?"} and the history of the first call
      And it is resumed with "yes"
      Then its history holds the requests, the tool calls, the observations and the answers of all calls, in order

    @TRN-017 @must
    Scenario: The history of a follow-up holds a call that the turn before had made, too
      Given a transcript ReAct over "question -> answer" with the tool "weather"
      And the LM calls "weather" with {"city": "Paris"}
      And the LM submits {"answer": "fifty degrees F"}
      And the LM calls "weather" with {"city": "Paris"}
      And the LM submits {"answer": "fifty-two degrees F"}
      When it is called with {"question": "How warm is it in Paris?"}
      And it is called with {"question": "And now?"} and the history of the first call
      Then these tools ran, each call once:
        | tool    | args              |
        | weather | {"city": "Paris"} |
        | weather | {"city": "Paris"} |
      And its history holds the requests, the tool calls, the observations and the answers of all calls, in order

    @TRN-017 @must
    Scenario: The history of a follow-up holds the call that ran where a person edited it
      Given a transcript ReAct over "question -> answer" with the tools "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "weather" with {"city": "Paris"}
      And the LM submits {"answer": "fifty degrees F"}
      And the LM calls "translate" with {"text": "fifty degrees"}
      And the LM submits {"answer": "cinquante degrés"}
      When it is called with {"question": "How warm is it in Paris?"}
      And it is called with {"question": "And in French?"} and the history of the first call
      And it is resumed with the response {"edit": {"args": {"text": "ten degrees"}}}
      Then its history holds the requests, the tool calls, the observations and the answers of all calls, in order

    @TRN-017 @must
    Scenario: The requests of a follow-up show the summary of a turn that was summarised
      Given a transcript ReAct over "question -> answer" with the tool "weather"
      And the LM calls "weather" with {"city": "Lisbon"}
      And the LM calls "weather" with {"city": "Paris"}
      And the prompt of the next step does not fit the context window
      And the LM submits {"answer": "fifty degrees F"}
      And the LM calls "weather" with {"city": "Rome"}
      And the LM submits {"answer": "ten degrees C"}
      And the LM summarises "Lisbon is windy"
      When it is called with {"question": "How warm is it?"}
      And it is called with {"question": "Convert that number."} and the history of the first call
      Then every request of the follow-up shows the summary "Lisbon is windy"

  Rule: The history round-trips through JSON, and a run continues from it as if it had never been serialised

    @TRN-010 @should
    Scenario Outline: A run continues from JSON as from the object
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tools "weather" and "search"
      And the LM calls "weather" with {"city": "Paris"}
      And the LM submits {"answer": "fifty degrees F"}
      And the LM calls "search" with {"query": "degrees"}
      And the LM submits {"answer": "ten degrees C"}
      When it is called with {"question": "How warm is it in Paris?"}
      And it is called with {"question": "Convert that number."} and the history of the first call
      And another one is called with {"question": "How warm is it in Paris?"}
      And it is called with {"question": "Convert that number."} and that history as JSON
      Then both follow-up calls made the same requests and had the same outcome

      Examples:
        | dialect |
        | chat    |
        | native  |

    @TRN-010 @should
    Scenario: Values that are not text come back from JSON as they were
      Given a transcript ReAct over "question -> total: int, parts: list[int]" with the tool "add"
      And the tool "add" returns {"sum": 5, "exact": true, "rest": null}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM submits {"total": 5, "parts": [2, 3]}
      And the LM submits {"total": 10, "parts": [5, 5]}
      When it is called with {"question": "2+3"}
      And it is called with {"question": "Twice that."} and the history of the first call
      And another one is called with {"question": "2+3"}
      And it is called with {"question": "Twice that."} and that history as JSON
      Then both follow-up calls made the same requests and had the same outcome

    @TRN-010 @should @since-3
    Scenario: A run continues from JSON in which a turn calls one tool twice
      Given a transcript ReAct over "question -> answer" with the tool "search"
      And the LM makes these calls in one turn:
        | tool   | args                 |
        | search | {"query": "bridges"} |
        | search | {"query": "rivers"}  |
      And the LM submits {"answer": "a stone one"}
      And the LM submits {"answer": "older than the town"}
      When it is called with {"question": "Which bridge is dry?"}
      And it is called with {"question": "How old is it?"} and the history of the first call
      And another one is called with {"question": "Which bridge is dry?"}
      And it is called with {"question": "How old is it?"} and that history as JSON
      Then both follow-up calls made the same requests and had the same outcome

    @TRN-010 @should @since-3
    Scenario: A run continues natively from JSON in which a turn calls one tool twice
      Given the global adapter is "native"
      And a transcript ReAct over "question -> answer" with the tool "search"
      And the LM makes these calls in one turn:
        | tool   | args                 |
        | search | {"query": "bridges"} |
        | search | {"query": "rivers"}  |
      And the LM submits {"answer": "a stone one"}
      And the LM submits {"answer": "older than the town"}
      When it is called with {"question": "Which bridge is dry?"}
      And it is called with {"question": "How old is it?"} and the history of the first call
      And another one is called with {"question": "Which bridge is dry?"}
      And it is called with {"question": "How old is it?"} and that history as JSON
      Then both follow-up calls made the same requests and had the same outcome

    @TRN-010 @should
    Scenario Outline: A new instance continues from the JSON
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tool "weather"
      And the LM calls "weather" with {"city": "Paris"}
      And the LM submits {"answer": "fifty degrees F"}
      And the LM submits {"answer": "ten degrees C"}
      When it is called with {"question": "How warm is it in Paris?"}
      And a new one is called with {"question": "Convert that number."} and that history as JSON
      Then the first request of the new one shows the prior request, tool calls, observations and answer, in order

      Examples:
        | dialect |
        | chat    |
        | native  |

  Rule: An input that is no text reaches the LM as that part, not as text about it

    @TRN-016 @practice
    Scenario Outline: An image among the inputs reaches the LM as an image, in every request of the run
      Given the global adapter is "<dialect>"
      And a transcript ReAct over the signature class with these fields:
        | field    | kind   | schema                                               | description |
        | picture  | input  | {"type": "string", "contentMediaType": "image/png"}  |             |
        | question | input  | {"type": "string"}                                   |             |
        | answer   | output | {"type": "string"}                                   |             |
      And the tool "search"
      And the LM calls "search" with {"query": "red dots"}
      And the LM submits {"answer": "a red dot"}
      When it is called with {"picture": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "question": "What is it?"}
      Then every request shows the image "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==" as an image
      And the prediction has {"answer": "a red dot"}

      Examples:
        | dialect |
        | chat    |
        | json    |
        | native  |
