"""Wrong adapters: of each `check` tells what is wrong, the file and line, and what to write."""

import inspect
import json
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import react_tck
from examples.own_agent import Mine, TinyReAct
from react_tck.diagnose import trial
from react_tck.diagnose.check import CheckResult, check_harness
from react_tck.subjects.adapted import subject_of
from react_tck.subjects.catalogue import close_subject, resolve
from react_tck.subjects.stdio import StdioSubject, Timeouts, make_starter

_CAPABILITIES = ("trajectory", "extraction", "step-signature")
_HERE = __file__
_ROOT = Path(__file__).parents[2]
Call = Callable[[Any, dict[str, Any]], Any]


def _make(call: Call | None = None, *capabilities: str, **methods: Any) -> type:
    """A class that is as it should be but for these methods."""
    made = type("Wrong", (Mine,), {**methods, **({"call": call} if call else {})})
    declare = react_tck.subject(
        "wrong", version="1", dialects=["json"], capabilities=[*_CAPABILITIES, *capabilities], default_max_steps=10
    )
    return declare(made)


def _change_agent(change: Callable[[TinyReAct], None]) -> type:
    def build(self: Any, task: Any, tools: Any, lm: Any) -> None:
        Mine.build(self, task, tools, lm)
        change(self.agent)

    return _make(build=build)


def _change_runs(change: Callable[[Callable[..., str], str, dict[str, Any]], str]) -> type:
    def apply(agent: TinyReAct) -> None:
        run = agent.run
        agent.run = lambda name, args: change(run, name, args)  # type: ignore[method-assign]

    return _change_agent(apply)


def _change_replies(change: Callable[[dict[str, Any]], dict[str, Any]]) -> type:
    def apply(agent: TinyReAct) -> None:
        ask = agent.ask
        agent.ask = lambda *given: change(ask(*given))  # type: ignore[method-assign]

    return _change_agent(apply)


def _build_nothing(*_: Any) -> None:
    raise ValueError("no licence found")


def _miss_a_key(self: Any, inputs: dict[str, Any]) -> Any:
    return inputs["prompt"]


