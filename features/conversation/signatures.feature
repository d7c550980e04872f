@conversation
Feature: Signatures and predictors of a conversation

  Rule: The machine works with Predict and with ChainOfThought

    @CNV-008 @must
    Scenario: The machine asks for no reasoning with Predict
      Given a conversation over "question -> answer" with the tool "search"
      And its predictor is "predict"
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers {"answer": "seven"}
      When it is called with {"question": "How many hills?"}
      Then no request asks for reasoning
      And the LM was asked in the states "user_query", "tool_result" and "finish"
      And the prediction has {"answer": "seven"}

    @CNV-008 @must
    Scenario: Every state asks for reasoning first with ChainOfThought
      Given a conversation over "question -> answer" with the tool "search"
      And its predictor is "chain-of-thought"
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers {"answer": "seven"}
      When it is called with {"question": "How many hills?"}
      Then every request asks for reasoning
      And what the LM said before stands in assistant messages, and in no user message
      And the prediction has {"answer": "seven"}

    @CNV-008 @must
    Scenario Outline: The machine is interrupted with "<predictor>" as well
      Given a conversation over "question -> answer" with the tool "search"
      And its predictor is "<predictor>"
      And max_steps is 2
      And the LM keeps calling "search" with {"query": "hills"}
      And the LM answers {"answer": "seven so far"}
      When it is called with {"question": "How many hills?"}
      Then the LM was asked in the states "user_query", "tool_result" and "interrupted"
      And every request extends the one before it, unchanged
      And the prediction has {"answer": "seven so far"}

      Examples:
        | predictor        |
        | predict          |
        | chain-of-thought |

    @CNV-008 @must
    Scenario: The machine recovers from a malformed reply without reasoning with Predict
      Given a conversation over "question -> answer" with the tool "search"
      And its predictor is "predict"
      And the LM calls "search" with {"query": "hills"}
      And the LM replies with broken markers
      And the LM finishes
      And the LM answers {"answer": "seven"}
      When it is called with {"question": "How many hills?"}
      Then no request asks for reasoning
      And the prediction has {"answer": "seven"}

  Rule: The machine is generic over signatures

    @CNV-011 @must
    Scenario: The conversation shows and keeps several inputs
      Given a conversation over "context, question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers {"answer": "seven"}
      When it is called with {"context": "a walk", "question": "How many hills?"}
      Then every message in the state "user_query" shows exactly "machine_state", "context" and "question"
      And every input and every tool result stands in one user message of its own
      And every request extends the one before it, unchanged

    @CNV-011 @must
    Scenario: The machine asks for and gives several outputs
      Given a conversation over "question -> answer, source, score: int" with the tool "search"
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers {"answer": "seven", "source": "an almanac", "score": 9}
      When it is called with {"question": "How many hills?"}
      Then every request asks for exactly the fields of its state, in order, and then for the completed marker
      And the prediction has {"answer": "seven", "source": "an almanac", "score": 9}

    @CNV-011 @must
    Scenario: Inputs and outputs may have any name
      Given a conversation over "city -> report" with the tool "weather"
      And the LM calls "weather" with {"city": "Oslo"}
      And the LM finishes
      And the LM answers {"report": "snow"}
      When it is called with {"city": "Oslo"}
      Then every message in the state "user_query" shows exactly "machine_state" and "city"
      And the prediction has {"report": "snow"}

    @CNV-011 @must
    Scenario: Typed outputs keep their type, in the prediction and in the next turn
      Given a conversation over "question -> cities: list[str], count: int" with the tool "search"
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers {"cities": ["Rome", "Lisbon"], "count": 2}
      And the LM keeps finishing
      And the LM answers {"cities": [], "count": 0}
      When it is called with {"question": "Which cities have seven hills?"}
      And it is called with {"question": "And which have none?"} and the history so far
      Then each call begins with the whole conversation of the call before it, its answer included
      And the prediction has {"cities": [], "count": 0}

    @CNV-011 @must
    Scenario Outline: The signature may be a <form>
      Given a conversation over the <form> "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "hills"}
      And the LM finishes
      And the LM answers {"answer": "seven"}
      When it is called with {"question": "How many hills?"}
      Then every request asks for exactly the fields of its state, in order, and then for the completed marker
      And the prediction has {"answer": "seven"}

      Examples:
        | form            |
        | arrow string    |
        | signature class |
        | signature value |
