"""Programs around `dspy.ReAct` and what takes its place: all that dspy offers for modules, optimizers included."""

import asyncio
import tempfile
from typing import Any

import dspy
from dspy.utils.callback import BaseCallback

from tests.programs.adding import SUM, asked, demos, examples, made, right, said


def saved_and_loaded(agent: Any) -> Any:
    """The state, by a file."""
    program, other = made(agent), made(agent)
    program.react.demos = [
        dspy.Example(question="1+1?", trajectory="", next_thought="", next_tool_name="finish", next_tool_args={})
    ]
    with tempfile.TemporaryDirectory() as folder:
        program.save(f"{folder}/state.json")
        other.load(f"{folder}/state.json")
    return demos(other), said(other(question="2+3?"))


def saved_by_the_original(agent: Any) -> Any:
    """A state that the original saved."""
    program, other = made(dspy.ReAct), made(agent)
    program.extract.predict.signature = program.extract.predict.signature.with_instructions("Be exact.")
    with tempfile.TemporaryDirectory() as folder:
        program.save(f"{folder}/state.json")
        other.load(f"{folder}/state.json")
    return other.extract.predict.signature.instructions, said(other(question="2+3?"))


def program_saved(agent: Any) -> Any:
    """The whole program."""
    with tempfile.TemporaryDirectory() as folder:
        made(agent).save(folder, save_program=True)
        return said(dspy.load(folder, allow_pickle=True)(question="2+3?"))


def copied(agent: Any) -> Any:
    """Deep copies, with and without what was learnt."""
    program = made(agent)
    program.react.demos = [dspy.Example(question="1+1?", next_thought="", next_tool_name="finish", next_tool_args={})]
    copy, blank = program.deepcopy(), program.reset_copy()
    return demos(copy), demos(blank), said(copy(question="2+3?"))


def demos_shown(agent: Any) -> Any:
    """Whether the LM reads what was learnt."""
    program = made(agent)
    program.extract.predict.demos = [dspy.Example(question="1+1?", trajectory="none", reasoning="easy", answer="2")]
    program(question="2+3?")
    return "1+1?" in str(dspy.settings.lm.history[-1]["messages"])


def evaluated(agent: Any) -> Any:
    """Evaluated on examples that hold more than the agent's inputs."""
    evaluate = dspy.Evaluate(devset=examples(3, note="easy"), metric=right, num_threads=1, display_progress=False)
    result = evaluate(made(agent))
    return result.score, [said(prediction) for _, prediction, _ in result.results]


def evaluated_on_all(agent: Any) -> Any:
    """Evaluated on examples all of whose fields are inputs."""
    devset = [dspy.Example(question="2+3?", note="easy", answer="5").with_inputs("question", "note")]
    return dspy.Evaluate(devset=devset, metric=right, num_threads=1, display_progress=False)(made(agent)).score


def awaited(agent: Any) -> Any:
    """Called by `acall`, with a tool that is awaited."""

    async def add(a: int, b: int) -> int:
        await asyncio.sleep(0)
        return a + b

    return said(asyncio.run(agent(SUM, tools=[add]).acall(question="2+3?")))


def async_tool_in_a_sync_call(agent: Any) -> Any:
    """An async tool where dspy is told to run it."""

    async def add(a: int, b: int) -> int:
        return a + b

    with dspy.context(allow_tool_async_sync_conversion=True):
        return said(agent(SUM, tools=[add])(question="2+3?"))


def async_tool_unconverted(agent: Any) -> Any:
    """An async tool in a sync call of which dspy wasn't told."""

    async def add(a: int, b: int) -> int:
        return a + b

    return agent(SUM, tools=[add])(question="2+3?").trajectory["observation_0"] == 5


def asyncified(agent: Any) -> Any:
    """A sync program in a thread of its own."""
    return said(asyncio.run(dspy.asyncify(made(agent))(question="2+3?")))


def parallel(agent: Any) -> Any:
    """Two questions at once."""
    program = made(agent)
    pairs = [(program, example) for example in examples(2)]
    return [said(p) for p in dspy.Parallel(num_threads=1, disable_progress_bar=True)(pairs)]


