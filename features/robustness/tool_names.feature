@robustness
Feature: Tool names
  The LM may name a tool that isn't there. What becomes of it is the choice `unknown-tool`; that nothing is executed
  is no choice. Whether a near miss names the tool is the choice `tool-name-matching`; that no other tool than the one
  that fits is executed is none.

  Background:
    Given a ReAct over "question -> answer" with the tools "add" and "search"

  Rule: A tool that the LM did not name never runs

    @ERR-001 @must
    Scenario Outline: The agent runs no tool on an unknown tool name
      Given the LM selects the unknown tool "<name>" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no tool ran

      Examples:
        | name           |
        | multiply       |
        | adds           |
        | ad             |
        | add search     |
        | add(2, 3)      |
        | tools.add      |
        | next_tool_args |
        | question       |
        | trajectory     |
        | 7              |
        |                |
        | None           |
        | finished       |
        | Finish         |
        | __class__      |

    @ERR-001 @must @since-3
    Scenario Outline: The agent runs no tool on an unknown tool name, whatever the dialect
      Given the global adapter is "<dialect>"
      And the LM selects the unknown tool "multiply" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no tool ran

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |

    @ERR-001 @must
    Scenario: The agent doesn't run the last call again on an unknown tool name
      Given the LM calls "add" with {"a": 2, "b": 3}
      And the LM selects the unknown tool "multiply" with {"a": 5, "b": 7}
      And the LM finishes
      And the LM answers {"answer": "35"}
      When it is called with {"question": "(2+3)*7"}
      Then the tool "add" ran once with {"a": 2, "b": 3}

    @ERR-001 @must
    Scenario: The tool gets the args of its own call after an unknown tool name
      Given the LM selects the unknown tool "multiply" with {"a": 5, "b": 7}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran with {"a": 2, "b": 3}, or not at all

    @ERR-001 @must
    Scenario Outline: The agent takes a tool name in quotes for that tool, or runs none
      Given the LM selects the tool <written> with {"query": "the height of the tower"}
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      When it is called with {"question": "How high is the tower?"}
      Then no tool call was guessed

      Examples:
        | written    |
        | "search"   |
        | 'search'   |
        | `search`   |
        | **search** |

    @ERR-001 @must @since-2
    Scenario Outline: The agent takes a tool name in other letters for that tool, or runs none
      Given the LM selects the tool <written> with {"query": "the height of the tower"}
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      When it is called with {"question": "How high is the tower?"}
      Then no tool call was guessed

      Examples:
        | written  |
        | Search   |
        | SEARCH   |
        | "Search" |

    @ERR-001 @must @since-2
    Scenario Outline: The agent runs no tool on a name in other letters that two tools fit
      Given a ReAct over "question -> answer"
      And the tools:
        | name   | description           | parameters                    |
        | search | Searches the archive. | {"query": {"type": "string"}} |
        | Search | Searches the library. | {"query": {"type": "string"}} |
      And the LM selects the tool <written> with {"query": "the height of the tower"}
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      When it is called with {"question": "How high is the tower?"}, unless it refused to be constructed
      Then no tool call was guessed

      Examples:
        | written  |
        | SEARCH   |
        | 'SEARCH' |

  Rule: A tool name that no tool has is visible in the observation or error that comes of it

    @ERR-028 @practice
    Scenario: The LM or the caller is told the unknown tool name
      Given the LM selects the unknown tool "multiply" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the LM or the caller is told of "multiply"

    @ERR-028 @practice @since-3
    Scenario Outline: The LM or the caller is told the unknown tool name, whatever the dialect
      Given the global adapter is "<dialect>"
      And the LM selects the unknown tool "multiply" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the LM or the caller is told of "multiply"

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |
