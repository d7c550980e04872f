@robustness
Feature: Malformed answers
  The extraction's reply may be malformed, too. There is nothing to observe it any more: it is asked for again, or the
  call ends with a typed error.

  Rule: A malformed extraction reply is retried or reported as a typed error, never a success with missing outputs

    @ERR-011 @must
    Scenario Outline: The agent ends with a typed error on an answer that it can't read
      Given a ReAct over "question -> answer, source" with the tool "search"
      And the LM calls "search" with {"query": "tower"}
      And the LM finishes
      And the LM answers {"answer": "828 m", "source": "an atlas"}
      And that answer is garbled: <form>
      When it is called with {"question": "How high is the tower?"}
      Then the extraction's reply is malformed, and the call ends with a typed error

      Examples:
        | form               |
        | missing-field      |
        | empty              |
        | prose              |
        | other-phase        |

    @ERR-011 @must @since-2
    Scenario: The agent gives one of the two values of a field that stands twice, or refuses the answer
      Given a ReAct over "question -> answer, source" with the tool "search"
      And the LM calls "search" with {"query": "tower"}
      And the LM finishes
      And the LM answers {"answer": "828 m", "source": "an atlas"}
      And that answer is garbled: contradicted-field
      When it is called with {"question": "How high is the tower?"}
      Then the prediction has one of the two values, or the call ended with a typed error

    @ERR-011 @must
    Scenario Outline: The agent gives what there is of an answer that is cut off, or ends with a typed error
      Given a ReAct over "question -> answer" with the tool "search"
      And the LM finishes
      And the LM answers {"answer": "The tower is 828 metres high, which makes it the highest tower there ever was."}
      And that answer is cut off after <percent> percent
      When it is called with {"question": "How high is the tower?"}
      Then the extraction's reply is malformed, and the call ends with a typed error

      Examples:
        | percent |
        | 5       |
        | 40      |
        | 60      |
        | 70      |
        | 100     |

    @ERR-011 @must
    Scenario Outline: The agent gives a plainly readable broken answer as it is meant, or refuses it
      Given a ReAct over "question -> answer, source" with the tool "search"
      And the LM finishes
      And the LM answers {"answer": "828 m", "source": "an atlas"}
      And that answer is garbled: <form>
      When it is called with {"question": "How high is the tower?"}
      Then the call ended with a typed error, or the prediction has {"answer": "828 m", "source": "an atlas"}

      Examples:
        | form          |
        | no-end        |
        | reordered     |
        | unknown-field |
        | wrong-case    |
        | fenced        |
