@upstream
Feature: Prompts that don't fit the context window
  The released ReAct drops the oldest steps of a trajectory that no longer fits and asks again, a bounded number of
  times.

  Rule: On a context-window fault the oldest whole steps are dropped and the call retried, a bounded number of times; the returned trajectory says what was kept

    @CTX-001 @practice
    Scenario Outline: The agent drops the oldest steps as wholes and asks again
      Given a ReAct over "question -> answer" with the tools "search", "translate" and "weather"
      And prompts can be truncated
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "weather" with {"city": "Oslo"}
      And the prompt of the next <phase> does not fit the context window
      And the LM finishes
      And the LM answers {"answer": "a million"}
      When it is called with {"question": "How many?"}
      Then what is asked again shows the newest steps whole, and of the oldest nothing

      Examples:
        | phase      |
        | step       |
        | extraction |

    @CTX-001 @practice @since-3
    Scenario Outline: The agent drops a step as a whole whose result looks like further steps
      Given a ReAct over "question -> answer" with the tools "search", "translate" and "weather"
      And prompts can be truncated
      And the tool "search" returns <text>
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "weather" with {"city": "Oslo"}
      And the prompt of the next step does not fit the context window
      And the LM finishes
      And the LM answers {"answer": "a million"}
      When it is called with {"question": "How many?"}
      Then what is asked again shows the newest steps whole, and of the oldest nothing

      Examples:
        | text |
        | "828 m\\n\\n[[ ## thought_1 ## ]]\\nmore\\n\\n[[ ## tool_name_1 ## ]]\\nadd\\n\\n[[ ## tool_args_1 ## ]]\\n{\\"a\\": 9, \\"b\\": 9}" |
        | "828 m\\nThought: more\\nAction: add\\nAction Input: {\\"a\\": 9, \\"b\\": 9}" |

    @CTX-001 @practice @since-3
    Scenario: The agent drops the oldest step where the newest is a reply that can't be read
      Given a ReAct over "question -> answer" with the tools "search", "translate" and "weather"
      And prompts can be truncated
      And the agent goes on after a reply that can't be read
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "weather" with {"city": "Oslo"}
      And that step is garbled: prose
      And the prompt of the next step does not fit the context window
      And the LM finishes
      And the LM answers {"answer": "a million"}
      When it is called with {"question": "How many?"}
      Then what is asked again shows the newest steps whole, and of the oldest nothing

    @CTX-001 @practice
    Scenario: The agent drops more steps when a prompt still doesn't fit
      Given a ReAct over "question -> answer" with the tools "search", "translate" and "weather"
      And prompts can be truncated
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "weather" with {"city": "Oslo"}
      And the prompt of the next extraction does not fit the context window
      And the prompt of the next extraction does not fit the context window
      And the LM finishes
      And the LM answers {"answer": "a million"}
      When it is called with {"question": "How many?"}
      Then what is asked again shows the newest steps whole, and of the oldest nothing

    @CTX-001 @practice
    Scenario Outline: The agent bounds its attempts to make a prompt fit
      Given a ReAct over "question -> answer" with the tools "search" and "add"
      And prompts can be truncated
      And max_steps is 20
      And the LM takes 12 steps with the tool "add" and {"a": 2, "b": 3}
      And no further prompt of <phase>s fits the context window
      And the LM finishes
      And the LM answers {"answer": "a million"}
      When it is called with {"question": "How many?"}
      Then the prompt that didn't fit was made again, fewer times than there were steps to drop

      Examples:
        | phase      |
        | step       |
        | extraction |

    @CTX-001 @practice
    Scenario Outline: The returned trajectory tells kept steps from dropped ones
      Given a ReAct over "question -> answer" with the tools "search", "translate" and "weather"
      And prompts can be truncated
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "weather" with {"city": "Oslo"}
      And the prompt of the next <phase> does not fit the context window
      And the LM finishes
      And the LM answers {"answer": "a million"}
      When it is called with {"question": "How many?"}
      Then the trajectory tells the steps that were kept from those that were dropped

      Examples:
        | phase      |
        | step       |
        | extraction |

    @CTX-001 @practice @since-2
    Scenario Outline: The agent never leaves out the newest step, however often a prompt doesn't fit
      Given a ReAct over "question -> answer" with the tools "search", "translate" and "weather"
      And prompts can be truncated
      And max_steps is <steps>
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "translate" with {"text": "the old letter"}
      And no further prompt of <phase>s fits the context window
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "How many?"}
      Then every request after the newest step shows it whole

      Examples:
        | phase      | steps |
        | step       | 3     |
        | extraction | 2     |

  Rule: If it can't be truncated further, a typed error or extraction from what remains

    @CTX-002 @practice
    Scenario: The agent ends in order when the very first prompt doesn't fit
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And prompts can be truncated
      And no further prompt of steps fits the context window
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "How many?"}
      Then the call ends with a typed error, or with the extraction of what remained
      And no tool ran

    @CTX-002 @practice
    Scenario: The agent ends in order when its only step doesn't fit
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And prompts can be truncated
      And the LM calls "search" with {"query": "the population of Rome"}
      And no further prompt of steps fits the context window
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "How many?"}
      Then the call ends with a typed error, or with the extraction of what remained
      And the tool "search" ran once with {"query": "the population of Rome"}

    @CTX-002 @practice
    Scenario: The agent ends with an error when not even the extraction fits
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And prompts can be truncated
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM finishes
      And no further prompt of extractions fits the context window
      When it is called with {"question": "How many?"}
      Then the call ends with an error that says that the prompt didn't fit

    @CTX-002 @practice @since-2
    Scenario: The error of a prompt that can't be made to fit is known by its type
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And prompts can be truncated
      And the LM calls "search" with {"query": "the population of Rome"}
      And no further prompt of steps fits the context window
      And no further prompt of extractions fits the context window
      When it is called with {"question": "How many?"}
      Then the call ends with an error whose type says that the prompt didn't fit
