@robustness
Feature: What is declared
  Where the sources allow several behaviours, a manifest says which is its subject's. A declaration that isn't true is
  about the manifest: it is told as declared otherwise, and held against no requirement.

  Rule: What the manifest declares is what is observed

    @SAN-010 @retired
    Scenario: The agent treats an unknown tool name as it declares
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM selects the unknown tool "multiply" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the choice "unknown-tool" is as declared

    @SAN-010 @retired
    Scenario: The agent treats an unknown tool name after an error as it declares
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the tool "search" raises "the archive is closed"
      And the LM calls "search" with {"query": "heights"}
      And the LM selects the unknown tool "multiply" with {"a": 2, "b": 3}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the choice "unknown-tool" is as declared

    @SAN-010 @retired
    Scenario: The agent takes near misses for a tool as it declares
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM selects the tool "search" with {"query": "the height of the tower"}
      And the LM selects the tool Search with {"query": "the height of the tower"}
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      When it is called with {"question": "How high is the tower?"}
      Then the choice "tool-name-matching" is as declared

    @SAN-010 @retired
    Scenario: The agent treats args that aren't JSON as it declares
      Given a ReAct over "question -> answer" with the tools "add", "translate" and "ping"
      And the LM calls "add" with the args text "two and three"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the choice "malformed-args" is as declared

    @SAN-010 @retired
    Scenario: The agent treats JSON args that are no object as it declares
      Given a ReAct over "question -> answer" with the tools "add", "translate" and "ping"
      And the LM calls "add" with the args text "[2, 3]"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the choice "malformed-args" is as declared

    @SAN-010 @retired
    Scenario: The agent reads args in another notation as it declares
      Given a ReAct over "question -> answer" with the tools "add", "translate" and "ping"
      And the LM calls "add" with the args text "{'a': 2, 'b': 3}"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the choice "args-notation" is as declared

    @SAN-010 @retired
    Scenario: The agent takes empty args as it declares
      Given a ReAct over "question -> answer" with the tools "add", "translate" and "ping"
      And the LM calls "ping" with the args text "null"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the choice "empty-args" is as declared

    @SAN-010 @retired
    Scenario: The agent treats args that it could make fit as it declares
      Given a ReAct over "question -> answer" with the tools "add", "translate" and "ping"
      And the LM calls "add" with {"a": "2", "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the choice "schema-mismatch" is as declared

    @SAN-010 @retired
    Scenario: The agent treats a step that it can't read as it declares
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "add" with {"a": 2, "b": 3}
      And that step is garbled: prose
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the choice "malformed-reply" is as declared

    @SAN-010 @retired
    Scenario: The agent reads a field that stands twice in a step as it declares
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "add" with {"a": 2, "b": 3}
      And that step is garbled: contradicted-field
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the choice "repeated-field" is as declared

    @SAN-010 @retired
    Scenario: The agent reads a key that stands twice in the args as it declares
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "add" with the args text "{"a": 1, "a": 2, "b": 3}"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the choice "repeated-field" is as declared

    @SAN-010 @retired
    Scenario: The agent reads a field that stands twice in an answer as it declares
      Given a ReAct over "question -> answer, source" with the tool "search"
      And the LM finishes
      And the LM answers {"answer": "828 m", "source": "an atlas"}
      And that answer is garbled: contradicted-field
      When it is called with {"question": "How high is the tower?"}
      Then the choice "repeated-field" is as declared

    @SAN-010 @retired
    Scenario: The agent returns or refuses an answer for which no tokens were left, as it declares
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM finishes
      And the LM answers {"answer": "828 m"}
      And that answer is cut off after 100 percent
      When it is called with {"question": "How high is the tower?"}
      Then the choice "cut-off-answer" is as declared

    @SAN-010 @retired
    Scenario: The agent treats a tool's error as it declares
      Given a ReAct over "question -> answer" with the tools "search" and "add"
      And the tool "search" raises "no connection"
      And the LM calls "search" with {"query": "tower"}
      And the LM finishes
      And the LM answers {"answer": "unknown"}
      When it is called with {"question": "How high is the tower?"}
      Then the choice "tool-error" is as declared

    @SAN-010 @retired
    Scenario: The agent recovers from an LM fault as it declares
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 4
      And while no result of "add" is shown the LM calls it with {"a": 2, "b": 3}
      And as its next step the LM fails with "rate-limit"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the choice "lm-fault" is as declared

    @SAN-010 @retired
    Scenario: The agent does what it declares when the steps have run out
      Given a ReAct over "question -> answer" with the tool "add"
      And max_steps is 2
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the choice "steps-exhausted" is as declared
