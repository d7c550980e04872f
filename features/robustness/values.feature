@robustness
Feature: Values of any kind
  What goes in comes out, whatever alphabet, length and depth it has.

  Background:
    Given a ReAct over "question -> answer" with the tools "translate" and "ping"

  Rule: Unicode, control characters, line ends, very long values, nested JSON and empty strings reach the tool in its args unchanged

    @ERR-010 @practice
    Scenario Outline: The tool gets a text in its args unchanged
      Given the LM calls "translate" with {"text": <text>}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the tool "translate" ran once with {"text": <text>}

      Examples:
        | text                                                                                            |
        | "é ß ñ 日本語 한국어 🙂 👩‍👩‍👧 𝔘𝔫𝔦, e\\u0301 is not \\u00e9"                                          |
        | "\\u202eright to left\\u202c \\u200bzero\\ufeffwidth nul\\u0000 bell\\u0007 escape\\u001b[31m delete\\u007f" |
        | "line one\\nline two\\r\\nline three form\\ffeed \\u000b \\u0085 \\u2028 separators"            |
        | "tab\\there, \\"quotes\\", back\\\\slash, sl/ash, \\\\n is no newline, \\\\u0041 is no A"       |
        | "<b>bold</b> &amp; &#39; %s {0} ${HOME} {question} {{x}} <x>"                                   |
        | "{\\"a\\": [1, {\\"b\\": null}]}"                                                               |
        | "none"                                                                                          |
        | ""                                                                                              |

    @ERR-010 @practice
    Scenario: The tool gets a text in its args with the blank space around it
      Given the LM calls "translate" with {"text": " \n blank space around \t\n"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the tool "translate" ran once with {"text": " \n blank space around \t\n"}

    @ERR-010 @practice @since-3
    Scenario Outline: The tool gets texts in its args unchanged whatever the adapter
      Given the global adapter is "<dialect>"
      And max_steps is 8
      And the LM calls "translate" with {"text": "é ß ñ 日本語 한국어 🙂, e\u0301 is not \u00e9"}
      And the LM calls "translate" with {"text": "\u202eright to left\u202c \u200bzero\ufeffwidth, bell\u0007 delete\u007f"}
      And the LM calls "translate" with {"text": "line one\nline two\r\nline three form\ffeed \u000b \u0085 \u2028 separators"}
      And the LM calls "translate" with {"text": "tab\there, \"quotes\", back\\slash, \\n is no newline"}
      And the LM calls "translate" with {"text": "\u003cb\u003ebold\u003c/b\u003e &amp; &#39; %s {0} ${HOME} {{x}} \u003cx\u003e"}
      And the LM calls "translate" with {"text": " blank space around "}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then these tools ran, in this order:
        | tool      | args                                                                                                  |
        | translate | {"text": "é ß ñ 日本語 한국어 🙂, e\\u0301 is not \\u00e9"}                                             |
        | translate | {"text": "\\u202eright to left\\u202c \\u200bzero\\ufeffwidth, bell\\u0007 delete\\u007f"}            |
        | translate | {"text": "line one\\nline two\\r\\nline three form\\ffeed \\u000b \\u0085 \\u2028 separators"}        |
        | translate | {"text": "tab\\there, \\"quotes\\", back\\\\slash, \\\\n is no newline"}                              |
        | translate | {"text": "\\u003cb\\u003ebold\\u003c/b\\u003e &amp; &#39; %s {0} ${HOME} {{x}} \\u003cx\\u003e"}                                          |
        | translate | {"text": " blank space around "}                                                                      |

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |
        | native  |

    @ERR-010 @practice
    Scenario: The tool gets a whole number that no double is, or the double next to it
      Given the tools:
        | name  | description     | parameters                     |
        | store | Keeps a number. | {"number": {"type": "integer"}} |
      And the LM calls "store" with {"number": 9007199254740993}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "Keep it."}
      Then the tool "store" ran with {"number": 9007199254740993}, or not at all
      And the call ends in order, or with a typed error

    @ERR-010 @practice
    Scenario: The tool gets a very long text whole
      Given the LM calls "translate" with a text of 50000 characters
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then no tool call was guessed

    @ERR-010 @practice
    Scenario: The tool gets nested JSON as it is
      Given the tools:
        | name  | description    | parameters                    |
        | store | Keeps a value. | {"value": {"type": "object"}} |
      And the LM calls "store" with {"value": {}}
      And the LM calls "store" with {"value": {"a": {"b": {"c": [1, 2.5, null, true, "x", [], {}]}}}}
      And the LM calls "store" with {"value": {"": "", "é": {"日": "本"}, "a.b": {"c d": [[[["deep"]]]]}}}
      And the LM calls "store" with {"value": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {}}}}}}}}}}}}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "Keep it."}
      Then these tools ran, in this order:
        | tool  | args                                                                                  |
        | store | {"value": {}}                                                                         |
        | store | {"value": {"a": {"b": {"c": [1, 2.5, null, true, "x", [], {}]}}}}                     |
        | store | {"value": {"": "", "é": {"日": "本"}, "a.b": {"c d": [[[["deep"]]]]}}}                  |
        | store | {"value": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {}}}}}}}}}}}}   |

    @ERR-010 @practice
    Scenario: The tool gets the values that some language renders otherwise
      Given max_steps is 20
      And the tools:
        | name  | description    | parameters                    |
        | store | Keeps a value. | {"value": {"type": "object"}} |
      And the LM calls "store" with each value that a language loses
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "Keep them."}
      Then no tool call was guessed

    @ERR-010 @practice
    Scenario: The tool gets args in another order than it declares them, each under its name
      Given the tool "add"
      And the LM calls "add" with {"b": 3, "a": 2}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "2+3"}
      Then the tool "add" ran once with {"a": 2, "b": 3}

  Rule: Such values reach the LM and the recorded trajectory as observations unchanged

    @ERR-022 @practice
    Scenario Outline: A result that some language renders otherwise is shown unchanged
      Given the tool "ping" hands back <what>
      And the LM calls "ping"
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "Is it there?"}
      Then the result of "ping" is shown unchanged in the next request

      Examples:
        | what               |
        | small numbers      |
        | numbers of letters |
        | 56 numbers         |
        | 120 numbers        |
        | deep values        |
        | empty values       |
        | keys of objects    |
        | words for others   |
        | groups             |
        | dollars            |
        | percent signs      |
        | braces             |

    @ERR-022 @practice
    Scenario Outline: A text that a tool returns is shown unchanged
      Given the tool "translate" returns <text>
      And the LM calls "translate" with {"text": "it"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the result of "translate" is shown unchanged in the next request

      Examples:
        | text                                                            |
        | "é ß ñ 日本語 한국어"                                             |
        | "🙂 👩‍👩‍👧 𝔘𝔫𝔦"                                                 |
        | "e\\u0301 is not \\u00e9"                                       |
        | "tab\\there, \\"quotes\\", back\\\\slash, sl/ash"               |
        | "nul\\u0000 bell\\u0007 escape\\u001b[31m delete\\u007f"        |
        | "<b>bold</b> &amp; &#39;"                                       |
        | "two  blanks,  a tab\\tand\\n\\n  a paragraph"                     |
        | {"a": [1, 2.5, null, true, "é", [], {"b": ""}]}                 |
        | {"value": 828, "unit": "m"}                                     |

    @ERR-022 @practice
    Scenario Outline: A result that is next to nothing is shown in the place of the observation
      Given the tool "ping" returns <value>
      And the LM calls "ping"
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "Is it there?"}
      Then the result of "ping" is shown unchanged in the next request

      Examples:
        | value |
        | 0     |
        | false |
        | ""    |
        | []    |
        | {}    |

    @ERR-022 @practice @since-3
    Scenario: A text that a tool returns is shown with the blank space around it
      Given the tool "translate" returns "  blank space  around  "
      And the LM calls "translate" with {"text": "it"}
      And the LM calls "ping"
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the LM reads "  blank space  around  " unescaped in the last request

    @ERR-022 @practice @since-3
    Scenario Outline: Texts that a tool returns are shown unchanged whatever the adapter
      Given the global adapter is "<dialect>"
      And the tool "translate" returns "é 日本語 🙂 \"quotes\", back\\slash, \u003cb\u003ebold\u003c/b\u003e &amp; {0},  two  blanks\n\n  a paragraph"
      And the LM calls "translate" with {"text": "it"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the result of "translate" is shown unchanged in the next request

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |
        | native  |

    @ERR-022 @practice @since-3
    Scenario: A very long text that a tool returns is shown whole
      Given the tool "translate" returns a text of 50000 characters
      And the LM calls "translate" with {"text": "it"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the result of "translate" is shown unchanged in the next request

    @ERR-022 @practice @since-3
    Scenario: The trajectory holds what tools returned unchanged
      Given max_steps is 8
      And the tool "translate" returns "é ß ñ 日本語 🙂, e\u0301 is not \u00e9"
      And the tool "translate" returns "nul\u0000 bell\u0007 escape\u001b[31m delete\u007f"
      And the tool "translate" returns "tab\there, \"quotes\", back\\slash, <b>bold</b> &amp; &#39;"
      And the tool "translate" returns " blank space around,  two  blanks\n\n  a paragraph\n"
      And the tool "translate" returns {"a": [1, 2.5, null, true, "é", [], {"b": ""}]}
      And the tool "translate" returns ""
      And the LM takes 6 steps with the tool "translate" and {"text": "it"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the trajectory records every step with the args and the observation that it had

    @ERR-022 @practice @since-3
    Scenario: The trajectory holds a very long text that a tool returned whole
      Given the tool "translate" returns a text of 50000 characters
      And the LM calls "translate" with {"text": "it"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the trajectory records every step with the args and the observation that it had

  Rule: Such values reach the caller as outputs unchanged

    @ERR-023 @practice
    Scenario Outline: The prediction has a text in the answer unchanged
      Given the LM finishes
      And the LM answers exactly {"answer": <text>}
      When it is called with {"question": "What does it mean?"}
      Then the prediction has exactly {"answer": <text>}

      Examples:
        | text                                                            |
        | "é ß ñ 日本語 한국어"                                             |
        | "🙂 👩‍👩‍👧 𝔘𝔫𝔦"                                                 |
        | "e\\u0301 is not \\u00e9"                                       |
        | "tab\\there, \\"quotes\\", back\\\\slash, sl/ash"               |
        | "\\"quoted\\" from end to \\"end\\""                            |
        | "left \\\\0 \\\\1 $& $1 $$ 100%s {0} #{x} right"                  |
        | "line one\\nline two\\r\\nline three"                           |
        | "form\\ffeed \\u000b \\u0085 \\u2028 separators"                |
        | "nul\\u0000 bell\\u0007 escape\\u001b[31m delete\\u007f"        |
        | "<b>bold</b> &amp; &#39;"                                       |
        | "\\\\n is no newline, \\\\u0041 is no A"                        |
        | ""                                                              |

    @ERR-023 @practice @since-3
    Scenario: The prediction has the text null in an answer that is JSON
      Given replies are asked for in "json"
      And the LM finishes
      And the LM answers exactly {"answer": "null"}
      When it is called with {"question": "What does it mean?"}
      Then the prediction has exactly {"answer": "null"}

    @ERR-023 @practice @since-3
    Scenario Outline: The prediction has a text in the answer with the blank space around it
      Given replies are asked for in "<dialect>"
      And the LM finishes
      And the LM answers exactly {"answer": " blank space around\n"}
      When it is called with {"question": "What does it mean?"}
      Then the prediction has exactly {"answer": " blank space around\n"}, if the reply is JSON

      Examples:
        | dialect |
        | json    |
        | native  |

    @ERR-023 @practice @since-3
    Scenario: The prediction has the texts in a list with the blank space around them
      Given a ReAct over "question -> parts: list[str]" with the tools "translate" and "ping"
      And the LM finishes
      And the LM answers exactly {"parts": [" two", "three\n"]}
      When it is called with {"question": "What does it mean?"}
      Then the prediction has exactly {"parts": [" two", "three\n"]}

    @ERR-023 @practice @since-3
    Scenario Outline: The prediction has the texts in a list unchanged whatever the adapter
      Given a ReAct over "question -> parts: list[str]" with the tools "translate" and "ping"
      And the global adapter is "<dialect>"
      And the LM finishes
      And the LM answers exactly {"parts": ["é ß 日本語 🙂", "form\ffeed \u000b \u0085 \u2028 separators", "back\\slash, \"quotes\"", "\u003cb\u003e &amp;"]}
      When it is called with {"question": "What does it mean?"}
      Then the prediction has exactly {"parts": ["é ß 日本語 🙂", "form\ffeed \u000b \u0085 \u2028 separators", "back\\slash, \"quotes\"", "\u003cb\u003e &amp;"]}

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |
        | native  |

    @ERR-023 @practice @since-3
    Scenario Outline: The prediction has texts unchanged whatever the adapter
      Given a ReAct over "question -> letters, quotes, braces, lines" with the tools "translate" and "ping"
      And the global adapter is "<dialect>"
      And the LM finishes
      And the LM answers exactly {"letters": "é ß ñ 日本語 🙂, e\u0301 is not \u00e9", "quotes": "\"quoted\", back\\slash, \\n is no newline", "braces": "%s {0} ${HOME} {question} {{x}}", "lines": "one\ntwo \u0085 \u2028 separators"}
      When it is called with {"question": "What does it mean?"}
      Then the prediction has exactly {"letters": "é ß ñ 日本語 🙂, e\u0301 is not \u00e9", "quotes": "\"quoted\", back\\slash, \\n is no newline", "braces": "%s {0} ${HOME} {question} {{x}}", "lines": "one\ntwo \u0085 \u2028 separators"}

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |
        | native  |

  Rule: Such values reach the LM as inputs unchanged

    @ERR-024 @practice
    Scenario: Texts that some language renders otherwise are shown as an input unchanged
      Given the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with the texts that a language loses
      Then every request shows the whole question

    @ERR-024 @practice
    Scenario Outline: The LM is shown a text in the inputs unchanged
      Given the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": <text>}
      Then every request shows the input {"question": <text>}

      Examples:
        | text                                                            |
        | "é ß ñ 日本語 한국어"                                             |
        | "🙂 👩‍👩‍👧 𝔘𝔫𝔦"                                                 |
        | "tab\\there, \\"quotes\\", back\\\\slash, sl/ash"               |
        | "nul\\u0000 bell\\u0007 escape\\u001b[31m delete\\u007f"        |
        | "<b>bold</b> &amp; &#39;"                                       |
        | "%s {0} ${HOME} {question} {{x}} <x>"                           |

    @ERR-024 @practice @since-3
    Scenario: The LM is shown a text in the inputs with the blank space around it
      Given the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with exactly {"question": "  blank space  around  "}
      Then the LM reads "  blank space  around  " unescaped in every request

    @ERR-024 @practice @since-3
    Scenario Outline: The LM is shown texts in the inputs unchanged whatever the adapter
      Given a ReAct over "letters, quotes, tags -> answer" with the tools "translate" and "ping"
      And the global adapter is "<dialect>"
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"letters": "é ß ñ 日本語 🙂", "quotes": "tab\there, \"quotes\", back\\slash", "tags": "\u003cb\u003ebold\u003c/b\u003e &amp; &#39; %s {0} {{x}} \u003cx\u003e"}
      Then every request shows the input {"letters": "é ß ñ 日本語 🙂", "quotes": "tab\there, \"quotes\", back\\slash", "tags": "\u003cb\u003ebold\u003c/b\u003e &amp; &#39; %s {0} {{x}} \u003cx\u003e"}

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |
        | native  |

    @ERR-024 @practice @since-2
    Scenario: The LM is shown an empty text in the inputs in its place
      Given a ReAct over "given, question -> answer" with the tools "translate" and "ping"
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with exactly {"given": "", "question": "What does it mean?"}
      Then every request gives "" for the input "given"

    @ERR-024 @practice @since-2
    Scenario: The LM is shown a text in the inputs unchanged after its call was suspended
      Given the tool "translate" requires confirmation
      And the LM calls "translate" with {"text": "it"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "    indented,  two  blanks"}
      And it is resumed with "yes"
      Then the LM reads "    indented,  two  blanks" unescaped in every request

    @ERR-024 @practice @since-2
    Scenario: A very long text stays whole as an input
      Given the LM calls "ping"
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with a question of 50000 characters
      Then every request shows the whole question

  Rule: Text that the request can carry as it is reaches the LM unescaped

    @ERR-014 @practice
    Scenario Outline: The LM reads a text in the inputs unescaped
      Given the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": <text>}
      Then the LM reads <text> unescaped in every request

      Examples:
        | text                   |
        | "é ß ñ 日本語 한국어"    |
        | "🙂 𝔘𝔫𝔦 – naïve"       |

    @ERR-014 @practice @since-3
    Scenario Outline: The LM reads a text in the inputs unescaped whatever the adapter
      Given the global adapter is "<dialect>"
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "é ß ñ 日本語 🙂"}
      Then the LM reads "é ß ñ 日本語 🙂" unescaped in every request

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |
        | native  |

    @ERR-014 @practice
    Scenario Outline: The LM reads a text in a result unescaped
      Given the tool "translate" returns <value>
      And the LM calls "translate" with {"text": "it"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the LM reads <text> unescaped in the last request

      Examples:
        | value                             | text              |
        | "é ß ñ 日本語 🙂"                   | "é ß ñ 日本語 🙂"   |
        | {"größe": ["é ß ñ", "日本語 🙂"]}   | "日本語 🙂"         |

    @ERR-014 @practice @since-3
    Scenario Outline: The LM reads a text in a result unescaped whatever the adapter
      Given the global adapter is "<dialect>"
      And the tool "translate" returns {"größe": ["é ß ñ", "日本語 🙂"]}
      And the LM calls "translate" with {"text": "it"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the LM reads "日本語 🙂" unescaped in the last request

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |
        | native  |

    @ERR-014 @practice
    Scenario: The LM reads a text in the args of an earlier step unescaped
      Given the LM calls "translate" with {"text": "é ß ñ 日本語 🙂"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the LM reads "é ß ñ 日本語 🙂" unescaped in the last request

    @ERR-014 @practice @since-3
    Scenario Outline: The LM reads a text in the args of an earlier step unescaped whatever the adapter
      Given the global adapter is "<dialect>"
      And the LM calls "translate" with {"text": "é ß ñ 日本語 🙂"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the LM reads "é ß ñ 日本語 🙂" unescaped in the last request

      Examples:
        | dialect |
        | chat    |
        | json    |
        | xml     |
        | native  |

  Rule: Text that no encoding can carry is shown in some form or refused by a typed error; the run is not lost by a crash

    @ERR-017 @practice
    Scenario Outline: The agent survives a result that no encoding can carry
      Given the tool "translate" returns <text>
      And the LM calls "translate" with {"text": "it"}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "What does it mean?"}
      Then the result is shown in some form, or refused by a typed error

      Examples:
        | text                           |
        | "half a pair \\ud83d is no text" |
        | "the other \\udc00 half"         |
        | "nul \\u0000 inside"             |
        | {"note": "half \\ud83d a pair"}  |

    @ERR-017 @practice
    Scenario: The agent survives an input with a character that ends a text elsewhere
      Given the LM calls "ping" with {}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": "nul \u0000 inside"}
      Then the input is shown in some form, or refused by a typed error

    @ERR-017 @practice
    Scenario Outline: The agent survives an input that no encoding can carry
      Given text that no encoding can carry reaches the agent as it is
      And the LM calls "ping" with {}
      And the LM finishes
      And the LM answers {"answer": "done"}
      When it is called with {"question": <text>}
      Then the input is shown in some form, or refused by a typed error

      Examples:
        | text                           |
        | "half a pair \\ud83d is no text" |
        | "the other \\udc00 half"         |
