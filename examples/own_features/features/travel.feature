Feature: The travel agent
  What we promise our users, whatever the LM says.

  Rule: A failed search is told to the LM, and is not repeated by the agent itself

    @TRIP-001 @must
    Scenario: The agent shows the LM why a search failed, and searches once
      Given a ReAct over "wish -> answer"
      And the tools:
        | name      | description           | parameters                   |
        | find_room | Finds a room in town. | {"town": {"type": "string"}} |
      And the tool "find_room" raises "no room on that day"
      And the LM calls "find_room" with {"town": "Oslo"}
      And the LM finishes
      And the LM answers {"answer": "There is no room."}
      When it is called with {"wish": "A room in Oslo"}
      Then the tool "find_room" ran once with {"town": "Oslo"}
      And the LM is shown "no room on that day"
      And the prediction has {"answer": "There is no room."}

  Rule: A journey of six legs is planned to its end

    @TRIP-002 @must
    Scenario: The agent takes six steps if the LM asks for six
      Given a ReAct over "wish -> answer" with the tools "add" and "search"
      And the LM calls "add" 6 times
      And the LM finishes
      And the LM answers {"answer": "Six legs."}
      When it is called with {"wish": "Around the world"}
      Then the tool "add" ran 6 times
