@robustness
Feature: Malformed replies
  A step may come in a broken form. Whether it is asked for again, observed, or ends the loop or the call is the choice
  `malformed-reply`; that no call is guessed from it is no choice. A form that leaves no doubt what is meant may be read.

  Rule: A malformed reply never gives a guessed tool call

    @ERR-005 @practice
    Scenario Outline: The agent runs no tool on a step that it can't read
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "add" with {"a": 2, "b": 3}
      And that step is garbled: <form>
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no tool ran

      Examples:
        | form          |
        | missing-field |
        | missing-args  |
        | other-phase   |

    @ERR-005 @practice @since-2
    Scenario: The agent takes one of the two values of a field that stands twice, or refuses the step
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "five"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And that step is garbled: contradicted-field
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran with one of [{"a": 2, "b": 3}, {"a": 2, "b": "something else"}], or not at all
      And the tool "search" ran at most once

    @ERR-005 @practice
    Scenario Outline: The agent runs a plainly readable broken step as it is meant, or not at all
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "add" with {"a": 2, "b": 3}
      And that step is garbled: <form>
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no tool call was guessed

      Examples:
        | form           |
        | unknown-field  |
        | repeated-field |
        | nested         |
        | two-replies    |

    @ERR-005 @practice
    Scenario Outline: The agent runs no tool on a step that is cut off
      Given a ReAct over "question -> answer" with the tools "translate" and "ping"
      And the LM calls "translate" with a text of 400 characters
      And that step is cut off after <percent> percent
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      When it is called with {"question": "How high is the tower?"}
      Then no tool call was guessed

      Examples:
        | percent |
        | 80      |
        | 93      |

    @ERR-005 @practice
    Scenario Outline: The agent runs no tool on a step that is cut off in any dialect
      Given a ReAct over "question -> answer" with the tools "translate" and "ping"
      And the global adapter is "<adapter>"
      And the LM calls "translate" with a text of 400 characters
      And that step is cut off after 60 percent
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      When it is called with {"question": "How high is the tower?"}
      Then no tool call was guessed

      Examples:
        | adapter |
        | chat    |
        | json    |
        | xml     |

    @ERR-005 @practice
    Scenario: The agent doesn't fill a tool's defaults in for args that are missing
      Given a ReAct over "question -> answer"
      And the tools:
        | name     | description          | parameters                              |
        | forecast | Looks at the clouds. | {"days": {"type": "integer", "default": 3}} |
      And the LM calls "forecast" with {"days": 7}
      And that step is garbled: missing-args
      And the LM finishes
      And the LM answers {"answer": "rain"}
      When it is called with {"question": "How will the weather be?"}
      Then no tool call was guessed

    @ERR-005 @practice
    Scenario: The agent doesn't run the last tool again on a step that it can't read
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "five"}
      And that step is garbled: prose
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}

  Rule: The outcome of a malformed reply is a declared one: bounded retry, observation, extraction, or an error

    @ERR-019 @practice @since-3
    Scenario Outline: The agent asks the LM again after a step that it can't read, or ends with an error
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "add" with {"a": 2, "b": 3}
      And that step is garbled: <form>
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the agent observes it, goes to the extraction, or ends with an error

      Examples:
        | form          |
        | missing-field |
        | missing-args  |
        | empty         |
        | prose         |
        | other-phase   |

    @ERR-019 @practice @since-3
    Scenario: The agent takes no earlier thought for the answer where the LM says nothing
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "heights"}
      And that step is garbled: empty
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the agent observes it, goes to the extraction, or ends with an error

    @ERR-019 @practice @since-3
    Scenario Outline: The agent asks the LM again after a step that is cut off, or ends with an error
      Given a ReAct over "question -> answer" with the tools "translate" and "ping"
      And the LM calls "translate" with a text of 400 characters
      And that step is cut off after <percent> percent
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      When it is called with {"question": "How high is the tower?"}
      Then the agent observes it, goes to the extraction, or ends with an error

      Examples:
        | percent |
        | 2       |
        | 20      |
        | 60      |

  Rule: A malformed reply never hangs a run, nor ends it with a crash

    @ERR-020 @practice @since-3
    Scenario Outline: The call ends in order, or with a typed error, where a step is broken
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "add" with {"a": 2, "b": 3}
      And that step is garbled: <form>
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the call ends in order, or with a typed error

      Examples:
        | form          |
        | no-opening    |
        | no-closing    |
        | no-end        |
        | reordered     |
        | wrong-case    |
        | extra-spaces  |
        | indented      |
        | mid-line      |
        | quoted        |
        | fenced        |
        | other-dialect |
        | prose         |

    @ERR-020 @practice @since-3
    Scenario Outline: The call ends in order, or with a typed error, where a step is cut off
      Given a ReAct over "question -> answer" with the tools "translate" and "ping"
      And the LM calls "translate" with a text of 400 characters
      And that step is cut off after <percent> percent
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      When it is called with {"question": "How high is the tower?"}
      Then the call ends in order, or with a typed error

      Examples:
        | percent |
        | 60      |
        | 97      |
        | 99      |

    @ERR-020 @practice @since-3
    Scenario Outline: The call ends in order, or with a typed error, where a step names an unknown tool
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM selects the unknown tool "<name>" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the call ends in order, or with a typed error

      Examples:
        | name     |
        | multiply |
        |          |

  Rule: A call whose args stand under another key, or beside keys nobody declared, doesn't run with args left out

    @ERR-018 @practice
    Scenario Outline: The tool gets args that stand elsewhere as they are meant, or doesn't run
      Given a ReAct over "question -> answer"
      And the tools:
        | name     | description          | parameters                                  |
        | forecast | Looks at the clouds. | {"days": {"type": "integer", "default": 3}} |
      And the LM calls "forecast" with {"days": 7}
      And that step is garbled: <form>
      And the LM finishes
      And the LM answers {"answer": "rain"}
      When it is called with {"question": "How will the weather be?"}
      Then no tool call was guessed

      Examples:
        | form         |
        | renamed-args |
        | flat-args    |

    @ERR-018 @practice
    Scenario Outline: The tool gets args under another key as they are meant, or doesn't run, whatever the dialect
      Given a ReAct over "question -> answer"
      And replies are asked for in "<dialect>"
      And the tools:
        | name     | description          | parameters                                  |
        | forecast | Looks at the clouds. | {"days": {"type": "integer", "default": 3}} |
      And the LM calls "forecast" with {"days": 7}
      And that step is garbled: renamed-args
      And the LM finishes
      And the LM answers {"answer": "rain"}
      When it is called with {"question": "How will the weather be?"}
      Then no tool call was guessed

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |

    @ERR-018 @practice
    Scenario Outline: The tool gets args that stand flat in the step as they are meant, or doesn't run, whatever the dialect
      Given a ReAct over "question -> answer"
      And replies are asked for in "<dialect>"
      And the tools:
        | name     | description          | parameters                                  |
        | forecast | Looks at the clouds. | {"days": {"type": "integer", "default": 3}} |
      And the LM calls "forecast" with {"days": 7}
      And that step is garbled: flat-args
      And the LM finishes
      And the LM answers {"answer": "rain"}
      When it is called with {"question": "How will the weather be?"}
      Then no tool call was guessed

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |

    @ERR-018 @practice
    Scenario Outline: A text call gets args that stand elsewhere as they are meant, or doesn't run, whatever the dialect
      Given a transcript ReAct over "question -> answer"
      And replies are asked for in "<dialect>"
      And the tools:
        | name     | description          | parameters                                  |
        | forecast | Looks at the clouds. | {"days": {"type": "integer", "default": 3}} |
      And the LM calls "forecast" with {"days": 7}
      And that step is garbled: <form>
      And the LM submits {"answer": "rain"}
      And the LM answers {"answer": "rain"}
      When it is called with {"question": "How will the weather be?"}
      Then no tool call was guessed

      Examples:
        | dialect | form         |
        | chat    | renamed-args |
        | chat    | flat-args    |
        | json    | renamed-args |
        | json    | flat-args    |
        | xml     | renamed-args |
        | xml     | flat-args    |

  Rule: A transient malformed reply followed by a good one recovers where retries are declared, and the good step counts once

    @ERR-006 @must
    Scenario Outline: The agent takes a step once that was malformed at first
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 2
      And the agent asks again where a reply can't be read
      And the LM calls "add" with {"a": 2, "b": 3}
      And that step is garbled at first: <form>
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}
      And the prediction has {"answer": "5"}

      Examples:
        | form          |
        | prose         |
        | missing-field |
        | empty         |

    @ERR-006 @must
    Scenario: The trajectory holds a step that was malformed at first like any other
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the agent asks again where a reply can't be read
      And the LM calls "add" with {"a": 2, "b": 3}
      And that step is garbled at first: missing-field
      And the LM calls "search" with {"query": "five"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the trajectory holds tool name of every step, in order
      And the trajectory holds nothing that did not happen

    @ERR-006 @must @since-3
    Scenario: The outputs keep their types after a step that was malformed at first
      Given a ReAct over "question -> answer, count: int" with the tools "add" and "search"
      And the agent asks again where a reply can't be read
      And the LM calls "add" with {"a": 2, "b": 3}
      And that step is garbled at first: missing-field
      And the LM finishes
      And the LM answers {"answer": "5", "count": 5}
      When it is called with {"question": "2+3"}
      Then the prediction has {"answer": "5", "count": 5}

    @ERR-006 @must
    Scenario: The agent gives an answer that was malformed at first
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the agent asks again where a reply can't be read
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      And that answer is garbled at first: prose
      When it is called with {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}
      And the prediction has {"answer": "5"}

    @ERR-006 @must @since-3
    Scenario: The agent asks again in each step that was malformed at first
      Given a ReAct over "question -> answer" with the tools "add", "search" and "translate"
      And max_steps is 4
      And the agent asks again where a reply can't be read
      And while no result of "add" is shown the LM calls it with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "five"}
      And that step is garbled at first: missing-field
      And the LM calls "translate" with {"text": "five"}
      And that step is garbled at first: prose
      And the LM finishes
      And the LM answers {"answer": "5"}
      And that answer is garbled at first: prose
      When it is called with {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}
      And the tool "search" ran once with {"query": "five"}
      And the tool "translate" ran once with {"text": "five"}
      And the prediction has {"answer": "5"}

    @ERR-006 @must @since-3
    Scenario: The agent asks again in each call in which a step was malformed at first
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the agent asks again where a reply can't be read
      And the LM calls "add" with {"a": 2, "b": 3}
      And that step is garbled at first: prose
      And the LM finishes
      And the LM answers {"answer": "5"}
      And the LM calls "search" with {"query": "five"}
      And that step is garbled at first: prose
      And the LM finishes
      And the LM answers {"answer": "found"}
      When it is called with {"question": "2+3"}
      And it is called again with {"question": "What is five?"}
      Then the tool "search" ran once with {"query": "five"}
      And the prediction has {"answer": "found"}

  Rule: A field of another JSON type than asked gives a declared outcome of malformed-reply

    @ERR-016 @practice
    Scenario Outline: The agent runs no tool on a step that has a field of another type
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And replies are asked for in "json"
      And max_steps is 3
      And the LM calls "add" with {"a": 2, "b": 3}
      And that step is garbled: <form>
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no tool ran
      And the agent either observes it, goes to the extraction, or ends with a typed error

      Examples:
        | form         |
        | null-thought |
        | listed-tool  |
