@confirmation
Feature: A call of a transcript's turn that waits for confirmation
  An assistant that keeps a transcript may call several tools in one turn. Each of them that requires confirmation is
  asked about by itself; the other calls of the turn keep their results, and every result stays with its call.

  Rule: A tool that requires confirmation isn't executed on first selection; the call suspends with question, confirmation id, tool call and context

    @CNF-001 @must
    Scenario: The agent suspends the call of a turn that requires confirmation
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | translate | {"text": "the old letter"} |
        | weather   | {"city": "Avignon"}        |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      Then the call is suspended
      And the tool "translate" never ran
      And the suspension is about the call of "translate" with {"text": "the old letter"}

  Rule: An agreement is one to one call: a later call of the tool waits again, equal args or not

    @CNF-015 @practice
    Scenario: Each call of a turn that requires confirmation waits by itself
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | translate | {"text": "the old letter"} |
        | weather   | {"city": "Avignon"}        |
        | translate | {"text": "the new letter"} |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      Then the call is suspended
      And the suspension is about the call of "translate" with {"text": "the new letter"}
      And the tool "translate" ran once with {"text": "the old letter"}

    @CNF-015 @practice @since-2
    Scenario: Each call of a turn waits after one was agreed to asynchronously
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | translate | {"text": "the old letter"} |
        | translate | {"text": "the new letter"} |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What do they say?"}
      And it is resumed asynchronously with "yes"
      Then the call is suspended
      And the suspension is about the call of "translate" with {"text": "the new letter"}
      And the tool "translate" ran once with {"text": "the old letter"}

    @CNF-015 @practice @since-3
    Scenario: One agreement holds for one of two equal calls of a turn
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | translate | {"text": "the old letter"} |
        | translate | {"text": "the old letter"} |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What do they say?"}
      And it is resumed with "yes"
      Then the call is suspended
      And the suspension is about the call of "translate" with {"text": "the old letter"}
      And the tool "translate" ran once with {"text": "the old letter"}

  Rule: The question reads "Confirm execution of {tool_name} with args: {args}? (yes/no)"

    @CNF-002 @must
    Scenario: The question names the call of the turn that waits
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | weather   | {"city": "Avignon"}        |
        | translate | {"text": "the old letter"} |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      Then the question is to confirm "translate" with {"text": "the old letter"}

  Rule: Resumed with yes or y, the pending call runs exactly once with its args and the loop continues

    @CNF-003 @must
    Scenario: The agent runs the call of a turn that the user agrees to, and the others
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | translate | {"text": "the old letter"} |
        | weather   | {"city": "Avignon"}        |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      Then these tools ran, each call once:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | translate | {"text": "the old letter"} |
        | weather   | {"city": "Avignon"}        |
      And the tool "translate" ran after the response, not before

    @CNF-003 @must
    Scenario: The loop continues with every result beside its call
      Given the global adapter is "native"
      And a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | translate | {"text": "the old letter"} |
        | weather   | {"city": "Avignon"}        |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      Then the next request shows the results by the ids of their calls

  Rule: Resumed with no or n, the call never runs; the rejection becomes the observation; the agent decides next

    @CNF-004 @must
    Scenario: The agent doesn't run the call of a turn that the user rejects
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | translate | {"text": "the old letter"} |
        | weather   | {"city": "Avignon"}        |
      And the LM submits {"answer": "unknown"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "no"
      Then these tools ran, each call once:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | weather   | {"city": "Avignon"}        |
      And the agent is told that the call was rejected

  Rule: Resumed with free text, it's feedback to the agent; the tool doesn't run

    @CNF-005 @should
    Scenario: The agent takes what else the user says of a call of a turn for feedback
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | translate | {"text": "the old letter"} |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with the words "Look it up in the archive first."
      Then the tool "translate" never ran
      And the agent is told the words "Look it up in the archive first."

  Rule: Resumed with {"edit": {"args"}}, the tool runs with these args, not with the original ones

    @CNF-006 @must
    Scenario: The agent runs the edited one of two like calls of a turn
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | translate | {"text": "the old letter"} |
        | translate | {"text": "the new letter"} |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with the response {"edit": {"name": "translate", "args": {"text": "the last letter"}}}
      And it is resumed with "yes"
      Then these tools ran, each call once:
        | tool      | args                        |
        | translate | {"text": "the last letter"} |
        | translate | {"text": "the new letter"}  |

  Rule: The record of an edited call has the call that ran, not the one that a person has replaced

    @CNF-014 @practice
    Scenario: The record tells of the edited one of the calls of a turn
      Given a transcript ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | translate | {"text": "the old letter"} |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with the response {"edit": {"name": "translate", "args": {"text": "the new letter"}}}
      Then the trajectory has {"text": "the new letter"} for the args of "translate"

  Rule: Confirmation ids are unique and their status can be queried

    @CNF-007 @must
    Scenario: Two calls of one turn have two ids
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | translate | {"text": "the old letter"} |
        | translate | {"text": "the old letter"} |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "no"
      Then every suspension has a confirmation id of its own

    @CNF-007 @must
    Scenario: The next call of a turn is pending after the user has agreed to one
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tools "search" and "translate" require confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | translate | {"text": "the old letter"} |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      Then the confirmation is "pending"

  Rule: Suspended state is serialisable: resume in a fresh process gives the same result

    @CNF-008 @practice
    Scenario: A fresh process goes on in the middle of a turn
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | translate | {"text": "the old letter"} |
        | weather   | {"city": "Avignon"}        |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes" here and in a fresh process
      Then a fresh process gives the same record
      And these tools ran, each call once:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | translate | {"text": "the old letter"} |
        | weather   | {"city": "Avignon"}        |
      And the prediction has {"answer": "greetings"}

  Rule: Nothing already executed runs again on resume

    @CNF-009 @must
    Scenario: The agent doesn't repeat the calls of a turn that ran before the one that waited
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | weather   | {"city": "Avignon"}        |
        | translate | {"text": "the old letter"} |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      Then these tools ran, each call once:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | weather   | {"city": "Avignon"}        |
        | translate | {"text": "the old letter"} |

    @CNF-009 @must
    Scenario: The agent doesn't repeat a confirmed call of a turn when a later one waits
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tools "search" and "translate" require confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | translate | {"text": "the old letter"} |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      And it is resumed with "no"
      Then the tool "search" ran once with {"query": "bridges"}
      And the tool "translate" never ran

  Rule: Async resume equals sync resume

    @CNF-010 @must
    Scenario: An asynchronous agreement to a call of a turn gives the same record
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | translate | {"text": "the old letter"} |
        | weather   | {"city": "Avignon"}        |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      And another one is called with {"question": "What does it say?"}
      And it is resumed asynchronously with "yes"
      Then the async call gave the same record as the sync one

  Rule: A clarification tool suspends with its question, and the answer becomes the observation

    @CNF-011 @must
    Scenario: The user's answer becomes the observation in a transcript
      Given a transcript ReAct over "question -> answer" with the tools "search" and "translate"
      And the agent may ask the user
      And the LM asks the user "Which letter do you mean?"
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with the words "The old one."
      Then the agent is told the words "The old one."
      And the tool "translate" ran once with {"text": "the old letter"}

  Rule: Malformed or repeated responses are refused with a clear error

    @CNF-012 @practice
    Scenario: A second response to a call of a turn is refused
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | translate | {"text": "the old letter"} |
        | weather   | {"city": "Avignon"}        |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "no"
      And it is resumed with "yes"
      Then nothing ran and nothing was asked for after the last response
      And the resumption is refused with a clear error

    @CNF-012 @practice
    Scenario: The agent refuses an edit of a call of a turn that it can't read
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" requires confirmation
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | search    | {"query": "bridges"}       |
        | translate | {"text": "the old letter"} |
        | weather   | {"city": "Avignon"}        |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with the response {"edit": {"name": "translate", "args": [1]}}
      Then nothing ran and nothing was asked for after the last response
      And the resumption is refused with a clear error

  Rule: A tool that raises the exception itself suspends the call with its own question, and is resumed

    @CNF-016 @must
    Scenario: The other calls of the turn run beside the one whose tool asks a person
      Given a transcript ReAct over "question -> answer" with the tools "search", "weather" and "translate"
      And the tool "translate" asks a person "Really?"
      And the tool "translate" returns "a greeting"
      And the LM makes these calls in one turn:
        | tool      | args                       |
        | translate | {"text": "the old letter"} |
        | weather   | {"city": "Avignon"}        |
      And the LM submits {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "yes"
      Then the tool "translate" ran once with {"text": "the old letter"}
      And the tool "weather" ran once with {"city": "Avignon"}
      And the prediction has {"answer": "greetings"}
