"""What can't be meant is told in one sentence that names what would be right."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import react_tck
from react_tck.catalogue.manifests import manifest_of
from react_tck.cli.main import main
from react_tck.model.case import Invocation, Options, Resumption
from react_tck.model.intent import Finish
from react_tck.model.lm import Completion, LMRequest
from react_tck.model.signature import parse_arrow
from react_tck.subjects.adapted import make_lm, subject_of
from react_tck.subjects.api import Endpoints, HarnessBroken
from tests.support.server_checks import never
from tests.support.texts import Stage


class Agent:
    """A base of all that is wrong with the others."""

    def build(self, task: Any, tools: Any, lm: Any) -> None:
        """Nothing to build."""

    def call(self, inputs: Any) -> Any:
        """Nothing to say."""


def _with(**members: Any) -> type:
    """An agent with these in it; None takes away what there is."""
    return type("Mine", (Agent,), members)


async def _awaited(self: object, inputs: object) -> None:
    """A coroutine."""


async def _awaited_with_limit(self: object, inputs: object, max_steps: object = None) -> None:
    """A coroutine."""


CLASSES: dict[str, type] = {
    "Mine: it defines neither `build(self, task, tools, lm)` and `call(self, inputs)` nor `parse`.": type(
        "Mine", (), {}
    ),
    "Mine: it has no `build(self, task, tools, lm)`, which is given what it is made of.": _with(build=None),
    "Mine: it has no `call(self, inputs)`, and no `acall` either.": _with(call=None),
    "Mine: `build` is given (self, task, tools, lm), and can't take that: too many positional": _with(
        build=lambda self, task: None
    ),
    "Mine: `call` is given (self, inputs) and, as keywords where it has them, max_steps, history, adapter, and can't "
    "take that: missing a required argument: 'depth'": _with(call=lambda self, inputs, depth: None),
    "Mine: `call` needs a default for `max_steps`, which is given only where a case has one.": _with(
        call=lambda self, inputs, max_steps: None
    ),
    "Mine: `call` is a coroutine function: name it `acall`.": _with(call=_awaited),
    "Mine: `acall` is no coroutine function: write `async def acall`.": _with(acall=lambda self, inputs: None),
    "Mine: `call` and `acall` take the same keywords, and `call` takes none and `acall` takes max_steps.": _with(
        acall=_awaited_with_limit
    ),
    "Mine: `describe` is a coroutine function, and nobody would await it.": _with(describe=_awaited),
    "Mine: `dump` and `load` go together, and it defines one of them.": _with(dump=lambda self: None),
    "Mine: `status` is no method.": _with(status="pending"),
}
_MANIFEST = "the manifest of mine can't be meant: "
DECLARED: dict[str, dict[str, Any]] = {
    "Agent: it declares 'async', and there is no `acall`.": {"capabilities": ["async"]},
    "Agent: it declares 'confirmation', and there is no `resume`.": {"capabilities": ["confirmation"]},
    "Agent: it declares 'save-load', and there is no `dump`.": {"capabilities": ["save-load"]},
    "Agent: it declares 'parse', and there is no `parse`.": {"capabilities": ["parse"]},
    "Agent: it declares 'transcript', and `call` takes no `history`.": {"capabilities": ["transcript"]},
    "Agent: it declares 'call-max-steps', and `call` takes no `max_steps`.": {"capabilities": ["call-max-steps"]},
    "Agent: it declares 'callbacks', and there is no `heard`.": {"capabilities": ["callbacks"]},
    "Agent: there is no capability 'typed-field'; did you mean 'typed-fields'?": {"capabilities": ["typed-field"]},
    "capabilities = 'async'; it is a list of texts, such as ['async']": {"capabilities": "async"},
    "dialects = 'json'; it is a list of texts, such as ['json']": {"dialects": "json"},
    "the manifest of mine can't be meant: there is no dialect 'jsn'; there are native, ": {"dialects": ["jsn"]},
    "Agent: dialects is empty; it lists in which your library asks the LM, such as ['json'].": {"dialects": []},
    f"{_MANIFEST}there is no choice 'tool-err'; there are ": {"choices": {"tool-err": "observe"}},
    f"{_MANIFEST}the choice 'tool-error' is declared 'hide'; its variants are 'observe', 'error'": {
        "choices": {"tool-error": "hide"}
    },
    "Agent: version = 1; Input should be a valid string": {"version": 1},
    "the manifest of mine can't be meant: default_max_steps is 0; it is 1 to ": {"default_max_steps": 0},
    "parse_errors = ['ValueError']; it is a list of exception classes, such as [ValueError]": {
        "parse_errors": ["ValueError"]
    },
}


@pytest.mark.parametrize(("said", "made"), CLASSES.items(), ids=range(len(CLASSES)))
def test_class_that_is_no_subject(said: str, made: type) -> None:
    with pytest.raises(react_tck.SubjectError, match=f"^{re.escape(said)}"):
        react_tck.subject("mine", version="1", dialects=["json"])(made)


@pytest.mark.parametrize(("said", "declared"), DECLARED.items(), ids=range(len(DECLARED)))
def test_declaration_that_cannot_be_meant(said: str, declared: dict[str, Any]) -> None:
    with pytest.raises((react_tck.SubjectError, HarnessBroken), match=f"^{re.escape(said)}"):
        _declare_agent(declared)


def _declare_agent(declared: dict[str, Any]) -> None:
    made = react_tck.subject(**{"name": "mine", "version": "1", "dialects": ["json"], **declared})(Agent)
    manifest_of(subject_of(made))


@react_tck.subject("returns", version="1", dialects=["json"], capabilities=["inspection"], default_max_steps=3)
class Returns:
    """Returns whatever the test wants."""

    made: Callable[[], Any] = dict

    def build(self, task: Any, tools: Any, lm: Any) -> None:
        """Nothing to build."""

    def call(self, inputs: Any) -> Any:
        """What the test wants."""
        return type(self).made()

    def describe(self) -> Any:
        """Nothing that tells."""
        return {"tools": ["add"]}


WRONG: Any = "5"
RETURNED: dict[str, Callable[[], Any]] = {
    "Returns.call returned None; return react_tck.Done(outputs), ": lambda: None,
    "Returns.call returned a text, '5'; return react_tck.Done(outputs), ": lambda: "5",
    "Returns.call returned a dict, {'answer': '5'}; put it into react_tck.Done; ": lambda: {"answer": "5"},
    "Returns.call returned a coroutine, which nobody awaits; define it as `async def acall`": lambda: _awaited(0, 0),
    "Returns.call returned react_tck.Done whose outputs are a text, '5'; they are a mapping": (
        lambda: react_tck.Done(WRONG)
    ),
    "Returns.call returned a int, 5 as steps; they are a list of objects, an object or text": (
        lambda: react_tck.Done({}, steps=int(WRONG))  # type: ignore[arg-type]
    ),
    "Returns.call returned react_tck.Suspended of a text, '5'; it is a mapping": lambda: react_tck.Suspended(WRONG),
}


@pytest.mark.filterwarnings("error:.*coroutine")
@pytest.mark.parametrize(("said", "made"), RETURNED.items(), ids=range(len(RETURNED)))
def test_call_that_returns_no_result(said: str, made: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Returns, "made", staticmethod(made))

    assert said in _error("@SIG-001")


def test_what_the_other_methods_return_is_named_too() -> None:
    class Late(Agent):
        """Everything of it forgets to return."""

        async def acall(self, inputs: Any) -> Any:
            """Nothing."""

        def resume(self, suspension: Any, response: Any) -> Any:
            """Nothing."""

        async def aresume(self, suspension: Any, response: Any) -> Any:
            """Nothing."""

    late = build(Late)
    said: dict[str, Callable[[], object]] = {
        "acall": lambda: late.call(Invocation(inputs={}, mode="async")),
        "resume": lambda: late.resume({}, Resumption(response="yes")),
        "aresume": lambda: late.resume({}, Resumption(response="yes", mode="async")),
    }
    for name, method in said.items():
        with pytest.raises(HarnessBroken, match=rf"^Late\.{name} returned None; return react_tck\.Done\(outputs\), "):
            method()


def test_what_breaks_everywhere_in_the_same_way_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["run", "--tags", "@LOOP-001 or @LOOP-003", "python:tests.api.test_mistakes:Returns"])
    said = capsys.readouterr().out

    assert status == 3
    assert said.count("Returns.call returned a dict, {}; put it into react_tck.Done; ") == 1
    assert "3 more rows end so: LOOP-001, LOOP-003" in said


def test_description_that_is_none() -> None:
    with pytest.raises(HarnessBroken, match=r"^Returns\.describe returned no description: tools: .* it is \{\"tools"):
        build(Returns).describe()


def build(made: type) -> Any:
    """An instance of the class, whatever it is asked."""
    declared = react_tck.subject("mine", version="1", dialects=["json"])(made)
    signature = parse_arrow("question -> answer")
    return subject_of(declared).construct(signature, (), Options(), Endpoints(lm=never, tools=()))


def _error(tags: str) -> str:
    report = react_tck.run(Returns, "all", tags=tags)
    rows = (row for requirement in report.requirements for row in requirement.scenarios)
    return next(row.message for row in rows if row.verdict is react_tck.Verdict.ERROR)


@react_tck.subject("reads-nothing", version="1", dialects=["json"])
class ReadsNothing:
    """A parser that forgets to return what it has read."""

    def parse(self, text: str, fields: dict[str, Any]) -> None:
        """Nothing."""


def test_parser_that_returns_no_fields() -> None:
    report = react_tck.run(ReadsNothing, "robustness", tags="@PRS-001")
    rows = [row for each in report.requirements for row in each.scenarios if row.verdict is react_tck.Verdict.ERROR]

    assert "ReadsNothing.parse returned None; return the fields by name, or raise" in rows[0].message


def test_what_the_run_cannot_do_is_said() -> None:
    class Inner(Agent):
        """No fresh process finds it."""

    class Undecorated(Returns):
        """Its base is a subject."""

    inner = react_tck.subject("inner", version="1", dialects=["json"])(Inner)
    wrong: dict[str, Callable[[], object]] = {
        "Inner can't be imported by a fresh process: define it at the top of a module": lambda: react_tck.run(inner),
        "Undecorated is no subject: decorate its class with @react_tck.subject": lambda: react_tck.run(Undecorated),
        "there is no profile 'cor'; the profiles are core, ": lambda: react_tck.run(Returns, "cor"),
        "the tag expression '@a and' can't be read: ": lambda: react_tck.run(Returns, tags="@a and"),
        "No scenario fits the selection": lambda: react_tck.run(Returns, tags="@nothing"),
    }
    for said, call in wrong.items():
        with pytest.raises(ValueError, match=re.escape(said)):
            call()


@pytest.mark.parametrize(
    ("written", "said", "status"),
    [
        ("class Mine: pass", "'mine:Mine' is a class and no subject: decorate it with @react_tck.subject(name, ", 2),
        (
            "import react_tck\n@react_tck.subject('mine', version='1', dialects=['jsn'])\n"
            "class Mine:\n def parse(self, text, fields): ...",
            "the manifest of mine can't be meant: there is no dialect 'jsn'; there are native, ",
            3,
        ),
        ("", "'mine' has no class or function 'Mine'.", 2),
    ],
)
def test_command_line_names_what_is_wrong(
    written: str, said: str, status: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mine.py").write_text(written, encoding="utf-8")

    assert main(["run", "python:mine:Mine"]) == status
    assert said in capsys.readouterr().err


def test_messages_that_an_api_would_refuse_are_named() -> None:
    lm = make_lm(lambda _: Completion(content="5"))

    assert lm.chat([{"role": "user", "content": "2+3?"}]).message == {"role": "assistant", "content": "5"}
    with pytest.raises(ValueError, match=r"^lm\.chat: messages\[0\] is not an object"):
        lm.chat(["2+3?"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"^lm\.chat: the messages are no JSON"):
        lm.chat([{"role": "user", "content": {1}}])
    stage = Stage()
    with pytest.raises(ValueError, match=r"^lm\.chat: messages\[0\]: tool_call_id 'call_1' is unknown"):
        make_lm(stage.lm(Finish()).complete).chat([{"role": "tool", "tool_call_id": "call_1", "content": "5"}])
    assert [asked.refusal for asked in stage.journal.read_record("a case").requests] != [None]


def test_a_reply_that_is_cut_off_is_a_reply_and_a_failure_is_raised() -> None:
    def failing(fault: str) -> react_tck.LM:
        def complete(_: LMRequest) -> Completion:
            raise react_tck.LMFault(fault)

        return make_lm(complete)

    assert failing("finish-length").chat([{"role": "user", "content": "2+3?"}]).finish_reason == "length"
    with pytest.raises(react_tck.LMFault, match="rate-limit") as raised:
        failing("rate-limit").chat([{"role": "user", "content": "2+3?"}])
    assert raised.value.fault == "rate-limit"


SPOILED = ["caller-objects", "typed-fields", "class-signature"]


@react_tck.subject("spoils", version="1", dialects=["json"], capabilities=SPOILED, default_max_steps=3)
class Spoils:
    """Changes a signature that it has said to be watched."""

    def build(self, task: Any, tools: Any, lm: Any) -> None:
        """A signature of its own."""
        self.signature = {"outputs": [field.name for field in task.outputs]}
        task.watch("the signature", self.signature)

    def call(self, inputs: Any) -> react_tck.Done:
        """Without asking anybody."""
        self.signature["outputs"].append("more")
        return react_tck.Done({"answer": "5"})


def test_an_object_that_is_watched_is_seen_to_change() -> None:
    report = react_tck.run(Spoils, "robustness", tags="@ISO-003")
    rows = [row for each in report.requirements for row in each.scenarios]

    assert any("the signature" in row.message and "more" in row.message for row in rows)
