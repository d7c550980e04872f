@transcript
Feature: Saved programs
  A program that was saved is what it was when it is loaded.

  Rule: Save and load of the program keeps its behaviour

    @TRN-011 @must
    Scenario: A loaded program does what the saved one does
      Given a transcript ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM submits {"answer": "the forum"}
      When it is called with {"question": "Where?"}
      And it is saved, loaded into a new one, and that is called with {"question": "Where?"}
      Then both made the same requests and had the same outcome

    @TRN-011 @must
    Scenario: Saving keeps the instructions of a program's turns
      Given a transcript ReAct over the signature class "question -> answer" with the tool "search"
      And its instructions read "Answer as a stonemason would."
      And the LM calls "search" with {"query": "Rome"}
      And the LM submits {"answer": "the forum"}
      When it is called with {"question": "Where?"}
      And it is saved, loaded into one without instructions, and that is called with {"question": "Where?"}
      Then both made the same requests and had the same outcome

    @TRN-011 @must
    Scenario: Saving keeps the instructions of a program's fallback
      Given a transcript ReAct over the signature class "question -> answer" with the tool "search"
      And its instructions read "Answer as a stonemason would."
      And max_steps is 1
      And the LM calls "search" with {"query": "Rome"}
      And the LM answers {"answer": "the forum"}
      When it is called with {"question": "Where?"}
      And it is saved, loaded into one without instructions, and that is called with {"question": "Where?"}
      Then both made the same requests and had the same outcome

    @TRN-011 @must @since-2
    Scenario: A loaded program keeps to the module's own adapter
      Given the module's own adapter is "json"
      And a transcript ReAct over "question -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM submits {"answer": "the forum"}
      When it is called with {"question": "Where?"}
      And it is saved, loaded into a new one, and that is called with {"question": "Where?"}
      Then both made the same requests and had the same outcome
