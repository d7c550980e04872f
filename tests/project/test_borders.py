"""The borders: what we touch of our dependencies and they never promised, held against the installed versions.

`make borders` runs this with the oldest and the newest versions that `pyproject.toml` allows, and with it the tests of
runs, which show what pytest and pytest-bdd do. A failure names the module to mend; what was tried belongs into `TRIED`.
"""

import inspect
import re
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.internal.conjecture.engine import ConjectureRunner
from hypothesis.internal.constants_ast import Constants

from react_tck.fuzz import engine

#: The versions that all of this held for, the oldest and the newest that were tried.
TRIED = {
    "hypothesis": ("6.155.0", "6.170.15"),
    "pytest": ("9.0.0", "9.2.0"),
    "pytest-bdd": ("9.0.1", "9.0.1"),
    "dspy": ("3.4.0", "3.4.1"),
}
HYPOTHESIS = "react_tck/fuzz/engine.py"
TABLE, DEFINITIONS = "react_tck/engine/session.py", "react_tck/catalogue/sentences.py"
SESSION, PLUGIN = "react_tck/engine/session.py", "react_tck/engine/plugin.py"
STEPS = "react_tck/pytest_steps.py"
DSPY = "reference/ (strict, native_step, transcript_format, conversation_adapter)"
UDSPYS = "reference/udspy_objects.py"

needs_dspy = pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'")


def holds(fact: bool, library: str, border: str, what: str) -> None:
    """The fact holds, or the failure says whose promise was none, and where to look."""
    tried = " to ".join(TRIED[library])
    assert fact, f"{border} relies on it that {what}; {library} {version(library)} is otherwise. Tried: {tried}."


def parameters(function: Callable[..., object]) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)


def test_no_other_module_touches_them() -> None:
    """Only these modules import what is internal; tests may. `pytest_bdd.parsers` is documented."""
    root = Path(__file__).parents[2]
    internal = r"_pytest|hypothesis\.internal|pytest_bdd\.(?!parsers)"
    touched = re.compile(rf"""(from|import|import_module\(["'])\s*({internal})""")
    found = {
        path.relative_to(root).as_posix()
        for folder in ("react_tck", "steps", "fakes", "reference")
        for path in (root / folder).rglob("*.py")
        if touched.search(path.read_text(encoding="utf-8"))
    }
    assert found == {HYPOTHESIS, TABLE, DEFINITIONS, SESSION, PLUGIN}


# ------------------------------------------------------------------ Hypothesis


def test_hypothesis_collects_constants_by_a_function_of_the_providers() -> None:
    says = "providers._get_local_constants() gives the Constants of the loaded modules, and HypothesisProvider asks it"
    used = providers.HypothesisProvider.__dict__["_local_constants"]
    names = used.func.__code__.co_names if hasattr(used, "func") else ()
    holds(isinstance(providers._get_local_constants(), Constants), "hypothesis", HYPOTHESIS, says)
    holds("_get_local_constants" in names, "hypothesis", HYPOTHESIS, says)
    holds(len(Constants()) == 0, "hypothesis", HYPOTHESIS, "Constants() is empty")


def test_hypothesis_keeps_constants_in_a_cache_that_can_be_cleared() -> None:
    clear = getattr(getattr(providers.CONSTANTS_CACHE, "cache", None), "clear", None)
    holds(callable(clear), "hypothesis", HYPOTHESIS, "providers.CONSTANTS_CACHE.cache can be cleared")


def test_hypothesis_varies_examples_by_a_method_of_its_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    varied: list[object] = []
    says = "ConjectureRunner.generate_mutations_from(data) is called with each example, and may do nothing"
    holds(parameters(ConjectureRunner.generate_mutations_from) == ("self", "data"), "hypothesis", HYPOTHESIS, says)
    monkeypatch.setattr(ConjectureRunner, "generate_mutations_from", lambda *_: varied.append(1))
    plain = settings(max_examples=20, database=None, derandomize=True)(given(st.integers())(lambda _: None))
    plain()
    holds(bool(varied), "hypothesis", HYPOTHESIS, says)
    varied.clear()
    engine.generate_examples(st.integers(), 0, 20, lambda _: None)  # type: ignore[arg-type]
    holds(not varied, "hypothesis", HYPOTHESIS, "what is put in the method's place is what is called")


