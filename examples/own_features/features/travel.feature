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

  Rule: A room is booked once, and who comes too late is told so

    @TRIP-003 @must
    Scenario: The second guest is told that no room is left
      Given a ReAct over "wish -> answer" with the tool "book_room"
      And the LM calls "book_room" with {"guest": "Ada"}
      And the LM calls "book_room" with {"guest": "Grace"}
      And the LM finishes
      And the LM answers {"answer": "Ada has the room, Grace has none."}
      When it is called with {"wish": "A room each for Ada and Grace"}
      Then the tool "book_room" ran 2 times
      And the LM is shown "no room is left"
      And the system prompt says "Books a room."
      And the agent asked the LM 4 times
      And the agent used at most 1000 tokens
      And the answer contains "Ada has the room"
      And the answer matches "Grace has (none|no room)"
      And the answer never shows "LookupError"
