@core
Feature: Tools
  The user's tools are described to the LM by name, description and argument schema, run with the args the LM
  gives, and whatever they return is the LM's to read.

  Rule: Args arrive in the types that the tool declares: converted where lossless, or not at all

    @TOOL-001 @practice
    Scenario Outline: Args arrive in the types the tool declares
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description             | parameters          |
        | store | Stores what it is given. | {"value": <schema>} |
      And the LM calls "store" with {"value": <value>}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "store" ran once with {"value": <value>}
      And the args of "store" are of the types it declares

      Examples:
        | schema                                                           | value                |
        | {"type": "integer"}                                              | 42                   |
        | {"type": "number"}                                               | 2.5                  |
        | {"type": "boolean"}                                              | false                |
        | {"type": "string"}                                               | "42"                 |
        | {"type": "array", "items": {"type": "integer"}}                  | [1, 2, 3]            |
        | {"type": "array", "items": {"type": "string"}}                   | []                   |
        | {"type": "object", "additionalProperties": {"type": "integer"}}  | {"north": 1}         |
        | {"enum": ["red", "green"]}                                       | "green"              |
        | {"anyOf": [{"type": "integer"}, {"type": "null"}]}               | null                 |
        | {"anyOf": [{"type": "integer"}, {"type": "null"}]}               | 7                    |

    @TOOL-001 @practice @since-3
    Scenario: The tool gets a null that the LM gives in a native call
      Given the global adapter is "native"
      And a ReAct over "question -> answer"
      And the tools:
        | name  | description             | parameters                                                              |
        | store | Stores what it is given. | {"value": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": 7}} |
      And the LM calls "store" with {"value": null}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "store" ran once with {"value": null}

    @TOOL-001 @practice
    Scenario: The tool gets an optional arg that the LM gives
      Given a ReAct over "question -> answer"
      And the tools:
        | name | description      | parameters                                                                |
        | find | Finds documents. | {"query": {"type": "string"}, "limit": {"type": "integer", "default": 10}} |
      And the LM calls "find" with {"query": "heights", "limit": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "find" ran once with {"query": "heights", "limit": 3}

    @TOOL-001 @practice
    Scenario: The tool gets the declared default, or nothing, for an optional arg the LM leaves out
      Given a ReAct over "question -> answer"
      And the tools:
        | name | description      | parameters                                                                |
        | find | Finds documents. | {"query": {"type": "string"}, "limit": {"type": "integer", "default": 10}} |
      And the LM calls "find" with {"query": "heights"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "find" ran once with {"query": "heights"}, defaults apart

    @TOOL-001 @practice
    Scenario Outline: The agent converts or refuses a text that stands for the declared type
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description              | parameters                  |
        | store | Stores what it is given. | {"value": {"type": "<type>"}} |
      And the LM calls "store" with {"value": "<text>"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "store" ran with {"value": <value>}, or not at all

      Examples:
        | type    | text | value |
        | integer | 42   | 42    |
        | number  | 2.5  | 2.5   |
        | boolean | true | true  |

  Rule: What can't be converted without loss to what a tool declares is refused

    @TOOL-017 @practice
    Scenario Outline: An arg that can't be converted without loss is refused
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description              | parameters          |
        | store | Stores what it is given. | {"value": <schema>} |
      And the LM calls "store" with {"value": <value>}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no tool ran

      Examples:
        | schema                                          | value        |
        | {"type": "integer"}                             | "two"        |
        | {"type": "integer"}                             | 2.5          |
        | {"type": "integer"}                             | null         |
        | {"type": "boolean"}                             | "perhaps"    |
        | {"type": "array", "items": {"type": "integer"}} | [1, "two"]   |
        | {"type": "array", "items": {"type": "integer"}} | {"a": 1}     |
        | {"enum": ["red", "green"]}                      | "blue"       |

    @TOOL-017 @practice
    Scenario Outline: An arg that can't be converted is refused though the tool has a default for it
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description              | parameters                                             |
        | store | Stores what it is given. | {"place": {"type": "string"}, "value": <schema>}       |
      And the LM calls "store" with {"place": "the shelf", "value": <value>}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no tool ran

      Examples:
        | schema                                        | value  |
        | {"type": "integer", "default": 5}             | "two"  |
        | {"enum": ["red", "green"], "default": "red"}  | "blue" |

    @TOOL-017 @practice
    Scenario Outline: A nested object that doesn't fit is refused
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description         | parameters                                                                                                         |
        | visit | Goes to that place. | {"place": {"type": "object", "title": "Place", "properties": {"floor": {"type": "integer"}}, "required": ["floor"]}} |
      And the LM calls "visit" with {"place": <place>}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no tool ran

      Examples:
        | place               |
        | {}                  |
        | {"floor": "upmost"} |

  Rule: What a tool doesn't declare arrives as given

    @TOOL-008 @practice
    Scenario Outline: A tool without annotations gets its args as given
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description              | parameters    |
        | store | Stores what it is given. | {"value": {}} |
      And the LM calls "store" with {"value": <value>}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "store" ran once with {"value": <value>}

      Examples:
        | value                        |
        | "42"                         |
        | 42                           |
        | true                         |
        | [1, "two", {"three": null}]  |
        | [true, 1, false, 0]          |
        | {"a": {"b": [0.5]}}          |

    @TOOL-008 @practice @since-2
    Scenario Outline: A method or callable object without annotations gets its args as given
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description              | parameters    |
        | store | Stores what it is given. | {"value": {}} |
      And the tool "store" is <kind>
      And the LM calls "store" with {"value": <value>}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "store" ran once with {"value": <value>}

      Examples:
        | kind              | value         |
        | a method          | "42"          |
        | a method          | {"a": [null]} |
        | a callable object | "42"          |
        | a callable object | {"a": [null]} |

    @TOOL-008 @practice @since-2
    Scenario Outline: A parameter with a default and no annotation gets its arg as given
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description              | parameters                        |
        | store | Stores what it is given. | {"value": {"default": <default>}} |
      And the LM calls "store" with {"value": <value>}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "store" ran once with {"value": <value>}

      Examples:
        | default | value        |
        | "none"  | 42           |
        | 10      | "42"         |
        | 10      | [1, "two"]   |
        | null    | {"a": "two"} |
        | true    | 0            |

    @TOOL-008 @practice @since-2
    Scenario Outline: An open object gets every key the LM gives
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description              | parameters          |
        | store | Stores what it is given. | {"value": <schema>} |
      And the LM calls "store" with {"value": <value>}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "store" ran once with {"value": <value>}

      Examples:
        | schema                                                                                                                                        | value                                      |
        | {"type": "object"}                                                                                                                            | {"city": "Dubai", "levels": [1, "two"]}    |
        | {"type": "object", "additionalProperties": true}                                                                                              | {"city": "Dubai", "tower": {"floors": 163}} |
        | {"type": "object", "title": "Place", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": true}            | {"city": "Dubai", "tower": {"floors": 163}} |

    @TOOL-008 @practice @since-2
    Scenario: A tool that takes args of any name gets all the LM gives
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description              | parameters                    |
        | store | Stores what it is given. | {"label": {"type": "string"}} |
      And the tool "store" takes args of any other name too
      And the LM calls "store" with {"label": "tower", "floors": 163, "cities": ["Dubai"]}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}, unless it refused to be constructed
      Then it refused to be constructed, or the tool "store" ran once with {"label": "tower", "floors": 163, "cities": ["Dubai"]}

  Rule: Where a tool declares a model it gets one, whose fields it can read

    @TOOL-009 @practice
    Scenario Outline: A nested object arrives as the tool declares it
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description             | parameters          |
        | store | Stores what it is given. | {"value": <schema>} |
      And the tool "store" reads the fields of its models
      And the LM calls "store" with {"value": <value>}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "store" could read {"value": <value>}

      Examples:
        | schema                                                                                                                          | value                                   |
        | {"type": "object", "title": "Place", "properties": {"city": {"type": "string"}}, "required": ["city"]}                           | {"city": "Dubai"}                       |
        | {"type": "array", "items": {"type": "object", "title": "Stop", "properties": {"at": {"type": "integer"}}, "required": ["at"]}}   | [{"at": 1}, {"at": 2}]                  |

    @TOOL-009 @practice @since-2
    Scenario Outline: The tool gets an object with attributes wherever it declares a model
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description              | parameters          |
        | store | Stores what it is given. | {"value": <schema>} |
      And the tool "store" reads the fields of its models
      And the LM calls "store" with {"value": <value>}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "store" could read {"value": <value>}

      Examples:
        | schema                                                                                                                                                                                                       | value                        |
        | {"anyOf": [{"type": "object", "title": "Place", "properties": {"city": {"type": "string"}}, "required": ["city"]}, {"type": "null"}]}                                                                          | {"city": "Dubai"}            |
        | {"type": "object", "additionalProperties": {"type": "object", "title": "Place", "properties": {"city": {"type": "string"}}, "required": ["city"]}}                                                              | {"first": {"city": "Dubai"}} |
        | {"type": "object", "title": "Trip", "properties": {"to": {"type": "object", "title": "Place", "properties": {"city": {"type": "string"}}, "required": ["city"]}}, "required": ["to"]}                            | {"to": {"city": "Dubai"}}    |

  Rule: A parameter may have any legal name: it is shown, and its arg arrives

    @TOOL-010 @practice @since-2
    Scenario Outline: A parameter may have any legal name
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description              | parameters                                             |
        | store | Stores what it is given. | {"<name>": {"type": "integer"}, "shelf": {"type": "string"}} |
      And the LM calls "store" with {"<name>": 42, "shelf": "upper"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "store" ran once with {"<name>": 42, "shelf": "upper"}

      Examples:
        | name     |
        | self     |
        | name     |
        | args     |
        | kwargs   |
        | instance |
        | config   |

    @TOOL-010 @practice @since-3
    Scenario Outline: The LM is shown a parameter of any legal name
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description              | parameters                                             |
        | store | Stores what it is given. | {"<name>": {"type": "integer"}, "shelf": {"type": "string"}} |
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then every step request shows the parameters "<name>" and "shelf"

      Examples:
        | name     |
        | self     |
        | name     |
        | args     |
        | kwargs   |
        | instance |
        | config   |

  Rule: Every parameter of every tool is shown to the LM

    @TOOL-002 @practice
    Scenario: Every parameter of every tool is shown in every step prompt
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description           | parameters                                                                                                |
        | find  | Finds documents.      | {"phrase": {"type": "string"}, "shelf": {"type": "string", "default": "any"}}                             |
        | clock | Tells the time.       | {}                                                                                                        |
        | send  | Sends a text to some. | {"wording": {"type": "string"}, "addressees": {"type": "array", "items": {"type": "string"}}, "urgency": {"type": "integer", "default": 3}} |
      And the LM calls "clock"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then every step request shows the parameters "phrase", "shelf", "wording", "addressees" and "urgency"

    @TOOL-002 @practice
    Scenario: The fields of a parameter that is an object are shown
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description         | parameters                                                                                                                                            |
        | visit | Goes to that place. | {"place": {"type": "object", "title": "Place", "properties": {"city": {"type": "string"}, "storey": {"type": "integer"}}, "required": ["city", "storey"]}} |
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then every step request shows the parameters "place", "city" and "storey"

    @TOOL-002 @practice @since-2
    Scenario Outline: The parameters of a tool without annotations are shown, whatever kind of callable it is
      Given a ReAct over "question -> answer"
      And the tools:
        | name | description            | parameters                                       |
        | send | Sends a text to some.  | {"wording": {}, "urgency": {"default": "by night"}} |
      And the tool "send" is <kind>
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then every step request shows the parameters "wording" and "urgency"

      Examples:
        | kind              |
        | a function        |
        | a method          |
        | a callable object |

    @TOOL-002 @practice @since-2
    Scenario Outline: A method's or callable object's parameters are shown
      Given a ReAct over "question -> answer"
      And the tools:
        | name | description           | parameters                                                            |
        | send | Sends a text to some. | {"wording": {"type": "string"}, "urgency": {"type": "integer", "default": 19731}} |
      And the tool "send" is <kind>
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then every step request shows the parameters "wording" and "urgency"

      Examples:
        | kind                     |
        | a method                 |
        | a callable object        |
        | an async function        |
        | an async callable object |

    @TOOL-002 @practice @since-3
    Scenario: The parameters that a tool's schema alone declares are shown
      Given a ReAct over "question -> answer"
      And the tools:
        | name | description           | parameters                                                            |
        | send | Sends a text to some. | {"wording": {"type": "string"}, "urgency": {"type": "integer", "default": 19731}} |
      And the tool "send" is declared by the schemas of its args
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then every step request shows the parameters "wording" and "urgency"

  Rule: A parameter's default is shown to the LM

    @TOOL-011 @practice
    Scenario Outline: A parameter's default is shown
      Given a ReAct over "question -> answer"
      And the tools:
        | name | description    | parameters                                  |
        | tune | Tunes a radio. | {"setting": {"type": <type>, "default": <default>}} |
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then every step request shows <default>

      Examples:
        | type                                 | default           |
        | "string"                             | "long wave"       |
        | "integer"                            | 19731             |
        | "number"                             | 87.625            |
        | "array", "items": {"type": "string"} | ["low", "middle"] |

    @TOOL-011 @practice @since-3
    Scenario Outline: The default of a parameter without annotation is shown, whatever kind of callable the tool is
      Given a ReAct over "question -> answer"
      And the tools:
        | name | description            | parameters                                       |
        | send | Sends a text to some.  | {"wording": {}, "urgency": {"default": "by night"}} |
      And the tool "send" is <kind>
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then every step request shows "by night"

      Examples:
        | kind              |
        | a function        |
        | a method          |
        | a callable object |

    @TOOL-011 @practice @since-3
    Scenario Outline: The default of a method's or callable object's parameter is shown
      Given a ReAct over "question -> answer"
      And the tools:
        | name | description           | parameters                                                            |
        | send | Sends a text to some. | {"wording": {"type": "string"}, "urgency": {"type": "integer", "default": 19731}} |
      And the tool "send" is <kind>
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then every step request shows 19731

      Examples:
        | kind                     |
        | a method                 |
        | a callable object        |
        | an async function        |
        | an async callable object |

  Rule: No parameter is shown to the LM that the tool doesn't have

    @TOOL-012 @practice @since-2
    Scenario: Args of any other name are no parameter that is shown
      Given a ReAct over "question -> answer"
      And the tools:
        | name | description           | parameters                      |
        | send | Sends a text to some. | {"wording": {"type": "string"}} |
      And the tool "send" takes args of any other name too
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}, unless it refused to be constructed
      Then it refused to be constructed, or every step request shows no parameter "kwargs"

    @TOOL-012 @practice @since-3
    Scenario Outline: What a method or callable object is bound to is no parameter that is shown
      Given a ReAct over "question -> answer"
      And the tools:
        | name | description           | parameters            |
        | send | Sends a text to some. | {"wording": <schema>} |
      And the tool "send" is <kind>
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then every step request shows no parameter "self"

      Examples:
        | kind                     | schema             |
        | a method                 | {"type": "string"} |
        | a callable object        | {"type": "string"} |
        | an async callable object | {"type": "string"} |
        | a method                 | {}                 |
        | a callable object        | {}                 |

  Rule: A parameter with a default isn't advertised as required

    @TOOL-013 @practice @since-2
    Scenario Outline: A parameter with a default isn't shown as required
      Given a ReAct over "question -> answer"
      And the tools:
        | name | description           | parameters                                    |
        | send | Sends a text to some. | {"wording": {"type": "string"}, "urgency": <schema>} |
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no step request says that the parameter "urgency" is required

      Examples:
        | schema                             |
        | {"type": "integer", "default": 3}  |
        | {"type": "string", "default": ""}  |
        | {"default": 3}                     |
        | {"type": "integer", "default": 0}  |

  Rule: Whatever a tool returns becomes some observation; it never ends the run

    @TOOL-003 @must
    Scenario Outline: The run goes on, whatever a tool returns
      Given a ReAct over "question -> answer" with the tools "search" and "add"
      And the tool "search" hands back <what>
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tools ran in the order "search" and "add"
      And the result of "search" is the observation of its step

      Examples:
        | what                       |
        | a text                     |
        | an empty text              |
        | a whole number             |
        | zero                       |
        | a fraction                 |
        | true                       |
        | false                      |
        | null                       |
        | a list                     |
        | an empty list              |
        | an object                  |
        | bytes                      |
        | an object of its own class |
        | a set                      |
        | NaN                        |

    @TOOL-003 @must
    Scenario Outline: The loop of an asynchronous call goes on whatever a tool returns
      Given a ReAct over "question -> answer" with the tools "search" and "add"
      And the tool "search" hands back <what>
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called asynchronously with {"question": "2+3"}
      Then the tools ran in the order "search" and "add"
      And the result of "search" is the observation of its step

      Examples:
        | what  |
        | null  |
        | bytes |

  Rule: Functions, methods, callable objects and async functions serve as tools, in sync and async calls

    @TOOL-004 @practice
    Scenario Outline: Functions, methods and callable objects serve as tools in a sync call
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the tool "add" is <kind>
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}
      And the result of "add" is shown in the next request
      And the prediction has {"answer": "5"}

      Examples:
        | kind                     |
        | a function               |
        | a method                 |
        | a callable object        |
        | an async function        |
        | an async method          |
        | an async callable object |

    @TOOL-004 @practice
    Scenario Outline: Functions, methods and callable objects serve as tools in an async call
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the tool "add" is <kind>
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called asynchronously with {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}
      And the result of "add" is shown in the next request
      And the prediction has {"answer": "5"}

      Examples:
        | kind                     |
        | a function               |
        | a method                 |
        | a callable object        |
        | an async function        |
        | an async method          |
        | an async callable object |

    @TOOL-004 @practice @since-3
    Scenario Outline: The agent runs sync and async tools of one native reply, called <how>
      Given a ReAct over "question -> answer" with the tools "search" and "weather"
      And the tool "weather" is an async function
      And replies are asked for in "native"
      And the LM makes these calls in one turn:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |
        | search  | {"query": "rivers"}  |
      And the LM ends the run with {"answer": "a stone one"}
      When it is called <how> {"question": "Which bridge is dry?"}
      Then these tools ran, each call once:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |
        | search  | {"query": "rivers"}  |
      And the result of "weather" is shown in the next request

      Examples:
        | how                 |
        | with                |
        | asynchronously with |

    @TOOL-004 @practice @since-3
    Scenario Outline: A function whose args a schema declares serves as a tool
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the tool "add" is declared by the schemas of its args
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called <how> {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}
      And the result of "add" is shown in the next request
      And the prediction has {"answer": "5"}

      Examples:
        | how                 |
        | with                |
        | asynchronously with |

  Rule: Two tools of one name are refused before the LM is asked, or both work; none is silently replaced

    @TOOL-005 @practice
    Scenario: Two tools of one name are refused, or both offered
      Given a ReAct over "question -> answer" with the tool "add"
      And another tool is named "add" and described as "Puts two texts one after the other."
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}, unless it refused to be constructed
      Then it refused before it asked the LM, or every step request describes all tools

  Rule: A tool named like a built-in is refused at construction, or works; it is never silently replaced

    @TOOL-014 @practice
    Scenario: The agent refuses a tool named finish, or runs it when the LM selects it
      Given a ReAct over "question -> answer"
      And the tools:
        | name   | description          | parameters                     |
        | finish | Hands in the report. | {"report": {"type": "string"}} |
      And the LM calls "finish" with {"report": "all done"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}, unless it refused to be constructed
      Then it refused to be constructed, or the tool "finish" ran once with {"report": "all done"}

  Rule: A field named like an internal one is refused at construction, or works; it is never silently replaced

    @TOOL-015 @practice
    Scenario Outline: The agent refuses an input named like an internal field, or shows it to the LM
      Given a ReAct over "<field>, question -> answer" with the tool "add"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3", "<field>": "the user's own"}, unless it refused to be constructed
      Then it refused to be constructed, or every request shows the input {"<field>": "the user's own"}
      And it refused to be constructed, or the prediction has {"answer": "5"}

      Examples:
        | field        |
        | trajectory   |
        | next_thought |

    @TOOL-015 @practice
    Scenario Outline: The agent refuses an output named like an internal field, or gives the LM's answer for it
      Given a ReAct over "question -> <field>" with the tool "add"
      And the LM finishes
      And the LM answers {"<field>": "the user's own"}
      When it is called with {"question": "2+3"}, unless it refused to be constructed
      Then it refused to be constructed, or the prediction has {"<field>": "the user's own"}

      Examples:
        | field        |
        | trajectory   |
        | next_thought |
        | reasoning    |

  Rule: An input named like an option of the call is refused at construction, or works; it is never silently replaced

    @TOOL-016 @practice @since-2
    Scenario Outline: The agent refuses an input named like an option of the call, or shows it to the LM
      Given a ReAct over "<field>, question -> answer" with the tool "add"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3", "<field>": "the user's own"}, unless it refused to be constructed
      Then it refused to be constructed, or every request shows the input {"<field>": "the user's own"}
      And it refused to be constructed, or the prediction has {"answer": "5"}

      Examples:
        | field     |
        | max_steps |
        | max_iters |
        | config    |
        | signature |
        | lm        |

  Rule: An observation is a value: never the text of an un-awaited coroutine or an unconsumed iterator

    @TOOL-006 @practice
    Scenario Outline: An async tool is awaited or refused, never its coroutine observed
      Given a ReAct over "question -> answer" with the tools "search" and "add"
      And the tool "search" is <kind>
      And the LM calls "search" with {"query": "heights"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called <how> {"question": "2+3"}
      Then the agent observes no text of something that was never awaited or consumed

      Examples:
        | kind                     | how             |
        | an async function        | with |
        | an async function        | asynchronously with |
        | an async method          | with |
        | an async callable object | with |
        | an async callable object | asynchronously with |

    @TOOL-006 @practice
    Scenario Outline: What a tool hands back to be awaited or consumed is so, or refused, never observed itself
      Given a ReAct over "question -> answer" with the tools "search" and "add"
      And the tool "search" hands back <what>
      And the LM calls "search" with {"query": "heights"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called <how> {"question": "2+3"}
      Then the agent observes no text of something that was never awaited or consumed

      Examples:
        | what               | how            |
        | a generator        | with |
        | a generator        | asynchronously with |
        | an iterator        | with |
        | an iterator        | asynchronously with |
        | an async generator | with |
        | an async generator | asynchronously with |
        | a coroutine        | with |
        | a coroutine        | asynchronously with |

  Rule: The calls of one native reply each run once, with their own args

    @TOOL-007 @must
    Scenario: The agent runs all the calls of one native reply, each once with its own args
      Given a ReAct over "question -> answer" with the tools "search" and "weather"
      And the tool "search" returns "bridges and rivers"
      And replies are asked for in "native"
      And the LM makes these calls in one turn:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |
        | search  | {"query": "rivers"}  |
      And the LM ends the run with {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then these tools ran, each call once:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |
        | search  | {"query": "rivers"}  |

    @TOOL-007 @must
    Scenario: The agent runs equal calls of one native reply, each once
      Given a ReAct over "question -> answer" with the tool "search"
      And the tool "search" returns "bridges and rivers"
      And replies are asked for in "native"
      And the LM makes these calls in one turn:
        | tool   | args                 |
        | search | {"query": "bridges"} |
        | search | {"query": "bridges"} |
      And the LM ends the run with {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then these tools ran, each call once:
        | tool   | args                 |
        | search | {"query": "bridges"} |
        | search | {"query": "bridges"} |

    @TOOL-007 @must
    Scenario: The agent runs all the calls of one native reply in every step
      Given a ReAct over "question -> answer" with the tools "search" and "weather"
      And the tool "search" returns "bridges and rivers"
      And replies are asked for in "native"
      And the LM makes these calls in one turn:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |
      And the LM makes these calls in one turn:
        | tool    | args                |
        | weather | {"city": "Paris"}   |
        | search  | {"query": "rivers"} |
      And the LM makes these calls in one turn:
        | tool    | args               |
        | search  | {"query": "boats"} |
        | weather | {"city": "Nice"}   |
      And the LM ends the run with {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then these tools ran, each call once:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |
        | weather | {"city": "Paris"}    |
        | search  | {"query": "rivers"}  |
        | search  | {"query": "boats"}   |
        | weather | {"city": "Nice"}     |

    @TOOL-007 @must
    Scenario: A call of a native reply that fails doesn't take away the others
      Given a ReAct over "question -> answer" with the tools "search" and "weather"
      And the agent goes on after a tool that fails
      And the tool "search" raises "no connection"
      And replies are asked for in "native"
      And the LM makes these calls in one turn:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |
      And the LM ends the run with {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then these tools ran, each call once:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |

    @TOOL-007 @must
    Scenario: An unknown tool among the calls of a native reply doesn't take away the others
      Given a ReAct over "question -> answer" with the tools "search" and "weather"
      And the agent goes on after an unknown tool
      And replies are asked for in "native"
      And the LM makes these calls in one turn:
        | tool     | args                |
        | multiply | {"a": 2}            |
        | weather  | {"city": "Avignon"} |
      And the LM ends the run with {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      Then the tool "weather" ran once with {"city": "Avignon"}

    @TOOL-007 @must
    Scenario Outline: Of the calls of a native reply the one that waits runs once it is agreed to
      Given a ReAct over "question -> answer" with the tools "search" and "weather"
      And the tool "<tool>" requires confirmation
      And replies are asked for in "native"
      And the LM makes these calls in one turn:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |
      And the LM ends the run with {"answer": "a stone one"}
      When it is called with {"question": "Which bridge is dry?"}
      And it is resumed with "yes"
      Then these tools ran, each call once:
        | tool    | args                 |
        | search  | {"query": "bridges"} |
        | weather | {"city": "Avignon"}  |

      Examples:
        | tool    |
        | search  |
        | weather |
