"""A call with other inputs than the signature's is to be refused; a transcript without any goes on with its history."""

import pytest

from react_tck.judges.table import collect_violations
from react_tck.model.case import Case, Invocation, Options, System
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, Finish, Script, Submit
from react_tck.model.signature import parse_arrow
from react_tck.play.again import gather_evidence
from react_tck.subjects.catalogue import resolve

_GIVEN = {"passage": "an almanac", "claim": "Rome is small"}
_FOLLOWED = Invocation(inputs=_GIVEN)


def _episode(*calls: Invocation, system: System | None = None) -> Episode:
    """Each call ends at once."""
    submit = Submit(outputs={"verdict": "true"}, thought="So.", sticky=True)
    finish, answer = Finish(thought="So.", sticky=True), Answer(outputs={"verdict": "true"}, sticky=True)
    signature = parse_arrow("passage, claim -> verdict")
    case = Case(id="inputs", signature=signature, options=Options(system=system), invocations=calls)
    script = Script(steps=(submit,)) if system else Script(steps=(finish,), answers=(answer,))
    return Episode(case=case, script=script, nonce="inputs")


@pytest.mark.parametrize(
    ("episode", "subject", "is_violated"),
    [
        (_episode(Invocation(inputs={"claim": "Rome is small"})), "mutant:missing-input-ignored", True),
        (_episode(Invocation(inputs={"claim": "Rome is small"})), "reference", False),
        (_episode(Invocation(inputs={**_GIVEN, "lighthouse": "a tower"})), "mutant:unknown-input-ignored", True),
        (_episode(Invocation(inputs={**_GIVEN, "lighthouse": "a tower"})), "reference", False),
        (
            _episode(_FOLLOWED, Invocation(inputs={"claim": "Oslo is small"}, follows=0), system="transcript"),
            "mutant:missing-input-of-a-follow-up-ignored",
            True,
        ),
        (_episode(_FOLLOWED, Invocation(inputs={}, follows=0), system="transcript"), "reference-transcript", False),
    ],
)
def test_a_call_with_wrong_inputs_is_refused(episode: Episode, subject: str, is_violated: bool) -> None:
    assert ("SIG-007" in collect_violations(gather_evidence(resolve(subject), episode, again=False))) is is_violated