def batched(agent: Any) -> Any:
    """A batch of questions."""
    return [said(p) for p in made(agent).batch(examples(2), num_threads=1, disable_progress_bar=True)]


class Status(dspy.streaming.StatusMessageProvider):  # type: ignore[misc]
    """What a user reads meanwhile."""

    def tool_start_status_message(self, instance: Any, inputs: dict[str, Any]) -> str:
        """A tool runs."""
        return f"running {instance.name} ({instance.desc}) {inputs['kwargs']}"

    def tool_end_status_message(self, outputs: Any) -> str:
        """It has."""
        return f"got {outputs}"


def streamed(agent: Any) -> Any:
    """Status messages, the answer as it comes, and the prediction, of a stream."""
    listener = dspy.streaming.StreamListener("answer")

    async def read() -> list[Any]:
        program = dspy.streamify(made(agent), status_message_provider=Status(), stream_listeners=[listener])
        return [_part(part) async for part in program(question="2+3?")]

    return asyncio.run(read())


def _part(part: Any) -> Any:
    match part:
        case dspy.Prediction():
            return said(part)
        case dspy.streaming.StatusMessage():
            return part.message
    return part.predict_name, part.signature_field_name, part.chunk


class Listener(BaseCallback):  # type: ignore[misc]
    """Keeps what a tracer would."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def on_module_start(self, call_id: str, instance: Any, inputs: dict[str, Any]) -> None:
        """A module begins."""
        self.heard.append(("module", type(instance).__name__ if isinstance(instance, dspy.Predict) else "agent"))

    def on_tool_start(self, call_id: str, instance: Any, inputs: dict[str, Any]) -> None:
        """A tool begins."""
        self.heard.append(("tool", isinstance(instance, dspy.Tool), instance.name, instance.desc, inputs))

    def on_tool_end(self, call_id: str, outputs: Any, exception: Exception | None = None) -> None:
        """A tool is over."""
        self.heard.append(("tool's end", outputs, type(exception).__name__))

    def on_adapter_format_start(self, call_id: str, instance: Any, inputs: dict[str, Any]) -> None:
        """A prompt is written."""
        self.heard.append(("format", type(instance).__name__))

    def on_adapter_parse_end(self, call_id: str, outputs: Any, exception: Exception | None = None) -> None:
        """A reply is read."""
        self.heard.append(("parsed", sorted(outputs or {})))


def listened(agent: Any) -> Any:
    """What callbacks hear of tools and of what is read; `finish` is ours to note, not to run."""
    listener = Listener()
    with dspy.context(callbacks=[listener]):
        asked(agent)
    return [event for event in listener.heard if event[0] != "module"]


def usage(agent: Any) -> Any:
    """How the LM was used."""
    with dspy.context(track_usage=True):
        prediction = asked(agent)
    return {name: cost["total_tokens"] for name, cost in prediction.get_lm_usage().items()}


def history(agent: Any) -> Any:
    """What the LM and the predictors keep of their calls."""
    program = made(agent)
    program(question="2+3?")
    return len(dspy.settings.lm.history), len(program.history), len(program.react.history), len(program.extract.history)


def best_of_n(agent: Any) -> Any:
    """The best of two attempts."""
    return said(
        dspy.BestOfN(made(agent), N=2, reward_fn=lambda _, p: 0.0 if p.answer == "5" else 1.0, threshold=1.0)(
            question="2+3?"
        )
    )


def refined(agent: Any) -> Any:
    """A second attempt with advice."""
    return said(dspy.Refine(made(agent), N=2, reward_fn=lambda _, p: 0.0, threshold=1.0)(question="2+3?"))


def trace_read(agent: Any) -> Any:
    """A metric that reads which step was taken, as it is traced."""
    read: list[Any] = []

    def metric(example: Any, prediction: Any, trace: Any = None) -> bool:
        read.extend(dict(step) for _, _, step in trace or [] if "next_tool_args" in step)
        return right(example, prediction)

    dspy.BootstrapFewShot(metric=metric, max_bootstrapped_demos=1).compile(made(agent), trainset=examples(1))
    return read
