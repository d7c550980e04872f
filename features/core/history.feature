@core
Feature: The conversation history
  Where the user's signature has a conversation-history input, ReAct keeps it and includes it in the final extraction
  call; the trajectory stays what it is without one.

  Rule: With a history input, the extraction request shows the formatted history messages before the final request content

    @HIS-001 @must
    Scenario: The extraction request shows the earlier turns in order, before the question
      Given a ReAct over "question, history: dspy.History -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers {"answer": "the forum"}
      When it is called with {"question": "And its market?"} after these turns:
        | question             | answer            |
        | Which city is older? | Rome, by far      |
        | Who founded it?      | Romulus, they say |
        | On which river?      | on the Tiber      |
      Then the extraction request shows the earlier turns in order, before the current inputs

    @HIS-001 @must
    Scenario Outline: The extraction shows the earlier turns whatever the adapter
      Given a ReAct over "question, history: dspy.History -> answer" with the tool "search"
      And the global adapter is "<dialect>"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "And its market?"} after these turns:
        | question             | answer            |
        | Which city is older? | Rome, by far      |
        | Who founded it?      | Romulus, they say |
      Then the extraction request shows the earlier turns in order, before the current inputs

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |

    @HIS-001 @must
    Scenario: The history input may have any name and stand anywhere
      Given a ReAct over "talk: dspy.History, context, question -> answer" with the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"context": "a walk", "question": "And its market?"} after these turns:
        | context     | question             | answer            |
        | at the gate | Which city is older? | Rome, by far      |
        | on the hill | Who founded it?      | Romulus, they say |
      Then the extraction request shows the earlier turns in order, before the current inputs

    @HIS-001 @must
    Scenario: The extraction shows every output of an earlier turn
      Given a ReAct over "question, history: dspy.History -> answer, source" with the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "And its market?"} after these turns:
        | question             | answer            | source     |
        | Which city is older? | Rome, by far      | an almanac |
        | Who founded it?      | Romulus, they say | a legend   |
      Then the extraction request shows the earlier turns in order, before the current inputs

    @HIS-001 @must
    Scenario: A signature class may have a history input
      Given a ReAct over the signature class "question, history: dspy.History -> answer"
      And the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "And its market?"} after these turns:
        | question             | answer            |
        | Which city is older? | Rome, by far      |
        | Who founded it?      | Romulus, they say |
      Then the extraction request shows the earlier turns in order, before the current inputs

    @HIS-001 @must
    Scenario: The extraction shows the earlier turns when the steps have run out
      Given a ReAct over "question, history: dspy.History -> answer" with the tool "add"
      And max_steps is 2
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers
      When it is called with {"question": "And its market?"} after these turns:
        | question             | answer            |
        | Which city is older? | Rome, by far      |
        | Who founded it?      | Romulus, they say |
      Then the extraction request shows the earlier turns in order, before the current inputs

    @HIS-001 @must
    Scenario: Each extraction shows the history of its own call, and no other
      Given a ReAct over "question, history: dspy.History -> answer" with the tool "search"
      And the LM finishes
      And the LM finishes
      And the LM answers
      And the LM answers
      When it is called with {"question": "And its market?"} after these turns:
        | question             | answer       |
        | Which city is older? | Rome, by far |
      And it is called with {"question": "And its port?"} after these turns:
        | question        | answer            |
        | Who founded it? | Romulus, they say |
        | On which river? | on the Tiber      |
      Then the extraction request shows the earlier turns in order, before the current inputs
      And the extraction request shows no turn of an earlier call's history

    @HIS-001 @must
    Scenario: The history may be empty
      Given a ReAct over "question, history: dspy.History -> answer" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers {"answer": "the forum"}
      When it is called with {"question": "And its market?"} after no turns
      Then the extraction request shows the input {"question": "And its market?"}

    @HIS-001 @must
    Scenario: An empty history after a full one is empty
      Given a ReAct over "question, history: dspy.History -> answer" with the tool "search"
      And the LM finishes
      And the LM answers {"answer": "the forum"}
      And the LM finishes
      And the LM answers {"answer": "the market"}
      When it is called with {"question": "And its market?"} after these turns:
        | question             | answer       |
        | Which city is older? | Rome, by far |
      And it is called with {"question": "What is for sale?"} after no turns
      Then the extraction request shows no turn of an earlier call's history

  Rule: The extraction request shows the history with no value that nobody gave

    @HIS-004 @practice
    Scenario: The extraction adds no values to the earlier turns
      Given a ReAct over "question, history: dspy.History -> answer" with the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "And its market?"} after these turns:
        | question             | answer            |
        | Which city is older? | Rome, by far      |
        | Who founded it?      | Romulus, they say |
      Then the extraction request shows no value in the earlier turns that nobody gave

  Rule: Step requests that show the history show it with the values it has

    @HIS-003 @practice
    Scenario: The steps are shown every value of the earlier turns, and no other
      Given a ReAct over "question, history: dspy.History -> answer, source" with the tool "search"
      And the LM calls "search" with {"query": "Rome"}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "And its market?"} after these turns:
        | question             | answer            | source        |
        | Which city is older? | Rome, by far      | an old map    |
        | Who founded it?      | Romulus, they say | the she-wolf  |
      Then a step request that shows the earlier turns shows every value in them, and no other

  Rule: With history, trajectory still represents only the tool loop

    @HIS-002 @must
    Scenario: The trajectory holds the steps of the loop and no earlier turn
      Given a ReAct over "question, history: dspy.History -> answer" with the tools "search" and "add"
      And the LM calls "search" with {"query": "the forum"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers
      When it is called with {"question": "And its market?"} after these turns:
        | question             | answer            |
        | Which city is older? | Rome, by far      |
        | Who founded it?      | Romulus, they say |
      Then the trajectory holds tool name of every step, in order
      And the trajectory holds nothing that did not happen
      And the trajectory shows nothing of the earlier turns

    @HIS-002 @must
    Scenario: The trajectory holds no earlier turn when no tool ran
      Given a ReAct over "question, history: dspy.History -> answer" with the tool "search"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "And its market?"} after these turns:
        | question             | answer            |
        | Which city is older? | Rome, by far      |
        | Who founded it?      | Romulus, they say |
      Then the trajectory holds nothing that did not happen
      And the trajectory shows nothing of the earlier turns

    @HIS-002 @must
    Scenario: Earlier turns are not counted as steps
      Given a ReAct over "question, history: dspy.History -> answer" with the tool "add"
      And max_steps is 4
      And the LM keeps calling "add" with {"a": 2, "b": 3}
      And the LM answers
      When it is called with {"question": "And its market?"} after these turns:
        | question             | answer            |
        | Which city is older? | Rome, by far      |
        | Who founded it?      | Romulus, they say |
        | On which river?      | on the Tiber      |
      Then the LM was asked for 4 steps

    @HIS-002 @must
    Scenario: A follow-up call's trajectory holds the steps of that call only
      Given a ReAct over "question, history: dspy.History -> answer" with the tools "search" and "add"
      And the LM calls "search" with {"query": "the forum"}
      And the LM finishes
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "Rome, by far"}
      And the LM answers {"answer": "five"}
      When it is called with {"question": "Which city is older?"} after no turns
      And it is called with {"question": "How many hills?"} after these turns:
        | question             | answer       |
        | Which city is older? | Rome, by far |
      Then the trajectory holds tool name of every step, in order
      And the trajectory holds nothing that did not happen
      And the trajectory shows nothing of the earlier turns
