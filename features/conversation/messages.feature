@conversation
Feature: The append-only conversation

  Rule: History is a list of user and assistant messages

    @CNV-001 @must @kills:step-as-json-in-user-message
    Scenario: The steps of a turn are user and assistant messages
      Given a conversation over "question -> answer" with the tools "search" and "add"
      And the LM calls "search" with {"query": "hills"}
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "seven"}
      When it is called with {"question": "How many hills?"}
      Then every request is a system prompt and then user and assistant messages in turn
      And what the LM said before stands in assistant messages, and in no user message
      And the prediction has {"answer": "seven"}
