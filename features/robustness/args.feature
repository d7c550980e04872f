@robustness
Feature: Args
  `next_tool_args` may be no JSON, no object, or an object that doesn't fit the tool. What becomes of it are the choices
  `malformed-args`, `args-notation`, `empty-args` and `schema-mismatch`; that no tool runs on a guess is no choice.

  Background:
    Given a ReAct over "question -> answer" with the tools "add", "translate" and "ping"

  Rule: Args of which no JSON value can be read with certainty never run a tool

    @ERR-002 @practice
    Scenario Outline: The agent runs no tool on args that can't be read with certainty
      Given the LM calls "add" with the args text "<text>"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no tool ran

      Examples:
        | text                         |
        | {"a": 2 "b": 3}              |
        | {"a": 2, "b": 3              |
        | "a": 2, "b": 3               |
        | {"a": 2, "b": 3}}            |
        | {'a': 2, 'b': 3              |
        | {"a": 2, "b": NaN}           |
        | a=2, b=3                     |
        | add(2, 3)                    |
        | two and three                |
        |                              |

    @ERR-002 @practice @since-2
    Scenario Outline: The agent runs a tool with the value that args in another notation have, or not at all
      Given the LM calls "<tool>" with the args text "<text>"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "<tool>" ran with <args>, or not at all

      Examples:
        | tool      | text                         | args                  |
        | add       | {'a': 2, 'b': 3}             | {"a": 2, "b": 3}      |
        | add       | {"a": 2, "b": 3,}            | {"a": 2, "b": 3}      |
        | add       | {a: 2, b: 3}                 | {"a": 2, "b": 3}      |
        | add       | {"a": 2, "b": 3} // the sum  | {"a": 2, "b": 3}      |
        | add       | ```json {"a": 2, "b": 3} ``` | {"a": 2, "b": 3}      |
        | add       | {"a": 2, "b": 0x3}           | {"a": 2, "b": 3}      |
        | translate | {'text': "it's late"}        | {"text": "it's late"} |
        | translate | {'text': 'None, or {,}'}     | {"text": "None, or {,}"} |
        | add       | {a: 2, 'a': 4, "b": 3}       | one of [{"a": 2, "b": 3}, {"a": 4, "b": 3}] |

    @ERR-002 @practice
    Scenario Outline: The agent doesn't run a tool without parameters on args that aren't JSON
      Given the LM calls "ping" with the args text "<text>"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no tool ran

      Examples:
        | text    |
        | nothing |
        | {       |
        | {'a'}   |

    @ERR-002 @practice
    Scenario Outline: The agent runs no tool on args that can't be read with certainty in any dialect
      Given the global adapter is "<adapter>"
      And the LM calls "add" with the args text "{"a": 2, "b": 3}}"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no tool ran

      Examples:
        | adapter |
        | chat    |
        | json    |
        | xml     |

    @ERR-002 @practice
    Scenario: The agent doesn't replace args that aren't JSON by those of another step
      Given the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "add" with the args text "the same again"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}

    @ERR-002 @practice @since-3
    Scenario Outline: The agent runs no tool that takes args of any name on args that can't be read
      Given a transcript ReAct over "question -> answer"
      And replies are asked for in "<dialect>"
      And the tools:
        | name  | description              | parameters                    |
        | store | Stores what it is given. | {"label": {"default": "none"}} |
      And the tool "store" takes args of any other name too
      And the LM calls "store" with the args text "{"label": "tower", "floors": "
      And the LM submits {"answer": "done"}
      And the LM answers {"answer": "done"}
      When it is called with {"question": "2+3"}, unless it refused to be constructed
      Then no tool ran

      Examples:
        | dialect |
        | native  |

    @ERR-002 @practice @since-3
    Scenario: The agent runs no tool that takes args of any name on a native call's args that can't be read
      Given a udspy ReAct over "question -> answer"
      And replies are asked for in "native"
      And the tools:
        | name  | description              | parameters                    |
        | store | Stores what it is given. | {"label": {"default": "none"}} |
      And the tool "store" takes args of any other name too
      And the LM calls "store" with the args text "{"label": "tower", "floors": "
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "2+3"}, unless it refused to be constructed
      Then no tool ran

  Rule: Args that aren't JSON, unless they are read, have a declared outcome

    @ERR-021 @practice @since-3
    Scenario Outline: The agent asks the LM again after args that aren't JSON, or ends with a typed error
      Given the LM calls "<tool>" with the args text "<text>"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the agent either observes it, goes to the extraction, or ends with a typed error

      Examples:
        | tool | text               |
        | add  | {"a": 2 "b": 3}    |
        | add  | {"a": 2, "b": 3    |
        | add  | {"a": 2, "b": NaN} |
        | add  | {"a": 2, "b": 0x3} |
        | add  | {'a': 2, 'b': 3    |
        | add  | add(2, 3)          |
        | add  | two and three      |
        | add  |                    |
        | ping | nothing            |
        | ping | {                  |

    @ERR-021 @practice @since-3
    Scenario Outline: The agent asks the LM again after args that aren't JSON, whatever the dialect
      Given the global adapter is "<adapter>"
      And the LM calls "add" with the args text "{"a": 2, "b": 3}}"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the agent either observes it, goes to the extraction, or ends with a typed error

      Examples:
        | adapter |
        | chat    |
        | json    |
        | xml     |

  Rule: JSON args that aren't an object never reach a tool as such

    @ERR-003 @practice
    Scenario Outline: The agent runs no tool on JSON args that are no object
      Given the LM calls "<tool>" with the args text "<text>"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no tool ran
      And the agent either observes it, goes to the extraction, or ends with a typed error

      Examples:
        | tool      | text                 |
        | add       | [2, 3]               |
        | add       | [["a", 2], ["b", 3]] |
        | add       | [{"a": 2, "b": 3}]   |
        | add       | 5                    |
        | translate | "good morning"       |
        | translate | ["good morning"]     |
        | add       | null                 |
        | ping      | true                 |

    @ERR-003 @practice @since-2
    Scenario Outline: The agent takes empty args for an empty object, or runs no tool
      Given the tools:
        | name     | description          | parameters                                  |
        | forecast | Looks at the clouds. | {"days": {"type": "integer", "default": 3}} |
      And the LM calls "forecast" with {"days": 7}
      And the LM calls "forecast" with the args text "<text>"
      And the LM finishes
      And the LM answers {"answer": "rain"}
      When it is called with {"question": "How will the weather be?"}
      Then no tool call was guessed
      And the agent either observes it, goes to the extraction, or ends with a typed error

      Examples:
        | text |
        |      |
        | null |
        | ""   |

    @ERR-003 @practice
    Scenario: The agent takes an object written as a JSON string for that object, or runs no tool
      Given the LM calls "translate" with the args text ""{\"text\": \"good morning\"}""
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "translate" ran with {"text": "good morning"}, or not at all
      And the agent either observes it, goes to the extraction, or ends with a typed error

    @ERR-003 @practice
    Scenario Outline: The agent runs no tool on a list of args in any dialect
      Given the global adapter is "<adapter>"
      And the LM calls "add" with the args text "[2, 3]"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no tool ran
      And the agent either observes it, goes to the extraction, or ends with a typed error

      Examples:
        | adapter |
        | chat    |
        | json    |
        | xml     |

    @ERR-003 @practice @since-3
    Scenario Outline: The agent runs no tool without parameters on args that are no object in any dialect
      Given the global adapter is "<adapter>"
      And the LM calls "ping" with the args text "[5]"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no tool ran
      And the agent either observes it, goes to the extraction, or ends with a typed error

      Examples:
        | adapter |
        | json    |
        | xml     |

  Rule: No tool runs with a value that neither the LM gave nor the tool declares, and none loses one

    @ERR-004 @practice
    Scenario Outline: The tool gets args that can't be made to fit as they are, or doesn't run
      Given the LM calls "add" with <args>
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran with <args>, or not at all
      And the call ends in order, or with a typed error

      Examples:
        | args                          |
        | {}                            |
        | {"a": 2}                      |
        | {"a": 2, "b": 3, "c": 4}      |
        | {"A": 2, "B": 3}              |
        | {"a": 2, "c": 3}              |
        | {"a": "two", "b": 3}          |
        | {"a": "2 apples", "b": 3}     |
        | {"a": "", "b": 3}             |
        | {"a": true, "b": 3}           |
        | {"a": null, "b": 3}           |
        | {"a": 2.5, "b": 3}            |
        | {"a": [2], "b": 3}            |
        | {"a": {"value": 2}, "b": 3}   |

    @ERR-004 @practice
    Scenario Outline: The agent converts args that fit without loss, hands them on as they are, or runs no tool
      Given the LM calls "add" with <args>
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran with one of [{"a": 2, "b": 3}, <args>], or not at all
      And the call ends in order, or with a typed error

      Examples:
        | args                 |
        | {"a": "2", "b": 3}   |
        | {"a": "2", "b": "3"} |
        | {"a": 2.0, "b": 3}   |

    @ERR-004 @practice
    Scenario: The tool gets one of the two values of a repeated key, or doesn't run
      Given the LM calls "add" with the args text "{"a": 1, "a": 2, "b": 3}"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran with one of [{"a": 1, "b": 3}, {"a": 2, "b": 3}], or not at all
      And the call ends in order, or with a typed error

    @ERR-004 @practice
    Scenario: The tool gets a whole number of any size as it is, or doesn't run
      Given the LM calls "add" with {"a": 1234567890123456789012345678901, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran with {"a": 1234567890123456789012345678901, "b": 3}, or not at all
      And the call ends in order, or with a typed error

    @ERR-004 @practice
    Scenario Outline: The agent goes on, or ends with a typed error, on args that don't fit
      Given the LM calls "add" with <args>
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the call ends in order, or with a typed error

      Examples:
        | args                     |
        | {"a": 2}                 |
        | {"a": 2, "b": 3, "c": 4} |
        | {"a": "two", "b": 3}     |
