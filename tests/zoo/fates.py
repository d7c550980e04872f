"""What becomes of every harness of the zoo, as a test holds it and docs/ROBUSTNESS.md tells it."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

Ending = Literal[
    "passed",
    "error",
    "failed",
    "practice",
    "no run",
    "error afterwards",
    "error in the second play",
    "SAN-006",
    "SAN-006 in the second play",
]


class Fate(NamedTuple):
    """How the scenario at hand ends, and what is told."""

    ending: Ending
    told: str = ""


#: The exit status of a run with nothing else in it.
STATUS: Mapping[Ending, int] = {
    "passed": 0,
    "error": 3,
    "failed": 1,
    "practice": 0,
    "no run": 3,
    "error afterwards": 3,
    "error in the second play": 3,
    "SAN-006 in the second play": 1,
    "SAN-006": 1,
}
#: The same in words.
ENDINGS: Mapping[Ending, str] = {
    "passed": "passed: it is no breach",
    "error": "the scenario is *error*",
    "failed": "the scenario fails",
    "practice": "the scenario fails; what it breaks is a practice below the gate",
    "no run": "no run",
    "error afterwards": "the scenario before is *error*, the next one passes",
    "error in the second play": "the scenario, which passed, is *error* when it is played again",
    "SAN-006 in the second play": "SAN-006 is violated in the scenario when it is played again",
    "SAN-006": "SAN-006 is violated in the scenario that did it, and in no other",
}

FATES: Mapping[str, Fate] = {
    "well-behaved": Fate("passed"),
    "chatter-on-stderr": Fate("passed"),
    "slow": Fate("passed"),
    "carriage-returns": Fate("passed"),
    "byte-by-byte": Fate("passed"),
    "keys-twice": Fate("passed"),
    "closes-stderr": Fate("passed"),
    "unlimited-steps": Fate("passed"),
    "has-no-time-out": Fate("passed"),
    "wrong-tool": Fate("passed"),
    "wrong-path": Fate("passed"),
    # At the handshake.
    "exit-0-at-handshake": Fate("no run", "exited with status 0 instead of answering 'initialize'"),
    "no-dialects": Fate("no run", "dialects: Field required"),
    "error-at-handshake": Fate("no run", "answered 'initialize' with error -32603: no licence"),
    "nested-manifest": Fate("no run", "its answer to 'initialize' is nested too deep to be read"),
    "hang-at-handshake": Fate("no run", "did not answer 'initialize' within 2 seconds"),
    "banner": Fate("no run", "it wrote noise on its standard output"),
    "null-manifest": Fate("no run", "its result of 'initialize' doesn't fit the schema"),
    "manifest-is-a-list": Fate("no run", "its result of 'initialize' doesn't fit the schema"),
    "handshake-twice": Fate("no run", "after its answer to 'initialize'"),
    "flood-at-handshake": Fate("no run", "a line of more than"),
    "no-dialect": Fate("no run", "it claims no dialect; there are native"),
    "unknown-dialect": Fate("no run", "there is no dialect 'yaml'"),
    "default-dialect-not-claimed": Fate("no run", "the default dialect 'xml' is none of those it claims, json"),
    "negative-steps": Fate("no run", "default_max_steps is -1; it is 1 to 100000, or null"),
    "absurd-steps": Fate("no run", "default_max_steps is 1000000000000; it is 1 to"),
    "steps-as-text": Fate("no run", "default_max_steps: Input should be a valid integer"),
    "negative-retries": Fate("no run", "retries is -1; it is 0 to 99"),
    "absurd-retries": Fate("no run", "retries is 1000000; it is 0 to 99"),
    "unknown-choice": Fate("no run", "there is no choice 'colour'"),
    "unknown-variant": Fate("no run", "the choice 'unknown-tool' is declared 'guess'; its variants are"),
    "unknown-capability": Fate("no run", "capabilities.0: Input should be"),
    # Ends, and never comes back.
    "exit-1": Fate("error", "exited with status 1 instead of answering 'call'"),
    "exit-0": Fate("error", "exited with status 0 instead of answering 'call'"),
    "killed": Fate("error", "was ended by signal 9"),
    "aborted": Fate("error", "was ended by signal 6"),
    "segfault": Fate("error", "was ended by signal 11"),
    "hang": Fate("error", "did not answer 'call' within 2 seconds"),
    "stopped": Fate("error", "did not answer 'call' within 2 seconds"),
    "hang-at-construct": Fate("error", "did not answer 'construct' within 2 seconds"),
    "child-left": Fate("error", "did not answer 'call' within 2 seconds"),
    "heedless-child-left": Fate("error", "did not answer 'call' within 2 seconds"),
    "fork-leftover": Fate("error", "exited with status 3 instead of answering 'call'"),
    "close-stdout": Fate("error", "closed its standard output but still runs instead of answering 'call'"),
    # In an answer.
    "noise": Fate("error", "it wrote noise on its standard output (standard output carries JSON-RPC only"),
    "not-json": Fate("error", "it wrote noise on its standard output"),
    "half-line": Fate("error", "it wrote noise on its standard output"),
    "pretty-printed": Fate("error", "it wrote noise on its standard output"),
    "two-on-a-line": Fate("error", "it wrote noise on its standard output"),
    "byte-order-mark": Fate("error", "it wrote noise on its standard output"),
    "utf-16": Fate("error", "its standard output is not UTF-8"),
    "empty-line": Fate("error", "it wrote noise on its standard output"),
    "not-finite": Fate("error", "its answer to 'call' is not JSON: NaN is no JSON"),
    "number-too-large": Fate("error", "its answer to 'call' is not JSON"),
    "invalid-utf-8": Fate("error", "its standard output is not UTF-8"),
    "array": Fate("error", "its answer is not a JSON object"),
    "notification": Fate("error", "is not JSON-RPC 2.0"),
    "wrong-id": Fate("error", "it answered request 4711 when 3 was asked"),
    "text-id": Fate("error", "is not JSON-RPC 2.0: id"),
    "fraction-as-id": Fate("error", "is not JSON-RPC 2.0: id"),
    "no-id": Fate("error", "is not JSON-RPC 2.0: id"),
    "twice": Fate("error", "after its answer to 'construct'"),
    "both": Fate("error", "needs exactly one of result and error"),
    "neither": Fate("error", "needs exactly one of result and error"),
    "old-json-rpc": Fate("error", "is not JSON-RPC 2.0: jsonrpc"),
    "error-is-a-text": Fate("error", "is not JSON-RPC 2.0: error"),
    "not-an-outcome": Fate("error", "doesn't fit the schema: status: Field required"),
    "unknown-status": Fate("error", "doesn't fit the schema: status"),
    "bare-result": Fate("error", "doesn't fit the schema"),
    "outputs-are-a-list": Fate("error", "doesn't fit the schema: outputs"),
    "nested-outcome": Fate("error", "its answer to 'call' is nested too deep to be read"),
    "nested-instance": Fate("error", "its answer to 'construct' is nested too deep to be read"),
    "instance-is-a-number": Fate("error", "doesn't fit the schema: instance"),
    "error-for-outcome": Fate("error", "what the subject raises belongs in an outcome with status 'error'"),
    "other-construct-error": Fate("error", "the harness answered 'construct' with error -32603: bug"),
    "flood": Fate("error", "a line of more than"),
    "answer-beyond-a-line": Fate("error", "a line of more than"),
    "error-without-error": Fate("failed", "expected"),
    "huge-answer": Fate("failed", "the prediction has"),
    "waits-for-a-silent-lm": Fate(
        "practice", "the call ends, with an error or after a recovery, though the LM says nothing"
    ),
    # What it can't see.
    "kit-memory": Fate("error", "refused: Permission denied"),
    "environment": Fate("error", '{"ZOO_SECRET_KEY": null, "ZOO_UNLISTED": null, "NO_PROXY": "127.0.0.1,localhost"}'),
    # After an answer.
    "noise-after": Fate("error afterwards", "it wrote"),
    "noise-later": Fate("error afterwards", "it wrote"),
    "second-answer-later": Fate("error afterwards", '"id": 3'),
    "half-a-line-later": Fate("error afterwards", "it wrote"),
    "exits-after": Fate("error afterwards", "exited with status 0"),
    "exits-later": Fate("error afterwards", "exited with status 7"),
    "killed-later": Fate("error afterwards", "was ended by signal 9"),
    "closes-stdout-later": Fate("error afterwards", "closed its standard output but still runs"),
    "stops-reading": Fate("error afterwards", "its standard input but still runs"),
    "flood-later": Fate("error afterwards", "it wrote"),
    "exits-after-every-second-answer": Fate("error in the second play", "exited with status 0"),
    "noise-after-every-second-answer": Fate("error in the second play", "it wrote"),
    "answers-every-second-twice": Fate("error in the second play", '"id": 5'),
    "late-lm-request-every-second-time": Fate("SAN-006 in the second play", "there was a late 'asked' event"),
    "late-tool-run-every-second-time": Fate("SAN-006 in the second play", "there was a late 'tool' event"),
    # Stops those above it.
    "stops-its-parent": Fate("error", "stopped the process that plays it, by signal 19 (SIGSTOP)"),
    "stops-its-parents-guard": Fate("error", "stopped the process that guards it"),
    # Late and astray.
    "late-lm-request": Fate("SAN-006", "there was a late 'asked' event"),
    "later-lm-request": Fate("SAN-006", "there was a late 'asked' event"),
    "late-tool-run": Fate("SAN-006", "there was a late 'tool' event"),
    "late-wrong-tool": Fate("SAN-006", "there was a late request, which leads nowhere: POST /tools/no_such_tool"),
    "late-wrong-path": Fate("SAN-006", "there was a late request, which leads nowhere: POST /v1/embeddings"),
    "late-nonsense": Fate("SAN-006", "there was a late request, which leads nowhere: POST /v1/chat/completions"),
    "lm-of-the-case-before": Fate("SAN-006", "there was a late 'asked' event"),
    "tool-of-the-case-before": Fate("SAN-006", "there was a late 'tool' event"),
}
