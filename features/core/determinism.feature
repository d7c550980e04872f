@core
Feature: The same again
  A subject that is asked the same and answered the same does the same: otherwise no finding could be reproduced.

  Rule: The same case gives the same record: again, after another case, and in a fresh process

    @SAN-009 @practice
    Scenario: A case played again gives the same record
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "search" with {"query": "heights"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      And another one is called with {"question": "2+3"}
      Then both records are the same

    @SAN-009 @practice
    Scenario: A case played after another case gives the same record
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      And another case is played in between
      And another one is called with {"question": "2+3"}
      Then both records are the same

    @SAN-009 @practice
    Scenario: A case played in a fresh process gives the same record
      Given a ReAct over "question -> answer" with the tools "add", "search", "translate", "weather" and "ping"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then a fresh process gives the same record
