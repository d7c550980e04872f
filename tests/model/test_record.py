"""Records and episodes: read in parts, and carried through JSON without loss."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from react_tck.fakes.tools import TOOLBOX
from react_tck.model.base import JsonObject
from react_tck.model.case import Case, Invocation, Options
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Empty, Fault, Finish, Intent, Raw, Script
from react_tck.model.signature import parse_arrow
from react_tck.model.tool import Mutates, Raises, Reports, Returns, ReturnsOddity

# What the LM reads


# Episodes


def _episode(script: Script) -> Episode:
    case = Case(
        id="a case",
        signature=parse_arrow("question, past: History -> answer: list[str]"),
        tools=(TOOLBOX["add"].model_copy(update={"is_async": True, "callable_form": "method"}), TOOLBOX["book"]),
        options=Options(max_steps=0, adapter="json", module_adapter="xml"),
        invocations=(Invocation(inputs={"question": "2+3"}, history=({"question": "hi"},), max_steps=2, mode="async"),),
    )
    behaviours = (
        Returns(value=[1, {"a": None}]),
        ReturnsOddity(oddity="bytes"),
        Raises(message="no"),
        Mutates(),
        Reports(),
    )
    return Episode(case=case, script=script, behaviours={"add": behaviours}, nonce="n0nce")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
OBJECTS: st.SearchStrategy[JsonObject] = st.dictionaries(st.text(), JSON, max_size=3)
INTENTS: st.SearchStrategy[Intent] = st.one_of(
    st.builds(CallTool, tool=st.text(), args=OBJECTS, thought=st.text(), sticky=st.booleans()),
    st.builds(Finish, args=OBJECTS, thought=st.text(), sticky=st.booleans()),
    st.builds(Answer, outputs=OBJECTS, reasoning=st.text(), sticky=st.booleans()),
    st.builds(Raw, text=st.text(), sticky=st.booleans()),
    st.builds(Empty, sticky=st.booleans()),
    st.builds(Fault, fault=st.sampled_from(["rate-limit", "timeout", "server-error", "context-window"])),
)
SCRIPTS = st.builds(
    Script, steps=st.lists(INTENTS, max_size=3).map(tuple), answers=st.lists(INTENTS, max_size=3).map(tuple)
)


@given(script=SCRIPTS)
def test_episode_survives_json_so_that_it_can_be_played_again_anywhere(script: Script) -> None:
    episode = _episode(script)
    assert Episode.model_validate_json(episode.model_dump_json()) == episode


def test_intent_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValidationError, match="kind"):
        TypeAdapter(Intent).validate_python({"kind": "shout"})
