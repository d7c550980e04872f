@transcript
Feature: Several tool calls in one turn
  The assistant may call several tools at once. Each call runs once, and each result belongs to its call.

  Rule: Each call of a turn runs once, and results are paired by call id

    @TRN-013 @must
    Scenario Outline: The agent runs all the calls of one turn, each once
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tools "search" and "weather"
      And the LM makes these calls in one turn:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |
        | search  | {"query": "rivers"}  |
      And the LM submits {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then these tools ran, each call once:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |
        | search  | {"query": "rivers"}  |
      And the LM was asked for 2 steps

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |
        | native  |

    @TRN-013 @must @since-2
    Scenario: The agent runs equal calls of one turn, each once
      Given a transcript ReAct over "question -> answer" with the tool "search"
      And the LM makes these calls in one turn:
        | tool   | args                 |
        | search | {"query": "bridges"} |
        | search | {"query": "bridges"} |
      And the LM submits {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then these tools ran, each call once:
        | tool   | args                 |
        | search | {"query": "bridges"} |
        | search | {"query": "bridges"} |

    @TRN-013 @must @since-2
    Scenario Outline: The agent runs the calls behind <what> in one turn
      Given a transcript ReAct over "question -> answer" with the tool "search"
      And the agent goes on after <what>
      And the LM makes these calls in one turn:
        | tool   | args                 |
        | <tool> | {"reply": "a"}       |
        | search | {"query": "bridges"} |
      And the LM submits {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then the tool "search" ran once with {"query": "bridges"}

      Examples:
        | what              | tool     |
        | a refused submit  | submit   |
        | an unknown tool   | multiply |

    @TRN-013 @must @since-2
    Scenario: The calls of one turn are one step
      Given a transcript ReAct over "question -> answer" with the tool "search"
      And max_steps is 2
      And the LM makes these calls in one turn:
        | tool   | args                 |
        | search | {"query": "bridges"} |
        | search | {"query": "rivers"}  |
      And the LM submits {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then the LM was asked for 2 steps

    @TRN-013 @must
    Scenario: Each result has the id of its call
      Given the global adapter is "native"
      And a transcript ReAct over "question -> answer" with the tools "search" and "weather"
      And the LM makes these calls in one turn:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |
        | search  | {"query": "rivers"}  |
      And the LM submits {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then the next request shows the results by the ids of their calls

    @TRN-013 @must
    Scenario: Each result has the id of its call in text, or stands in its place
      Given the global adapter is "chat"
      And a transcript ReAct over "question -> answer" with the tools "search" and "weather"
      And the LM makes these calls in one turn:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |
        | search  | {"query": "rivers"}  |
      And the LM submits {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then the next request shows the results by the ids of their calls, or in the order of their calls

    @TRN-013 @must
    Scenario: Calls of different turns have different ids
      Given the global adapter is "native"
      And a transcript ReAct over "question -> answer" with the tools "search" and "weather"
      And the LM makes these calls in one turn:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |
      And the LM makes these calls in one turn:
        | tool    | args                |
        | search  | {"query": "rivers"} |
        | weather | {"city": "Paris"}   |
      And the LM submits {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then no two calls of the conversation have one id

    @TRN-013 @must
    Scenario Outline: A call that fails doesn't take away the results of the others
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tools "search" and "weather"
      And the agent goes on after a tool that fails
      And the tool "search" raises "no connection"
      And the LM makes these calls in one turn:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |
      And the LM submits {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then every request shows the user's request, the tool calls and the observations so far, each as a message by its role

      Examples:
        | dialect |
        | chat    |
        | native  |

    @TRN-013 @must @since-3
    Scenario: A call that fails doesn't keep the others from running
      Given a transcript ReAct over "question -> answer" with the tools "search" and "weather"
      And the agent goes on after a tool that fails
      And the tool "search" raises "no connection"
      And the LM makes these calls in one turn:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |
      And the LM submits {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then these tools ran, each call once:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |

    @TRN-013 @must
    Scenario Outline: A follow-up turn shows all the calls of a turn and their results
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tools "search" and "weather"
      And the LM makes these calls in one turn:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |
      And the LM submits {"answer": "a stone one"}
      And the LM submits {"answer": "in the south"}
      When it is called with {"question": "Which bridge is dry?"}
      And it is called with {"question": "Where is it?"} and the history of the first call
      Then the first request of the follow-up shows the prior request, tool calls, observations and answer, in order

      Examples:
        | dialect |
        | chat    |
        | native  |

  Rule: No tool call of a turn runs after that turn's successful submit

    @TRN-015 @practice
    Scenario Outline: The agent runs no call that stands behind a submit
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tools "search" and "weather"
      And the LM makes these calls in one turn:
        | tool    | args                      |
        | search  | {"query": "bridges"}      |
        | submit  | {"answer": "a stone one"} |
        | weather | {"city": "Avignon"}       |
      When it is called with {"question": "Which bridge is dry?"}
      Then the tool "weather" never ran
      And nothing was asked for after the submit

      Examples:
        | dialect |
        | chat    |
        | json    |
        | native  |

    @TRN-015 @practice
    Scenario: The agent runs no call behind a submit that follows other turns
      Given a transcript ReAct over "question -> answer" with the tools "search" and "weather"
      And the LM calls "weather" with {"city": "Paris"}
      And the LM makes these calls in one turn:
        | tool   | args                      |
        | submit | {"answer": "a stone one"} |
        | search | {"query": "rivers"}       |
      When it is called with {"question": "Which bridge is dry?"}
      Then the tool "search" never ran
      And the tool "weather" ran once with {"city": "Paris"}
