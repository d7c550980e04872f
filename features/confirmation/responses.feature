@confirmation
Feature: What the user responds
  A suspended call is resumed with the user's response: yes, no, an edited call, or feedback for the agent.

  Rule: Resumed with yes or y, the pending call runs exactly once with its args and the loop continues

    @CNF-003 @must
    Scenario Outline: The agent runs the call that the user agrees to
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "<response>"
      Then the tool "translate" ran once with {"text": "the old letter"}
      And the tool "translate" ran after the response, not before

      Examples:
        | response |
        | yes      |
        | y        |

    @CNF-003 @must
    Scenario: The loop continues with the confirmed tool's result
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "search" with {"query": "greetings"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      Then every step request shows the result of each step before it
      And the tools ran in the order "translate" and "search"

    @CNF-003 @must @since-2
    Scenario: The loop continues with the steps that its call was given
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And max_steps is 5
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM keeps calling "search" with {"query": "greetings"}
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"} and max_steps 2
      And it is resumed with "yes"
      Then the tool "search" ran once with {"query": "greetings"}

  Rule: Resumed with no or n, the call never runs; the rejection becomes the observation; the agent decides next

    @CNF-004 @must
    Scenario Outline: The agent doesn't run the call that the user rejects
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "<response>"
      Then the tool "translate" never ran
      And the agent is told that the call was rejected

      Examples:
        | response |
        | no       |
        | n        |

    @CNF-004 @must
    Scenario: The agent decides what to do after a rejection
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "search" with {"query": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "found"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "no"
      Then the tool "search" ran once with {"query": "the old letter"}
      And the tool "translate" never ran

    @CNF-004 @must @since-3
    Scenario: The agent's outputs keep their types after a rejection
      Given a ReAct over "question -> answer, count: int" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "unknown", "count": 0}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "no"
      Then the tool "translate" never ran
      And the prediction has {"answer": "unknown", "count": 0}

    @CNF-004 @must @since-2
    Scenario: A rejected call is a step of the agent's
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And max_steps is 2
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM keeps calling "search" with {"query": "greetings"}
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "no"
      Then the tool "search" ran once with {"query": "greetings"}

    @CNF-004 @must @since-3
    Scenario: The agent doesn't run a call that the user rejects after agreeing to one of the same tool
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "translate" with {"text": "the new letter"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What do they say?"}
      And it is resumed with "yes"
      And it is resumed with "no"
      Then the tool "translate" ran once with {"text": "the old letter"}
      And the prediction has {"answer": "greetings"}

    @CNF-004 @must @since-2
    Scenario: A rejected call is recorded as the LM made it
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "no"
      Then the trajectory has {"text": "the old letter"} for the args of "translate"

  Rule: Resumed with free text, it's feedback to the agent; the tool doesn't run

    @CNF-005 @should
    Scenario: The agent takes what else the user says for feedback
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM calls "search" with {"query": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "found"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with the words "Look it up in the archive first."
      Then the tool "translate" never ran
      And the agent is told the words "Look it up in the archive first."
      And the tool "search" ran once with {"query": "the old letter"}
      And the prediction has {"answer": "found"}

    @CNF-005 @should
    Scenario: An empty response is no agreement
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      And it is resumed with ""
      Then the tool "translate" never ran

    @CNF-005 @should
    Scenario: Feedback that begins like an agreement is still feedback
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      And it is resumed with the words "yes, but only the first page"
      Then the tool "translate" never ran
      And the agent is told the words "yes, but only the first page"

  Rule: Resumed with {"edit": {"args"}}, the tool runs with these args, not with the original ones

    @CNF-006 @must
    Scenario: The agent runs the call with the args that the user edited
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with the response {"edit": {"name": "translate", "args": {"text": "the new letter"}}}
      Then the tool "translate" ran once with {"text": "the new letter"}
      And the result of "translate" is shown in the next request

    @CNF-006 @must @since-3
    Scenario: The agent runs the tool without args where the edit gives none
      Given a ReAct over "question -> answer"
      And the tools:
        | name     | description          | parameters                                  |
        | forecast | Looks at the clouds. | {"days": {"type": "integer", "default": 3}} |
      And the tool "forecast" requires confirmation
      And the LM calls "forecast" with {"days": 7}
      And the LM finishes
      And the LM answers {"answer": "rain"}
      When it is called with {"question": "How will it be?"}
      And it is resumed with the response {"edit": {"name": "forecast", "args": {}}}
      Then the tool "forecast" ran once with {"days": 3}

  Rule: Resumed with an edit that names another tool, that tool runs in the place of the one that waits

    @CNF-013 @should
    Scenario: The agent runs the tool that the user chose instead
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with the response {"edit": {"name": "search", "args": {"query": "the old letter"}}}
      Then the tool "search" ran once with {"query": "the old letter"}
      And the tool "translate" never ran
      And the result of "search" is shown in the next request

    @CNF-013 @should @since-2
    Scenario: The agent runs the edited call without args where the edit gives none
      Given a ReAct over "question -> answer" with the tools "ping" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with the response {"edit": {"name": "ping", "args": {}}}
      Then the tool "ping" ran once with {}
      And the tool "translate" never ran

  Rule: The record of an edited call has the call that ran, not the one that a person has replaced

    @CNF-014 @practice @since-2
    Scenario: The record tells of the edited call, not of the original
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with the response {"edit": {"name": "translate", "args": {"text": "the new letter"}}}
      Then the trajectory has {"text": "the new letter"} for the args of "translate"

  Rule: Nothing already executed runs again on resume

    @CNF-009 @must
    Scenario: The steps before the suspension are not repeated
      Given a ReAct over "question -> answer" with the tools "search", "ping" and "translate"
      And the tool "translate" requires confirmation
      And while no result of "search" is shown the LM calls it with {"query": "the old letter"}
      And the LM calls "ping"
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      Then the tool "search" ran once with {"query": "the old letter"}
      And the tool "ping" ran once with {}

    @CNF-009 @must
    Scenario: A confirmed tool isn't repeated when a later one waits
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tools "search" and "translate" require confirmation
      And the LM calls "search" with {"query": "the old letter"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      And it is resumed with "yes"
      Then the tool "search" ran once with {"query": "the old letter"}

    @CNF-009 @must
    Scenario: A rejection doesn't repeat the steps before it
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And while no result of "search" is shown the LM calls it with {"query": "the old letter"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      And it is resumed with "no"
      Then the tool "search" ran once with {"query": "the old letter"}

  Rule: Async resume equals sync resume

    @CNF-010 @must
    Scenario: An asynchronous agreement gives the same record
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "search" with {"query": "the old letter"}
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      And another one is called with {"question": "What does it say?"}
      And it is resumed asynchronously with "yes"
      Then the async call gave the same record as the sync one

    @CNF-010 @must
    Scenario: Asynchronous feedback gives the same record
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with the words "Don't bother."
      And another one is called with {"question": "What does it say?"}
      And it is resumed asynchronously with the words "Don't bother."
      Then the async call gave the same record as the sync one

  Rule: Malformed or repeated responses are refused with a clear error

    @CNF-012 @practice
    Scenario: A response to an unknown confirmation is refused
      Given a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes" under an unknown confirmation id
      Then the resumption is refused with a clear error
      And the tool "translate" never ran

    @CNF-012 @practice
    Scenario Outline: A second response is refused
      Given a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      And it is resumed with "<first>"
      And it is resumed with "<second>"
      Then nothing ran and nothing was asked for after the last response
      And the resumption is refused with a clear error

      Examples:
        | first | second |
        | yes   | yes    |
        | no    | yes    |
        | yes   | no     |

    @CNF-012 @practice @since-2
    Scenario: A second response is refused though the run has failed after the first
      Given a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And as its next step the LM fails with "unauthorized"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      And it is resumed with "yes"
      Then nothing ran and nothing was asked for after the last response
      And the resumption is refused with a clear error

    @CNF-012 @practice
    Scenario Outline: An edit that can't be read is refused
      Given a ReAct over "question -> answer" with the tool "translate"
      And the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      And it is resumed with the response <response>
      Then nothing ran and nothing was asked for after the last response
      And the resumption is refused with a clear error

      Examples:
        | response                                    |
        | {"edit": {"name": "translate", "args": {    |
        | {"edit": "translate"}                       |
        | {"edit": {"name": "translate", "args": [1]}} |