def _give_outputs(self: Any, inputs: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
    given: tuple[dict[str, Any], list[Any]] = self.agent(**inputs)
    return given


def _give_a_number(self: Any, inputs: dict[str, Any]) -> Any:
    return react_tck.Done({"answer": "Yes."}, steps=5)  # type: ignore[arg-type]


def _wait(self: Any, inputs: dict[str, Any]) -> Any:
    threading.Event().wait()


def _ignore_more(self: Any, inputs: dict[str, Any], history: Any = None, max_steps: Any = None) -> Any:
    return Mine.call(self, inputs)


async def _call_later(self: Any, inputs: dict[str, Any]) -> Any:
    return react_tck.Done({"answer": "Yes."})


def _answer_with_observation(self: Any, inputs: dict[str, Any]) -> Any:
    outputs, steps = _give_outputs(self, inputs)
    return react_tck.Done({"answer": steps[-1]["observation"]} if steps else outputs, steps=steps)


def _write_in_ascii(value: Any) -> Any:
    return value.encode("ascii", "replace").decode() if isinstance(value, str) else value


def _mistake_a_thought(reply: dict[str, Any]) -> dict[str, Any]:
    if reply.get("next_thought"):
        raise ValueError("a thought isn't expected")
    return reply


def _run_with(write: Callable[[Any], Any]) -> type:
    return _change_runs(lambda run, name, args: run(name, {key: write(value) for key, value in args.items()}))


def _change_outputs(change: Callable[[dict[str, Any]], Any]) -> type:
    def call(self: Any, inputs: dict[str, Any]) -> Any:
        outputs, steps = _give_outputs(self, inputs)
        return react_tck.Done(change(outputs), steps=steps)

    return _make(call)


def _make_text_of_several() -> type:
    return _change_outputs(lambda outputs: outputs if len(outputs) == 1 else {"answer": json.dumps(outputs)})


#: What is said of each, and the class.
WRONG: Mapping[str, tuple[str, type]] = {
    "build raises": ("no licence found", _make(build=_build_nothing)),
    "build forgets the agent": ("no attribute 'agent'", _make(build=lambda self, task, tools, lm: None)),
    "call takes another input": ("KeyError: 'prompt'", _make(_miss_a_key)),
    "call gives the outputs alone": ("put it into react_tck.Done", _make(lambda self, i: _give_outputs(self, i)[0])),
    "call gives nothing": ("returned None", _make(lambda self, inputs: None)),
    "call gives a text": ("returned a text", _make(lambda self, inputs: "Yes.")),
    "outputs are none": ("whose outputs are None", _change_outputs(lambda outputs: None)),
    "outputs go by another name": ("outputs {'answer': 'Yes.'}", _change_outputs(lambda o: {"result": o["answer"]})),
    "outputs are not parsed": ("outputs {'answer': 'Yes.'}", _change_outputs(lambda o: {"answer": json.dumps(o)})),
    "several outputs are one text": ("outputs {'answer': 'Yes.', 'source'", _make_text_of_several()),
    "outputs have more": ("outputs {'answer': 'Yes.'}", _change_outputs(lambda o: {**o, "reasoning": "so"})),
    "steps are a number": ("as steps", _make(_give_a_number)),
    "it never asks": ("requests at `lm.base_url`", _make(lambda self, i: react_tck.Done({"answer": "Yes."}, steps=[]))),
    "its prompt lists no fields": ("can't tell what a request asks", _make(
        lambda self, inputs: react_tck.Done({"answer": str(self.agent.lm.chat([{"role": "user", "content": "?"}]))})
    )),
    "it never runs a tool": ("the tool runs once", _change_runs(lambda run, name, args: "done")),
    "it runs a tool twice": ("it ran with [", _change_runs(lambda run, name, args: run(name, args) + run(name, args))),
    "it loses the args": ("it did not", _change_runs(lambda run, name, args: run(name, {}))),
    "args are texts": ("it gets None", _run_with(str)),
    "args are ASCII": ("echo of unicode", _run_with(_write_in_ascii)),
    "args are cut": ("echo of a big text", _run_with(lambda v: v[:1000] if isinstance(v, str) else v)),
    "a tool's result is the answer": ("outputs {'answer': 'Yes.'}", _make(_answer_with_observation)),
    "a thought is not expected": ("a thought isn't expected", _change_replies(_mistake_a_thought)),
    "it never comes back": ("hasn't come back after 1 seconds", _make(_wait)),
    "it ends the process": ("SystemExit", _make(lambda self, inputs: sys.exit(0))),
    "call is a coroutine": ("returned a coroutine", _make(lambda self, inputs: _call_later(self, inputs))),
    "it has no trajectory": ("a trajectory", _make(lambda self, i: react_tck.Done(_give_outputs(self, i)[0]))),
    "it shows no history": ("the earlier turn", _make(_ignore_more, "history")),
    "it takes no limit for a call": ("with `max_steps` 1 for the call", _make(_ignore_more, "call-max-steps")),
}  # fmt: skip


@pytest.mark.parametrize(("said", "made"), WRONG.values(), ids=WRONG)
def test_wrong_adapter_is_told_with_place_and_advice(said: str, made: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "LIMIT", 1)
    told = [_describe_result(result) for result in _list_problems(made)]
    assert any(said in each for each in told), told
    files = (_HERE, inspect.getsourcefile(Mine))
    assert all(any(f"\nat {file}:" in each for file in files) for each in told), told


def test_the_calls_that_led_to_an_error_are_shown() -> None:
    first = _list_problems(_change_replies(_mistake_a_thought))[0]
    assert "ValueError was raised in\n" in first.evidence
    assert first.evidence.endswith('in _mistake_a_thought: raise ValueError("a thought isn\'t expected")')


def _list_problems(made: type) -> list[CheckResult]:
    problems: list[CheckResult] = []
    for result in check_harness(subject_of(made)):
        if result.problem and not result.as_in:
            problems.append(result)
        if len(problems) > 3:
            break
    return problems


def _describe_result(result: CheckResult) -> str:
    assert result.advice
    return f"{result.name}\n{result.problem}"


def test_what_a_harness_writes_on_its_standard_error_is_shown(tmp_path: Path) -> None:
    module = tmp_path / "noisy.py"
    module.write_text(
        "import sys\n"
        "from examples.own_agent import Mine\n"
        "import react_tck\n"
        "class Noisy(Mine):\n"
        "    def call(self, inputs):\n"
        "        print('the key is missing', file=sys.stderr, flush=True)\n"
        "        return react_tck.Done({'result': 1})\n"
        "Noisy = react_tck.subject('noisy', version='1', dialects=['json'], default_max_steps=3)(Noisy)\n",
        encoding="utf-8",
    )
    root = Path(__file__).parents[2]
    paths = f"PYTHONPATH={tmp_path}:{root}"
    subject = resolve(f"-- env {paths} {sys.executable} -m react_tck harness python:noisy:Noisy")
    try:
        problem = next(result for result in check_harness(subject) if result.problem)
        assert "its standard error ends: the key is missing" in problem.evidence
    finally:
        close_subject(subject)


_HANGS_ONCE = """
import functools, time
from pathlib import Path

import react_tck
from examples.own_agent import Mine

call = Mine.call


@functools.wraps(call)
def hang_once(self, *args, **named):
    if not Path("hung").exists():
        Path("hung").touch()
        time.sleep(600)
    return call(self, *args, **named)


Mine.call = hang_once
react_tck.wire.serve(Mine)
"""


def test_a_harness_that_hangs_fails_the_check_at_hand_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found with LlamaIndexTS: the kit's own alarm rang first, and the next check met the process that still hung."""
    (tmp_path / "harness.py").write_text(_HANGS_ONCE, encoding="utf-8")
    monkeypatch.setattr(trial, "LIMIT", 3)
    start = make_starter((sys.executable, "harness.py"), str(tmp_path), (f"PYTHONPATH={_ROOT}",))
    subject = StdioSubject(start, Timeouts(call=5))
    try:
        failed = [result for result in check_harness(subject) if result.problem]
    finally:
        subject.close()
    assert [result.name for result in failed] == ["smoke episode"]
    assert "did not answer 'call' within 5 seconds" in failed[0].problem
