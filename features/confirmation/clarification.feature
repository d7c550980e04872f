@confirmation
Feature: The agent asks the user
  With user clarification enabled, the agent has a tool by which it asks the user. Its call suspends with the agent's
  own question, and the user's answer is its observation.

  Rule: A clarification tool suspends with its question, and the answer becomes the observation

    @CNF-011 @must
    Scenario: The call is suspended with the agent's question
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the agent may ask the user
      And the LM asks the user "Which letter do you mean?"
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      Then the call is suspended
      And the question is "Which letter do you mean?"

    @CNF-011 @must
    Scenario: The user's answer becomes the observation
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the agent may ask the user
      And the LM asks the user "Which letter do you mean?"
      And the LM calls "translate" with {"text": "the old letter"}
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with the words "The old one."
      Then the agent is told the words "The old one."
      And the tool "translate" ran once with {"text": "the old letter"}

    @CNF-011 @must
    Scenario Outline: The observation is whatever the user answers
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the agent may ask the user
      And the LM asks the user "Is it the old letter?"
      And the LM finishes
      And the LM answers {"answer": "greetings"}
      When it is called with {"question": "What does it say?"}
      And it is resumed with "<answer>"
      Then the agent is told the answer "<answer>" for its observation

      Examples:
        | answer |
        | yes    |
        | no     |

    @CNF-011 @must
    Scenario: The agent doesn't offer the user as one to ask unless enabled
      Given a ReAct over "question -> answer" with the tools "search" and "translate"
      And the agent may not ask the user
      And the LM finishes
      And the LM answers
      When it is called with {"question": "What does it say?"}
      Then the user is not offered to the agent as one to ask