def test_hypothesis_shows_the_same_for_the_same_seed_whatever_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown() -> list[object]:
        found: list[object] = []
        engine.generate_examples(st.lists(st.integers() | st.text()), 7, 200, found.append)  # type: ignore[arg-type]
        return found

    before = shown()
    holds(len(before) == 200, "hypothesis", HYPOTHESIS, "so many examples are shown as are wanted")
    collected = Constants(integers=providers.SortedSet([123456789]))  # type: ignore[attr-defined]
    monkeypatch.setattr(providers, "_get_local_constants", lambda: collected)
    holds(shown() == before, "hypothesis", HYPOTHESIS, "constants come from _get_local_constants alone")


# ------------------------------------------------------------------ dspy's requests and adapters


@needs_dspy
def test_dspys_lms_read_chat_completions_and_say_how_they_failed() -> None:
    import dspy
    from dspy.clients.errors import error_boundary
    from openai.types.chat import ChatCompletion

    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "I."}}
    said = ChatCompletion(id="1", created=0, model="any", object="chat.completion", choices=[choice])
    lm, asked = dspy.BaseLM("any"), [{"role": "user", "content": "Who?"}]
    outputs, says = (
        lm._process_lm_response(said, None, asked),
        "_process_lm_response gives texts, and keeps what was said",
    )
    holds((outputs, lm.history[-1]["response"]) == (["I."], said), "dspy", UDSPYS, says)
    with pytest.raises(dspy.LMError), error_boundary("any", unexpected=True):
        raise ValueError


#: Methods of dspy's adapters that we override or call, with the first parameters of each.
METHODS = {
    "Adapter._call_preprocess": ("self", "lm", "lm_kwargs", "signature", "inputs"),
    "Adapter._call_postprocess": ("self", "processed_signature", "original_signature", "outputs", "lm"),
    "Adapter.format": ("self", "signature", "demos", "inputs"),
    "Adapter.format_system_message": ("self", "signature"),
    "Adapter.format_demos": ("self", "signature", "demos"),
    "ChatAdapter.format_user_message_content": ("self", "signature", "inputs", "prefix", "suffix", "main_request"),
    "ChatAdapter.format_assistant_message_content": ("self", "signature", "outputs", "missing_field_message"),
    "ChatAdapter.parse": ("self", "signature", "completion"),
    "ChatAdapter._make_json_adapter_fallback": ("self",),
}


@needs_dspy
def test_dspys_adapters_have_the_methods_we_override_and_call_them() -> None:
    import dspy

    for name, expected in METHODS.items():
        owner, _, method = name.partition(".")
        found = getattr(getattr(dspy, owner), method, None)
        taken = parameters(inspect.unwrap(found))[: len(expected)] if found else ()
        holds(taken == expected, "dspy", DSPY, f"{name} takes {', '.join(expected)}")
    called = inspect.getsource(dspy.Adapter) + inspect.getsource(dspy.ChatAdapter)
    for method in ("_call_preprocess", "_call_postprocess", "_make_json_adapter_fallback"):
        holds(f"self.{method}(" in called, "dspy", DSPY, f"an adapter calls {method}")


@needs_dspy
def test_dspys_helpers_write_fields() -> None:
    import dspy
    from dspy.adapters.utils import format_field_value, get_field_description_string, translate_field_type

    signature = dspy.Signature("question -> count: int")
    count = signature.output_fields["count"]
    holds(format_field_value(field_info=count, value=5) == "5", "dspy", DSPY, "format_field_value writes a value")
    described = get_field_description_string(signature.output_fields)
    holds(described.startswith("1. `count` (int)"), "dspy", DSPY, "get_field_description_string numbers the fields")
    translated = translate_field_type("count", count)
    holds(translated.startswith("{count}"), "dspy", DSPY, "translate_field_type names the field and says its type")


@needs_dspy
def test_dspys_errors_take_what_we_give_them() -> None:
    import dspy
    from dspy.utils.exceptions import AdapterParseError, ContextWindowExceededError

    error = AdapterParseError("ChatAdapter", dspy.Signature("a -> b"), "the reply", "why")
    holds("the reply" in str(error) and "why" in str(error), "dspy", DSPY, "AdapterParseError tells reply and reason")
    holds(issubclass(ContextWindowExceededError, Exception), "dspy", DSPY, "ContextWindowExceededError is an error")
