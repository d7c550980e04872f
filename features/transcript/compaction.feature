@transcript
Feature: Compaction
  A history that doesn't fit any more is summarised. What was left out is said where it was, and what the next turn may
  refer to stays.

  Rule: The summary is a visible history entry, and the antecedents of the turn remain

    @TRN-014 @must
    Scenario: The agent summarises older turns when a turn doesn't fit
      Given a transcript ReAct over "question -> answer" with the tool "weather"
      And the LM calls "weather" with {"city": "Lisbon"}
      And the LM submits {"answer": "it is windy"}
      And the LM calls "weather" with {"city": "Paris"}
      And the LM submits {"answer": "fifty degrees F"}
      And the prompt of the next step does not fit the context window
      And the LM submits {"answer": "ten degrees C"}
      And the LM summarises "they spoke of Lisbon"
      When it is called with {"question": "How is Lisbon?"}
      And it is called with {"question": "How warm is it in Paris?"} and the history of the first call
      And it is called with {"question": "Convert that number."} and the history of the second call
      Then the request made to fit shows the summary "they spoke of Lisbon"
      And the request made to fit is shorter than the one that did not fit

    @TRN-014 @must
    Scenario: The prior turn stays whole when the agent summarises older ones
      Given a transcript ReAct over "question -> answer" with the tool "weather"
      And the LM calls "weather" with {"city": "Lisbon"}
      And the LM submits {"answer": "it is windy"}
      And the LM calls "weather" with {"city": "Paris"}
      And the LM submits {"answer": "fifty degrees F"}
      And the prompt of the next step does not fit the context window
      And the LM submits {"answer": "ten degrees C"}
      And the LM summarises "they spoke of Lisbon"
      When it is called with {"question": "How is Lisbon?"}
      And it is called with {"question": "How warm is it in Paris?"} and the history of the first call
      And it is called with {"question": "Convert that number."} and the history of the second call
      Then the request made to fit shows the prior request, tool calls, observations and answer, in order

    @TRN-014 @must
    Scenario: The history holds the summary as an entry
      Given a transcript ReAct over "question -> answer" with the tool "weather"
      And the LM calls "weather" with {"city": "Lisbon"}
      And the LM calls "weather" with {"city": "Paris"}
      And the prompt of the next step does not fit the context window
      And the LM submits {"answer": "fifty degrees F"}
      And the LM summarises "Lisbon is windy"
      When it is called with {"question": "How warm is it?"}
      Then its history holds the summary "Lisbon is windy"

    @TRN-014 @must
    Scenario: A run that grows too long keeps its request and its last step
      Given a transcript ReAct over "question -> answer" with the tool "weather"
      And the LM calls "weather" with {"city": "Lisbon"}
      And the LM calls "weather" with {"city": "Paris"}
      And the prompt of the next step does not fit the context window
      And the LM submits {"answer": "fifty degrees F"}
      And the LM summarises "Lisbon is windy"
      When it is called with {"question": "How warm is it?"}
      Then the request made to fit shows the summary "Lisbon is windy"
      And the request made to fit shows the input {"question": "How warm is it?"}
      And the request made to fit shows the result of the step before it

    @TRN-014 @must @since-3
    Scenario Outline: A run that grows too long keeps all calls of its last step
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tools "weather" and "search"
      And the LM calls "weather" with {"city": "Lisbon"}
      And the LM makes these calls in one turn:
        | tool    | args                   |
        | weather | {"city": "Paris"}      |
        | search  | {"query": "degrees F"} |
      And the prompt of the next step does not fit the context window
      And the LM submits {"answer": "fifty degrees"}
      And the LM summarises "Lisbon is windy"
      When it is called with {"question": "How warm is it?"}
      Then the request made to fit shows "Paris"
      And the request made to fit shows "degrees F"

      Examples:
        | dialect |
        | chat    |
        | native  |

    @TRN-014 @must @since-2
    Scenario Outline: The prior turn keeps all its calls and results when the agent summarises older ones
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tools "weather" and "search"
      And the LM calls "weather" with {"city": "Lisbon"}
      And the LM submits {"answer": "it is windy"}
      And the LM makes these calls in one turn:
        | tool    | args                   |
        | weather | {"city": "Paris"}      |
        | search  | {"query": "degrees F"} |
      And the LM submits {"answer": "fifty degrees F"}
      And the prompt of the next step does not fit the context window
      And the LM submits {"answer": "ten degrees C"}
      And the LM summarises "they spoke of Lisbon"
      When it is called with {"question": "How is Lisbon?"}
      And it is called with {"question": "How warm is it in Paris?"} and the history of the first call
      And it is called with {"question": "Convert that number."} and the history of the second call
      Then the request made to fit shows the prior request, tool calls, observations and answer, in order

      Examples:
        | dialect |
        | chat    |
        | native  |
