@robustness
Feature: Calls that keep to themselves
  An instance is called again and again, and by many at once. What one call learnt is no other's to know.

  Rule: Two calls on one instance don't see each other's trajectory; call B after A equals B alone

    @ISO-001 @must
    Scenario: A second call behaves as it would alone
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 3
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "depths"}
      And the LM finishes
      And the LM answers {"answer": "another 5"}
      When it is called with {"question": "2+3"}
      And it is called again with {"question": "What else is 2+3?"}
      Then the last call is the same as it would be alone

    @ISO-001 @must
    Scenario: The same question is asked of the LM again
      Given a ReAct over "question -> answer" with the tool "weather"
      And the LM calls "weather" with {"city": "Paris"}
      And the LM finishes
      And the LM answers {"answer": "cold"}
      And the LM calls "weather" with {"city": "Paris"}
      And the LM finishes
      And the LM answers {"answer": "warm"}
      When it is called with {"question": "How is Paris?"}
      And it is called again with {"question": "How is Paris?"}
      Then the last call is the same as it would be alone

    @ISO-001 @must
    Scenario: A second call's requests show nothing of the first
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "heights"}
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "How high?"}
      And it is called again with {"question": "2+3"}
      Then no request of the last call shows anything of the call before

    @ISO-001 @must
    Scenario: A call after a failed one behaves as it would alone
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "heights"}
      And the LM finishes
      And as its next answer the LM fails with "unauthorized"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "How high?"}
      And it is called again with {"question": "2+3"}
      Then the last call is the same as it would be alone

    @ISO-001 @must @since-3
    Scenario Outline: A conversation without a history begins anew
      Given a conversation over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "towers"}
      And the LM finishes
      And the LM calls "search" with {"query": "bridges"}
      And the LM finishes
      And the LM answers {"answer": "twelve"}
      And the LM answers {"answer": "seven"}
      When it is called <how> {"question": "How many towers?"}
      And it is called <how> {"question": "How many bridges?"}
      Then no request of the last call shows anything of the call before

      Examples:
        | how                 |
        | with                |
        | asynchronously with |

    @ISO-001 @must @since-3
    Scenario Outline: A call under another adapter than the one before behaves as it would alone
      Given a <system> over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "towers"}
      And the LM finishes
      And the LM answers {"answer": "none"}
      And the LM calls "search" with {"query": "bridges"}
      And the LM finishes
      And the LM answers {"answer": "none"}
      When it is called with {"question": "How many towers?"}
      And it is called again with {"question": "How many bridges?"} under the global adapter "json"
      Then the last call is the same as it would be alone

      Examples:
        | system      |
        | ReAct       |
        | udspy ReAct |

    @ISO-001 @must @since-3
    Scenario: A call after one in which a tool failed behaves as it would alone
      Given a ReAct over "question -> answer" with the tool "search"
      And the tool "search" raises "no connection"
      And the LM calls "search" with {"query": "towers"}
      And the LM finishes
      And the LM calls "search" with {"query": "bridges"}
      And the LM finishes
      And the LM answers {"answer": "none"}
      And the LM answers {"answer": "none"}
      When it is called with {"question": "How many towers?"}
      And it is called with {"question": "How many bridges?"}
      Then the last call is the same as it would be alone

    @ISO-001 @must @since-2
    Scenario: A call after a failed one has its own history
      Given a ReAct over the signature class "question, history: dspy.History -> answer"
      And the tool "search"
      And the LM finishes
      And as its next answer the LM fails with "unauthorized"
      And the LM calls "search" with {"query": "depths"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "How high?"} after these turns:
        | question | answer |
        | 1+1      | 2      |
      And it is called with {"question": "2+3"} after these turns:
        | question  | answer       |
        | How deep? | eleven miles |
      Then the last call is the same as it would be alone

    @ISO-001 @must @since-3
    Scenario Outline: A call after one whose steps ran out behaves as it would alone
      Given the global adapter is "<dialect>"
      And a transcript ReAct over "question -> answer" with the tool "weather"
      And max_steps is 2
      And the LM calls "weather" with {"city": "Paris"}
      And the LM calls "weather" with {"city": "Oslo"}
      And the LM answers {"answer": "cold"}
      And the LM calls "weather" with {"city": "Lisbon"}
      And the LM submits {"answer": "windy"}
      When it is called with {"question": "How warm is it?"}
      And it is called again with {"question": "How is Lisbon?"}
      Then the last call is the same as it would be alone

      Examples:
        | dialect |
        | chat    |
        | native  |

    @ISO-001 @must @since-2
    Scenario: A call after one whose prompt didn't fit behaves as it would alone
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the prompt of the next extraction does not fit the context window
      And the LM finishes
      And as every further answer the LM answers {"answer": "5"}, reasoning ""
      And the LM calls "search" with {"query": "depths"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      When it is called with {"question": "How high?"}
      And it is called again with {"question": "2+3"}
      Then the last call is the same as it would be alone

  Rule: Concurrent calls (threads or tasks) on one instance don't mix

    @ISO-002 @practice
    Scenario: Calls in threads don't mix
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      When 3 calls are made at once on one instance, in threads
      Then no request and no tool run is of several calls
      And each call gets its own answer
      And each call is the same as it would be alone

    @ISO-002 @practice
    Scenario: Calls as tasks of one event loop don't mix
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "search" is an async function
      And the tool "translate" is an async function
      When 3 calls are made at once on one instance, in tasks
      Then no request and no tool run is of several calls
      And each call gets its own answer
      And each call is the same as it would be alone

    @ISO-002 @practice @since-2
    Scenario Outline: The options of calls at once don't mix
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      When 3 calls are made at once on one instance, in threads, each <with> of its own
      Then no request and no tool run is of several calls
      And each call gets its own answer
      And each call is the same as it would be alone

      Examples:
        | with                   |
        | with a max_steps       |
        | under a global adapter |

    @ISO-002 @practice @since-2
    Scenario Outline: The options of calls in tasks of one event loop don't mix
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the tool "search" is an async function
      And the tool "translate" is an async function
      When 3 calls are made at once on one instance, in tasks, each <with> of its own
      Then no request and no tool run is of several calls
      And each call gets its own answer
      And each call is the same as it would be alone

      Examples:
        | with                   |
        | with a max_steps       |
        | under a global adapter |

    @ISO-002 @practice @since-3
    Scenario: The histories of calls at once don't mix
      Given a ReAct over "question, history: dspy.History -> answer" with the tools "search" and "translate"
      When 3 calls are made at once on one instance, in threads, each after a history of its own
      Then no request and no tool run is of several calls
      And each call gets its own answer
      And each call is the same as it would be alone

    @ISO-002 @practice @since-3
    Scenario: The histories of calls in tasks of one event loop don't mix
      Given a ReAct over "question, history: dspy.History -> answer" with the tools "search" and "translate"
      And the tool "search" is an async function
      And the tool "translate" is an async function
      When 3 calls are made at once on one instance, in tasks, each after a history of its own
      Then no request and no tool run is of several calls
      And each call gets its own answer
      And each call is the same as it would be alone

  Rule: The caller's objects (inputs, history, signature, tools) are not modified by a call

    @ISO-003 @practice
    Scenario: A call leaves the caller's inputs, signature and tools unchanged
      Given a ReAct over "question, sources: list[str] -> answer" with the tools "add" and "search"
      And the caller's objects can be looked at after the call
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "heights"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3", "sources": ["a book", "an atlas"]}
      Then nothing that the caller handed over was changed

    @ISO-003 @practice
    Scenario: A call leaves the caller's conversation history unchanged
      Given a ReAct over the signature class "question, history: dspy.History -> answer"
      And the tool "add"
      And the caller's objects can be looked at after the call
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"} after these turns:
        | question | answer |
        | 1+1      | 2      |
      Then nothing that the caller handed over was changed

    @ISO-003 @practice
    Scenario: A call leaves the caller's signature class unchanged
      Given a ReAct over the signature class "question -> answer"
      And the caller's objects can be looked at after the call
      And the tool "add"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then nothing that the caller handed over was changed

    @ISO-003 @practice @since-2
    Scenario: An async call leaves the caller's conversation history unchanged
      Given a ReAct over the signature class "question, history: dspy.History -> answer"
      And the tool "add"
      And the caller's objects can be looked at after the call
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called asynchronously with {"question": "2+3"} after these turns:
        | question | answer |
        | 1+1      | 2      |
      Then nothing that the caller handed over was changed

    @ISO-003 @practice @since-3
    Scenario: A follow-up turn leaves the history it was given as it was
      Given a transcript ReAct over "question -> answer" with the tool "weather"
      And the LM calls "weather" with {"city": "Paris"}
      And the LM submits {"answer": "fifty degrees F"}
      And the LM submits {"answer": "ten degrees C"}
      And the LM submits {"answer": "it is cold"}
      When it is called with {"question": "How warm is it in Paris?"}
      And it is called with {"question": "Convert that number."} and the history of the first call
      And it is called with {"question": "Is that cold?"} and the history of the first call
      Then the last call's first request shows nothing of the second call

  Rule: What is set on one instance changes no other

    @ISO-004 @practice
    Scenario Outline: Another ReAct's instructions don't reach this one
      Given a ReAct over the signature class "question -> answer"
      And the tool "add"
      And another ReAct of the same signature <how> the instructions "Answer as a stonemason would."
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the LM was asked for 2 steps
      And the LM is never shown "Answer as a stonemason would."

      Examples:
        | how                  |
        | was constructed with |
        | has loaded           |
