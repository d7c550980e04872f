@core
Feature: Found by fuzzing
  Episodes that nobody thought of, each as small as it gets: somebody once got it wrong.

  Rule: Each call the LM asked for runs at most once; once where nothing forbids it

    @SAN-003 @must
    Scenario: The agent doesn't run a tool again that returned nothing
      Given a ReAct over the arrow string "question, context: int -> answer, summary: int"
      And the tool "add" described as "Adds." with the schema {"type": "object", "properties": {}, "required": []}
      And the tool "add" returns null
      And as its next step the LM calls "add" with {}, thinking "Let me see."
      And as every further step the LM finishes with {}, thinking "Let me see."
      And as every further extraction the LM answers {"answer": "Rome", "summary": 7}, reasoning "Let me see."
      When it is called with exactly {"question": "Rome", "context": 7}
      Then the episode keeps every invariant
