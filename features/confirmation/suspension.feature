@confirmation
Feature: A call that waits for confirmation
  A tool can require confirmation before it is executed. The call is suspended with all that is needed to decide and
  to go on, as a value that outlives the process.

  Rule: A tool that requires confirmation isn't executed on first selection; the call suspends with question, confirmation id, tool call and context

    @CNF-001 @must
    Scenario: The agent suspends the call of a tool that requires confirmation
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      Then the call is suspended
      And the tool "translate" never ran
      And the suspension is about the call of "translate" with {"text": "the old letter"}

    @CNF-001 @must @since-2
    Scenario: The agent suspends the call of a tool that takes an object
      Given a ReAct over "question -> answer"
      And the tools:
        | name  | description         | parameters                                                                                                        |
        | visit | Goes to that place. | {"place": {"type": "object", "title": "Place", "properties": {"city": {"type": "string"}}, "required": ["city"]}} |
      And the tool "visit" requires confirmation
      And the LM calls "visit" with {"place": {"city": "Dubai"}}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What is it like?"}
      Then the call is suspended
      And the tool "visit" never ran
      And the suspension is about the call of "visit" with {"place": {"city": "Dubai"}}

    @CNF-001 @must
    Scenario: The suspension carries the question, an id, the tool call and the context of the steps before it
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      Then the suspension has a confirmation id and a question
      And the suspension is about the call of "translate" with {"text": "the old letter"}
      And its context has the trajectory of the steps before it, and nothing of the call that waits
      And its context has the iteration 1
      And its context has the inputs {"question": "What does it say?"}

    @CNF-001 @must
    Scenario: Tools that don't require confirmation run at once
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM finishes
      And the LM answers {"answer": "a million"}
      When it is called with {"question": "How many?"}
      Then the tool "search" ran once with {"query": "the population of Rome"}

    @CNF-001 @must @since-2
    Scenario: The context of a second suspension has the steps before the first, too
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "translate" with {"text": "the new letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What do they say?"}
      And it is resumed with "yes"
      Then the suspension is about the call of "translate" with {"text": "the new letter"}
      And its context has the trajectory of the steps before it, and nothing of the call that waits

  Rule: An agreement is one to one call: a later call of the tool waits again, equal args or not

    @CNF-015 @practice
    Scenario: Every call of the tool waits, whatever became of an earlier one
      Given a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "translate" with {"text": "the new letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What do they say?"}
      And it is resumed with "yes"
      Then the call is suspended
      And the suspension is about the call of "translate" with {"text": "the new letter"}
      And the tool "translate" ran once with {"text": "the old letter"}

    @CNF-015 @practice @since-2
    Scenario: A call that was agreed to once waits when it is made again
      Given a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      Then the call is suspended
      And the suspension is about the call of "translate" with {"text": "the old letter"}
      And the tool "translate" ran once with {"text": "the old letter"}

    @CNF-015 @practice @since-2
    Scenario: Agreement to a call of an earlier run covers none of a later one
      Given a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      And it is called again with {"question": "What was it?"}
      Then the call is suspended
      And the suspension is about the call of "translate" with {"text": "the old letter"}
      And the tool "translate" ran once with {"text": "the old letter"}

    @CNF-015 @practice @since-2
    Scenario: A call waits that is made again after it was agreed to and failed
      Given a ReAct over "question -> answer" with the tool "translate"
      And the agent goes on after a tool that fails
      And the tool "translate" requires confirmation
      And the tool "translate" raises "no dictionary"
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "translate" with {"text": "the new letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What do they say?"}
      And it is resumed with "yes"
      Then the call is suspended
      And the suspension is about the call of "translate" with {"text": "the new letter"}

    @CNF-015 @practice @since-2
    Scenario: Agreement to a call of a run that failed covers none of a later one
      Given a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And as its next step the LM fails with "unauthorized"
      And the LM keeps calling "translate" with {"text": "the old letter"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      And it is called again with {"question": "What was it?"}
      Then the call is suspended
      And the suspension is about the call of "translate" with {"text": "the old letter"}

    @CNF-015 @practice @since-2
    Scenario: Every call of the tool waits after one was agreed to asynchronously
      Given a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "translate" with {"text": "the new letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What do they say?"}
      And it is resumed asynchronously with "yes"
      Then the call is suspended
      And the suspension is about the call of "translate" with {"text": "the new letter"}
      And the tool "translate" ran once with {"text": "the old letter"}

  Rule: The question reads "Confirm execution of {tool_name} with args: {args}? (yes/no)"

    @CNF-002 @must
    Scenario Outline: The question names the tool and its args
      Given a ReAct over "question -> answer" with the tools "add", "translate" and "ping"
      And the tools "add", "translate" and "ping" require confirmation
      And the LM calls "<tool>" with <args>
      And the LM finishes
      And the LM answers
      When it is called with {"question": "2+3"}
      Then the question is to confirm "<tool>" with <args>

      Examples:
        | tool      | args                       |
        | add       | {"a": 2, "b": 3}           |
        | translate | {"text": "the old letter"} |
        | ping      | {}                         |

  Rule: Confirmation ids are unique and their status can be queried

    @CNF-007 @must
    Scenario: Two suspended calls have ids of their own
      Given a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      And another one is called with {"question": "What does it say?"}
      Then every suspension has a confirmation id of its own

    @CNF-007 @must
    Scenario: Two like calls of a tool have two ids
      Given a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      And it is resumed with "no"
      Then every suspension has a confirmation id of its own

    @CNF-007 @must
    Scenario: A confirmation is pending until the user responds
      Given a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      Then the confirmation is "pending"

    @CNF-007 @must
    Scenario Outline: The status of a confirmation says what became of it
      Given a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      And it is resumed with "<response>"
      Then the confirmation is "<status>"

      Examples:
        | response | status   |
        | yes      | approved |
        | no       | rejected |

    @CNF-007 @must @since-2
    Scenario: A confirmation stays approved though the call fails
      Given a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" requires confirmation
      And the tool "translate" raises "no dictionary"
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      Then the confirmation is "approved"

    @CNF-007 @must
    Scenario: The status of a confirmation with an edited call is edited
      Given a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      And it is resumed with the response {"edit": {"name": "translate", "args": {"text": "the new letter"}}}
      Then the confirmation is "edited"

  Rule: Suspended state is serialisable: resume in a fresh process gives the same result

    @CNF-008 @practice
    Scenario: A fresh process goes on where the call was suspended
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes" here and in a fresh process
      Then a fresh process gives the same record
      And the last request shows the input {"question": "What does it say?"}

    @CNF-008 @practice
    Scenario: A fresh process knows what the user rejected
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "search" with {"query": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "nothing"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "no" here and in a fresh process
      Then a fresh process gives the same record
      And the prediction has {"answer": "nothing"}

    @CNF-008 @practice @since-2
    Scenario Outline: What a tool has returned outlives the suspension
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the tool "search" returns <value>
      And the LM calls "search" with {"query": "the population of Rome"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes" by another instance
      Then the trajectory holds observation of every step, in order
      And the trajectory records every step with the args and the observation that it had

      Examples:
        | value                      |
        | 0                          |
        | false                      |
        | ""                         |
        | []                         |
        | {"a": [null, {"b": "é"}]}  |

  Rule: A tool that raises the exception itself suspends the call with its own question, and is resumed

    @CNF-016 @must
    Scenario: The agent suspends the call whose tool asks a person
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" asks a person "Into which language?"
      And the LM calls "search" with {"query": "the old letter"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      Then the call is suspended
      And the question is "Into which language?"
      And the tool "translate" never ran

    @CNF-016 @must
    Scenario: The agent suspends the call whose async tool asks a person
      Given a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" is an async function
      And the tool "translate" asks a person "Into which language?"
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called asynchronously with {"question": "What does it say?"}
      Then the call is suspended
      And the question is "Into which language?"

    @CNF-016 @must
    Scenario: The tool that asked runs once the person has agreed, and the loop continues
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" asks a person "Really?"
      And the tool "translate" returns "a greeting"
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "search" with {"query": "greetings"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      Then the tool "translate" ran once with {"text": "the old letter"}
      And the tools ran in the order "translate" and "search"
      And the prediction has {"answer": "greetings"}

    @CNF-016 @must
    Scenario: A fresh process goes on where a tool asked a person
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" asks a person "Really?"
      And the tool "translate" returns "a greeting"
      And the LM calls "search" with {"query": "the old letter"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes" here and in a fresh process
      Then a fresh process gives the same record
      And the prediction has {"answer": "greetings"}
