@robustness
Feature: A provider that fails
  Providers limit rates, time out, break down and run out of context. What the tools have done by then is done.

  Rule: An LM fault surfaces as an error or as the recovery declared

    @ERR-012 @practice
    Scenario Outline: The agent gives up on a provider that is down for good
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 4
      And while no result of "add" is shown the LM calls it with {"a": 2, "b": 3}
      And as every further step the LM fails with "<fault>"
      And as every further answer the LM fails with "<fault>"
      When it is called with {"question": "2+3"}
      Then the call ends with an error

      Examples:
        | fault          |
        | rate-limit     |
        | timeout        |
        | server-error   |
        | context-window |
        | empty-choices  |
        | finish-length  |

    @ERR-012 @practice @since-3
    Scenario: The agent doesn't ask a provider that is down again and again for ever
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 4
      And while no result of "add" is shown the LM calls it with {"a": 2, "b": 3}
      And as every further step the LM fails with "server-error"
      And as every further answer the LM fails with "server-error"
      When it is called with {"question": "2+3"}
      Then the agent asked the LM at most 30 times

    @ERR-012 @practice @since-2
    Scenario Outline: The agent takes no LM fault for the answer when the steps have run out
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 1
      And while no result of "add" is shown the LM calls it with {"a": 2, "b": 3}
      And as every further step the LM fails with "<fault>"
      And as every further answer the LM fails with "<fault>"
      When it is called with {"question": "2+3"}
      Then the call ends with an error

      Examples:
        | fault        |
        | rate-limit   |
        | server-error |
        | unauthorized |

    @ERR-012 @practice @since-3
    Scenario Outline: The agent takes no LM fault in a step for something else
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 4
      And while no result of "add" is shown the LM calls it with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "heights"}
      And instead of that step the LM at first fails with "<fault>"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the call ended with an error, or the prediction has {"answer": "5"}

      Examples:
        | fault          |
        | truncated-body |
        | finish-length  |

    @ERR-012 @practice @since-3
    Scenario Outline: The agent takes no LM fault for the answer
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 4
      And while no result of "add" is shown the LM calls it with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      And instead of that answer the LM at first fails with "<fault>"
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the call ended with an error, or the prediction has {"answer": "5"}

      Examples:
        | fault         |
        | empty-choices |
        | finish-length |

  Rule: No tool that has run is run again after an LM fault

    @ERR-025 @practice
    Scenario Outline: The agent runs no tool again when a step meets an LM fault
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 4
      And while no result of "add" is shown the LM calls it with {"a": 2, "b": 3}
      And as its next step the LM fails with "<fault>"
      And the LM finishes
      And as every further answer the LM answers {"answer": "5"}, reasoning ""
      When it is called with {"question": "2+3"}
      Then no tool ran again after the LM fault

      Examples:
        | fault            |
        | rate-limit       |
        | timeout          |
        | server-error     |
        | context-window   |
        | connection-reset |
        | truncated-body   |
        | empty-choices    |
        | finish-length    |

    @ERR-025 @practice
    Scenario Outline: The agent runs no tool again when a step meets an LM fault once
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 4
      And while no result of "add" is shown the LM calls it with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "heights"}
      And instead of that step the LM at first fails with "<fault>"
      And the LM finishes
      And as every further answer the LM answers {"answer": "5"}, reasoning ""
      When it is called with {"question": "2+3"}
      Then no tool ran again after the LM fault

      Examples:
        | fault            |
        | rate-limit       |
        | timeout          |
        | server-error     |
        | context-window   |
        | connection-reset |
        | truncated-body   |
        | empty-choices    |
        | finish-length    |

    @ERR-025 @practice
    Scenario Outline: The agent runs no tool again when the answer meets an LM fault once
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 4
      And while no result of "add" is shown the LM calls it with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "heights"}
      And the LM finishes
      And the LM answers {"answer": "5"}
      And instead of that answer the LM at first fails with "<fault>"
      And as every further answer the LM answers {"answer": "5"}, reasoning ""
      When it is called with {"question": "2+3"}
      Then no tool ran again after the LM fault

      Examples:
        | fault          |
        | rate-limit     |
        | server-error   |
        | context-window |
        | empty-choices  |
        | finish-length  |

    @ERR-025 @practice
    Scenario Outline: The agent runs no tool again when several steps meet an LM fault
      Given a ReAct over "question -> answer" with the tools "add", "search" and "translate"
      And max_steps is 5
      And while no result of "add" is shown the LM calls it with {"a": 2, "b": 3}
      And the LM calls "search" with {"query": "heights"}
      And instead of that step the LM at first fails with "<fault>"
      And the LM calls "translate" with {"text": "five"}
      And instead of that step the LM at first fails with "<fault>"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no tool ran again after the LM fault

      Examples:
        | fault        |
        | rate-limit   |
        | server-error |

  Rule: A fault that no repetition can mend costs exactly one request

    @ERR-026 @practice @since-2
    Scenario Outline: The agent doesn't ask again in a step where no repetition mends the LM fault
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 4
      And while no result of "add" is shown the LM calls it with {"a": 2, "b": 3}
      And as its next step the LM fails with "<fault>"
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then the LM fault cost exactly one request

      Examples:
        | fault        |
        | bad-request  |
        | unauthorized |
        | forbidden    |

    @ERR-026 @practice @since-2
    Scenario Outline: The agent doesn't ask again for an answer where no repetition mends the LM fault
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And the LM finishes
      And as every further answer the LM fails with "<fault>"
      When it is called with {"question": "2+3"}
      Then the LM fault cost exactly one request

      Examples:
        | fault        |
        | bad-request  |
        | unauthorized |
        | forbidden    |

  Rule: No fault is answered by asking again in another format unless lm-fault says so

    @ERR-027 @practice @since-2
    Scenario Outline: The agent doesn't answer an LM fault by asking again in another format
      Given a ReAct over "question -> answer" with the tools "add" and "search"
      And max_steps is 4
      And as its next step the LM fails with "<fault>"
      And the LM calls "add" with {"a": 2, "b": 3}
      And the LM finishes
      And the LM answers {"answer": "5"}
      When it is called with {"question": "2+3"}
      Then no LM fault was answered by asking again in another format, unless repetitions are declared

      Examples:
        | fault            |
        | rate-limit       |
        | server-error     |
        | connection-reset |
