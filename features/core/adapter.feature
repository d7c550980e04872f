@core
Feature: The adapter
  ReAct uses the active signature adapter, its own or the global one, for the output-format instructions and the parsing
  of both internal calls.

  Rule: A globally configured adapter governs format instructions and parsing of both internal calls

    @ADP-001 @must
    Scenario Outline: Steps are asked for in the format of the global adapter
      Given the global adapter is "<dialect>"
      And a ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Which city?"}
      Then every step is asked for in "<dialect>"

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |

    @ADP-001 @must
    Scenario Outline: The extraction is asked for in the format of the global adapter
      Given the global adapter is "<dialect>"
      And a ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Which city?"}
      Then the extraction is asked for in "<dialect>"

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |

    @ADP-001 @must
    Scenario Outline: Replies in the format of the global adapter are understood
      Given the global adapter is "<dialect>"
      And a ReAct over "topic -> summary, sources" with the tool "add"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"summary": "a city", "sources": "an atlas"}
      When it is called with {"topic": "Rome"}
      Then the tool "add" ran once with {"a": 2, "b": 3}
      And the prediction has {"summary": "a city", "sources": "an atlas"}

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |

  Rule: An adapter given to the module wins over the global one, for both internal calls

    @ADP-002 @must
    Scenario Outline: Steps are asked for in the format of the module's own adapter
      Given the global adapter is "<global>"
      And the module's own adapter is "<own>"
      And a ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Which city?"}
      Then every step is asked for in "<own>"

      Examples:
        | global | own  |
        | chat   | json |
        | json   | xml  |
        | xml    | chat |

    @ADP-002 @must
    Scenario Outline: The extraction is asked for in the format of the module's own adapter
      Given the global adapter is "<global>"
      And the module's own adapter is "<own>"
      And a ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Which city?"}
      Then the extraction is asked for in "<own>"

      Examples:
        | global | own  |
        | chat   | json |
        | json   | xml  |
        | xml    | chat |

    @ADP-002 @must
    Scenario Outline: Replies in the format of the module's own adapter are understood
      Given the global adapter is "<global>"
      And the module's own adapter is "<own>"
      And a ReAct over "topic -> summary, sources" with the tool "add"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"summary": "a city", "sources": "an atlas"}
      When it is called with {"topic": "Rome"}
      Then the tool "add" ran once with {"a": 2, "b": 3}
      And the prediction has {"summary": "a city", "sources": "an atlas"}

      Examples:
        | global | own  |
        | chat   | json |
        | json   | xml  |
        | xml    | chat |

    @ADP-002 @must
    Scenario: The module's own adapter is used in every call
      Given the global adapter is "xml"
      And the module's own adapter is "json"
      And a ReAct over "question -> answer" with the tool "search"
      And the LM finishes
      And the LM finishes
      And the LM answers
      And the LM answers
      When it is called with {"question": "Which city?"}
      And it is called again with {"question": "Which river?"}
      Then everything in call 1 is asked for in "json"
      And everything in call 2 is asked for in "json"

  Rule: With neither, the built-in default adapter is used; the order is module, then global, then default

    @ADP-003 @must
    Scenario: Both internal calls use the default adapter where none is given
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers {"answer": "Rome"}
      When it is called with {"question": "Which city?"}
      Then everything in call 1 is asked for in the default dialect
      And the prediction has {"answer": "Rome"}

    @ADP-003 @must
    Scenario Outline: The module's own adapter needs no global one
      Given the module's own adapter is "<own>"
      And a ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers {"answer": "Rome"}
      When it is called with {"question": "Which city?"}
      Then everything in call 1 is asked for in "<own>"
      And the prediction has {"answer": "Rome"}

      Examples:
        | own  |
        | json |
        | xml  |

  Rule: The module override does not leak: other modules and later calls see the global adapter unchanged

    @ADP-004 @must
    Scenario: A later ReAct without an adapter of its own uses the global one
      Given the global adapter is "json"
      And another ReAct with the adapter "xml" of its own was called before
      And a ReAct over "question -> answer" with the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Which city?"}
      Then everything in call 1 is asked for in "json"

    @ADP-004 @must
    Scenario: A later ReAct without any adapter uses the default one
      Given another ReAct with the adapter "xml" of its own was called before
      And a ReAct over "question -> answer" with the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Which city?"}
      Then everything in call 1 is asked for in the default dialect

    @ADP-004 @must
    Scenario: A failed call of another ReAct leaves nothing of its adapter behind
      Given the global adapter is "json"
      And another ReAct with the adapter "xml" of its own failed before, because the LM did
      And a ReAct over "question -> answer" with the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "Which city?"}
      Then everything in call 1 is asked for in "json"

    @ADP-004 @must
    Scenario: Later calls of an earlier ReAct use the global adapter
      Given the global adapter is "json"
      And a ReAct over "question -> answer" with the tool "search"
      And the LM finishes
      And the LM finishes
      And the LM answers
      And the LM answers
      When it is called with {"question": "Which city?"}
      And another ReAct with the adapter "xml" of its own is called
      And it is called again with {"question": "Which river?"}
      Then everything in call 1 is asked for in "json"
      And everything in call 2 is asked for in "json"

  Rule: The adapter in force at a call governs that call: one configured between two calls governs the second

    @ADP-005 @must
    Scenario Outline: An adapter configured between two calls governs the second
      Given the global adapter is "<first>"
      And a ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers {"answer": "Rome"}
      And the LM calls "search" with {"query": "Tiber"}
      And the LM finishes
      And the LM answers {"answer": "Tiber"}
      When it is called with {"question": "Which city?"}
      And it is called again with {"question": "Which river?"} under the global adapter "<second>"
      Then everything in call 1 is asked for in "<first>"
      And everything in call 2 is asked for in "<second>"
      And the prediction has {"answer": "Tiber"}

      Examples:
        | first | second |
        | chat  | json   |
        | json  | xml    |
        | xml   | chat   |

    @ADP-005 @must @since-3
    Scenario Outline: An adapter configured before a follow-up governs it
      Given the global adapter is "<first>"
      And a transcript ReAct over "question -> answer" with the tool "search"
      And the LM submits {"answer": "Rome"}
      And the LM submits {"answer": "Tiber"}
      When it is called with exactly {"question": "Which city?"}
      And it is called with exactly {"question": "Which river?"} and the history of call 1 under the global adapter "<second>"
      Then everything in call 1 is asked for in "<first>"
      And everything in call 2 is asked for in "<second>"

      Examples:
        | first | second |
        | chat  | json   |
        | json  | xml    |

    @ADP-005 @must @since-3
    Scenario: An adapter configured after a call was resumed governs the next one
      Given the global adapter is "chat"
      And a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      And the LM finishes
      And the LM answers {"answer": "Tiber"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      And it is called again with {"question": "Which river?"} under the global adapter "json"
      Then everything in call 2 is asked for in "json"

    @ADP-005 @must
    Scenario Outline: An adapter configured for one call leaves the calls around it to the default
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM finishes
      And the LM answers
      And the LM finishes
      And the LM answers
      And the LM finishes
      And the LM answers {"answer": "Ostia"}
      When it is called with {"question": "Which city?"}
      And it is called again with {"question": "Which river?"} under the global adapter "<adapter>"
      And it is called again with {"question": "Which harbour?"}
      Then everything in call 1 is asked for in the default dialect
      And everything in call 2 is asked for in "<adapter>"
      And everything in call 3 is asked for in the default dialect
      And the prediction has {"answer": "Ostia"}

      Examples:
        | adapter |
        | json    |
        | xml     |
