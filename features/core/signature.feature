@core
Feature: The signature
  ReAct is signature-polymorphic: it is built from an arrow string, a signature class or module, or a signature
  value, and works over whatever inputs and outputs that one has.

  Rule: Built from the arrow string "question -> answer", ReAct accepts an input map with question and returns a prediction with answer

    @SIG-001 @must
    Scenario: A ReAct built from an arrow string takes the question and returns the answer
      Given a ReAct over the arrow string "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers {"answer": "Rome"}
      When it is called with {"question": "Which city?"}
      Then the first request shows the input {"question": "Which city?"}
      And the prediction has {"answer": "Rome"}

    @SIG-001 @must
    Scenario Outline: The agent ignores blanks in an arrow string
      Given a ReAct over the arrow string "<arrow>" with the tool "search"
      And the LM finishes
      And the LM answers {"answer": "Rome"}
      When it is called with {"question": "Which city?"}
      Then the prediction has {"answer": "Rome"}

      Examples:
        | arrow                  |
        | question->answer       |
        | question ->answer      |
        | question   ->   answer |

    @SIG-001 @must
    Scenario Outline: The fields have the names of the arrow string
      Given a ReAct over the arrow string "<input> -> <output>" with the tool "search"
      And the LM finishes
      And the LM answers {"<output>": "Rome"}
      When it is called with {"<input>": "Which city?"}
      Then every request shows the input {"<input>": "Which city?"}
      And the prediction has {"<output>": "Rome"}

      Examples:
        | input   | output  |
        | query   | finding |
        | passage | summary |

  Rule: Built from a signature class or module, ReAct uses that signature as the base signature: its fields and its instructions

    @SIG-002 @must
    Scenario: The agent takes the inputs and gives the outputs of the signature class
      Given a ReAct over the signature class "passage, claim -> verdict, evidence"
      And the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers {"verdict": "refuted", "evidence": "a census"}
      When it is called with {"passage": "an almanac", "claim": "Rome is small"}
      Then the first request shows the input {"passage": "an almanac", "claim": "Rome is small"}
      And the prediction has {"verdict": "refuted", "evidence": "a census"}

    @SIG-002 @must
    Scenario: The LM is shown the instructions of the signature class
      Given a ReAct over the signature class "question -> answer"
      And its instructions read "Answer in the words of a lighthouse keeper."
      And the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Which city?"}
      Then the LM is shown "Answer in the words of a lighthouse keeper."

  Rule: What a signature class says of its fields reaches the LM, of its outputs in the request that asks for them

    @SIG-009 @practice
    Scenario: The LM is shown the signature class's descriptions of its fields
      Given a ReAct over the signature class with these fields:
        | field    | kind   | schema             | description               |
        | question | input  | {"type": "string"} | Asked by a passing sailor |
        | answer   | output | {"type": "string"} | Fit to be shouted at sea  |
      And the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Which city?"}
      Then the LM is shown "Asked by a passing sailor"
      And the LM is shown "Fit to be shouted at sea"

    @SIG-009 @practice @since-2
    Scenario: The extraction is told how the signature class describes its outputs
      Given a ReAct over the signature class with these fields:
        | field    | kind   | schema             | description               |
        | question | input  | {"type": "string"} | Asked by a passing sailor |
        | answer   | output | {"type": "string"} | Fit to be shouted at sea  |
        | remark   | output | {"type": "string"} | For the keeper's log only |
      And the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Which city?"}
      Then the extraction request shows "Fit to be shouted at sea"
      And the extraction request shows "For the keeper's log only"

  Rule: Built from a signature value, ReAct uses that signature as the base signature: its fields and its instructions

    @SIG-003 @must
    Scenario: The agent takes the inputs and gives the outputs of the signature value
      Given a ReAct over the signature value "passage, claim -> verdict, evidence"
      And the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers {"verdict": "refuted", "evidence": "a census"}
      When it is called with {"passage": "an almanac", "claim": "Rome is small"}
      Then the first request shows the input {"passage": "an almanac", "claim": "Rome is small"}
      And the prediction has {"verdict": "refuted", "evidence": "a census"}

    @SIG-003 @must
    Scenario: The LM is shown the instructions of the signature value
      Given a ReAct over the signature value "question -> answer"
      And its instructions read "Answer in the words of a lighthouse keeper."
      And the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Which city?"}
      Then the LM is shown "Answer in the words of a lighthouse keeper."

  Rule: What a signature value says of its fields reaches the LM, of its outputs in the request that asks for them

    @SIG-008 @practice
    Scenario: The LM is shown the signature value's descriptions of its fields
      Given a ReAct over the signature value with these fields:
        | field    | kind   | schema             | description               |
        | question | input  | {"type": "string"} | Asked by a passing sailor |
        | answer   | output | {"type": "string"} | Fit to be shouted at sea  |
      And the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Which city?"}
      Then the LM is shown "Asked by a passing sailor"
      And the LM is shown "Fit to be shouted at sea"

    @SIG-008 @practice @since-2
    Scenario: The extraction is told how the signature value describes its outputs
      Given a ReAct over the signature value with these fields:
        | field    | kind   | schema             | description               |
        | question | input  | {"type": "string"} | Asked by a passing sailor |
        | answer   | output | {"type": "string"} | Fit to be shouted at sea  |
        | remark   | output | {"type": "string"} | For the keeper's log only |
      And the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Which city?"}
      Then the extraction request shows "Fit to be shouted at sea"
      And the extraction request shows "For the keeper's log only"

  Rule: Arrow strings may have several inputs and outputs, and their untyped fields are strings

    @SIG-004 @must
    Scenario Outline: An arrow string may have several inputs and outputs
      Given a ReAct over "<arrow>" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers <outputs>
      When it is called with <inputs>
      Then the first request shows the input <inputs>
      And the prediction has <outputs>

      Examples:
        | arrow                                 | inputs                                                      | outputs                                                     |
        | context, question -> answer           | {"context": "an almanac", "question": "Which city?"}        | {"answer": "Rome"}                                          |
        | topic -> summary, sources             | {"topic": "Rome"}                                           | {"summary": "a city", "sources": "an atlas"}                |
        | context,question->answer,sources      | {"context": "an almanac", "question": "Which city?"}        | {"answer": "Rome", "sources": "an atlas"}                   |
        | topic, place, year -> title, a_1, a_2 | {"topic": "trade", "place": "Ostia", "year": "the year 99"} | {"title": "Salt", "a_1": "the docks", "a_2": "the granary"} |

    @SIG-004 @must
    Scenario Outline: The value of an untyped output is a string, whatever it reads like
      Given a ReAct over "question -> answer, remark" with the tool "search"
      And the LM finishes
      And the LM answers exactly {"answer": "<text>", "remark": "none"}
      When it is called with {"question": "Which one?"}
      Then the prediction has exactly {"answer": "<text>", "remark": "none"}

      Examples:
        | text   |
        | 42     |
        | 007    |
        | 1.50   |
        | true   |
        | [1, 2] |

  Rule: The fields of typed arrow strings and classes keep their types through extraction

    @SIG-005 @practice
    Scenario Outline: A typed output of an arrow string keeps its type
      Given a ReAct over the arrow string "question -> <field>" with the tool "search"
      And the LM finishes
      And the LM answers <outputs>
      When it is called with {"question": "Which one?"}
      Then the prediction has <outputs>, each of its type

      Examples:
        | field                              | outputs                      |
        | count: int                         | {"count": 42}                |
        | share: float                       | {"share": 0.25}              |
        | sure: bool                         | {"sure": true}               |
        | sure: bool                         | {"sure": false}              |
        | names: list[str]                   | {"names": ["Rome", "Ostia"]} |
        | names: list[str]                   | {"names": []}                |
        | counts: list[int]                  | {"counts": [3, 1, 2]}        |
        | counts: dict[str, int]             | {"counts": {"Rome": 3}}      |
        | colour: Literal['red', 'dark sea'] | {"colour": "dark sea"}       |
        | level: Literal[1, 2, 3]            | {"level": 2}                 |
        | count: int \| None                 | {"count": 42}                |
        | count: int \| None                 | {"count": null}              |

    @SIG-005 @practice
    Scenario Outline: Typed outputs keep their types whatever the form of the signature
      Given a ReAct over the <form> "question -> count: int, share: float, sure: bool, names: list[str], colour: Literal['red', 'blue'], name"
      And the tool "search"
      And the LM finishes
      And the LM answers {"count": 42, "share": 0.25, "sure": false, "names": ["Rome", "Ostia"], "colour": "blue", "name": "Ostia"}
      When it is called with {"question": "Which one?"}
      Then the prediction has {"count": 42, "share": 0.25, "sure": false, "names": ["Rome", "Ostia"], "colour": "blue", "name": "Ostia"}, each of its type

      Examples:
        | form            |
        | signature class |
        | signature value |

    @SIG-005 @practice
    Scenario Outline: Typed outputs keep their types whatever the adapter
      Given a ReAct over "question -> count: int, share: float, sure: bool, names: list[str], colour: Literal['red', 'blue'], name" with the tool "search"
      And the global adapter is "<dialect>"
      And the LM finishes
      And the LM answers {"count": 42, "share": 0.25, "sure": true, "names": ["Rome", "Ostia"], "colour": "blue", "name": "Ostia"}
      When it is called with {"question": "Which one?"}
      Then the prediction has {"count": 42, "share": 0.25, "sure": true, "names": ["Rome", "Ostia"], "colour": "blue", "name": "Ostia"}, each of its type

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |

    @SIG-005 @practice
    Scenario Outline: A nested object keeps its shape and the types inside it
      Given a ReAct over the signature class with these fields:
        | field    | kind   | schema             | description |
        | question | input  | {"type": "string"} |             |
        | place    | output | <schema>           |             |
      And the tool "search"
      And the LM finishes
      And the LM answers {"place": <value>}
      When it is called with {"question": "Which one?"}
      Then the prediction has {"place": <value>}, each of its type

      Examples:
        | schema | value |
        | {"title": "Place", "type": "object", "properties": {"street": {"type": "string"}, "floor": {"type": "integer"}}, "required": ["street", "floor"]} | {"street": "Via Appia", "floor": 3} |
        | {"type": "array", "items": {"title": "Place", "type": "object", "properties": {"street": {"type": "string"}, "floor": {"type": "integer"}}, "required": ["street", "floor"]}} | [{"street": "Via Appia", "floor": 3}, {"street": "Decumano", "floor": 0}] |
        | {"title": "House", "type": "object", "properties": {"owner": {"type": "string"}, "place": {"title": "Place", "type": "object", "properties": {"floors": {"type": "array", "items": {"type": "integer"}}, "open": {"type": "boolean"}}, "required": ["floors", "open"]}}, "required": ["owner", "place"]} | {"owner": "Livia", "place": {"floors": [1, 2], "open": true}} |

    @SIG-005 @practice
    Scenario: The LM is shown the values of typed inputs
      Given a ReAct over "count: int, share: float, names: list[str] -> answer" with the tool "search"
      And the LM finishes
      And the LM answers {"answer": "Rome"}
      When it is called with {"count": 48151, "share": 0.1623, "names": ["Rome", "Ostia"]}
      Then the first request shows the input {"count": 48151, "share": 0.1623, "names": ["Rome", "Ostia"]}

    @SIG-005 @practice
    Scenario Outline: The agent converts or refuses a value of another type, and never returns it as it is
      Given a ReAct over "question -> count: int" with the tool "search"
      And the LM finishes
      And as every further extraction the LM answers {"count": <value>}, reasoning "Counted."
      And max_steps is 3
      When it is called with {"question": "How many?"}
      Then every output is of its type, or the call ended with an error

      Examples:
        | value  |
        | "many" |
        | "42"   |
        | [4, 2] |
        | null   |

  Rule: An invalid signature (no outputs, duplicate names, empty) is refused at construction with a clear error

    @SIG-006 @practice
    Scenario Outline: A signature without outputs is refused
      Given a ReAct over the <form> "question ->"
      And the tool "search"
      When it is constructed
      Then it was refused with an error that says "output" or "->"

      Examples:
        | form            |
        | arrow string    |
        | signature class |
        | signature value |

    @SIG-006 @practice
    Scenario Outline: A string that is no arrow is refused
      Given a ReAct over the arrow string "<arrow>" with the tool "search"
      When it is constructed
      Then it was refused with an error that says "output", "->" or "arrow"

      Examples:
        | arrow            |
        | question         |
        | question, answer |

    @SIG-006 @practice
    Scenario Outline: A signature with two fields of one name is refused
      Given a ReAct over the arrow string "<arrow>" with the tool "search"
      When it is constructed
      Then it was refused with an error that says "<name>"

      Examples:
        | arrow                              | name    |
        | passage, passage -> answer         | passage |
        | question -> verdict, verdict       | verdict |
        | passage -> passage                 | passage |
        | place, passage -> verdict, passage | passage |

    @SIG-006 @practice
    Scenario Outline: An empty signature is refused
      Given a ReAct over the arrow string "<arrow>" with the tool "search"
      When it is constructed
      Then it was refused with an error that says "output", "->", "field" or "empty"

      Examples:
        | arrow |
        |       |
        | ->    |

  Rule: A missing or unknown input at call time is refused before any LM call

    @SIG-007 @practice
    Scenario Outline: A missing input is refused before any LM call
      Given a ReAct over "passage, claim -> verdict" with the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with <inputs>
      Then the call was refused before any LM request, with an error that says "<name>"

      Examples:
        | inputs                     | name    |
        | {"claim": "Rome is small"} | passage |
        | {"passage": "an almanac"}  | claim   |

    @SIG-007 @practice
    Scenario: A call without any input is refused before any LM call
      Given a ReAct over "passage -> verdict" with the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {}
      Then the call was refused before any LM request, with an error that says "passage"

    @SIG-007 @practice @since-3
    Scenario: A follow-up that lacks an input is refused before any LM call
      Given a transcript ReAct over "passage, claim -> verdict" with the tool "search"
      And the LM submits {"verdict": "true"}
      And the LM submits {"verdict": "false"}
      When it is called with {"passage": "an almanac", "claim": "Rome is small"}
      And it is called with {"claim": "Oslo is small"} and the history of the first call
      Then the call was refused before any LM request, with an error that says "passage"

    @SIG-007 @practice
    Scenario: An unknown input is refused before any LM call
      Given a ReAct over "passage -> verdict" with the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"passage": "an almanac", "lighthouse": "a tower"}
      Then the call was refused before any LM request, with an error that says "lighthouse"

    @SIG-007 @practice
    Scenario: The agent refuses an output given as an input before any LM call
      Given a ReAct over "passage -> verdict" with the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"passage": "an almanac", "verdict": "refuted"}
      Then the call was refused before any LM request, with an error that says "verdict"
