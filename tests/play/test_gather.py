"""A process of its own that doesn't come to an end says nothing of the subject, nor of the kit (SAN-009, CNF-008)."""

import pytest

from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, Finish, Script
from react_tck.model.signature import parse_arrow
from react_tck.play import gather
from react_tck.subjects.api import HarnessBroken


def test_a_fresh_process_that_takes_too_long_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gather, "_TIMEOUT", 0.01)
    case = Case(
        id="a case", signature=parse_arrow("question -> answer"), invocations=(Invocation(inputs={"question": "?"}),)
    )
    script = Script(steps=(Finish(),), answers=(Answer(outputs={"answer": "5"}),))
    with pytest.raises(HarnessBroken, match=r"did not come to an end within 0\.01 seconds"):
        gather.play_afresh("reference", Episode(case=case, script=script, nonce="n"))
