"""Programs for `dspy.ReAct` and what takes its place: around the agent, everything that dspy offers its users."""

import asyncio
import tempfile
from typing import Any

import dspy
from dspy.utils.callback import BaseCallback
from dspy.utils.exceptions import AdapterParseError, ContextWindowExceededError
from pydantic import BaseModel

SUM = "question -> answer"


def add(a: int, b: int) -> int:
    """Adds two whole numbers."""
    return a + b


def made(agent: Any, signature: Any = SUM, **options: Any) -> Any:
    """An agent that can add."""
    return agent(signature, tools=[add], **options)


def asked(agent: Any, question: str = "2+3?", **options: Any) -> Any:
    """What an agent that can add says to a question."""
    return made(agent, **options)(question=question)


def said(prediction: Any) -> Any:
    """Answer and trajectory, without the words that nobody compares."""
    return prediction.answer, dict(prediction.trajectory)


def examples(count: int = 2, **more: Any) -> list[dspy.Example]:
    """Questions with the right answer; what is more in them isn't for the agent."""
    return [dspy.Example(question=f"{n}+3?", answer="5", **more).with_inputs("question") for n in range(count)]


def right(example: Any, prediction: Any, *_: Any) -> bool:
    """The metric."""
    return bool(example.answer == prediction.answer)


def _demos(program: Any) -> dict[str, int]:
    return {name: len(predictor.demos) for name, predictor in program.named_predictors()}


# ------------------------------------------------------------------ the agent itself


def call(agent: Any) -> Any:
    """Called, and read."""
    return said(asked(agent))


def positional(agent: Any) -> Any:
    """Made without keywords."""
    return said(agent(SUM, [add], 4)(question="2+3?"))


def limit_set(agent: Any) -> Any:
    """The limit read, and set afterwards."""
    program = made(agent, max_iters=7)
    before, program.max_iters = program.max_iters, 1
    return before, said(program(question="2+3?"))


def limit_of_a_call(agent: Any) -> Any:
    """The limit of one call."""
    return said(made(agent)(question="2+3?", max_iters=1))


def tools_by_name(agent: Any) -> Any:
    """The tools read, and run."""
    tools = made(agent).tools
    return [(name, isinstance(tool, dspy.Tool), tool.name) for name, tool in tools.items()], [
        tools["add"](a=1, b=2),
        tools["finish"](),
        asyncio.run(tools["add"].acall(a=1, b=2)),
    ]


def tool_replaced(agent: Any) -> Any:
    """Another tool in the place of one."""
    program = made(agent)
    program.tools["add"] = dspy.Tool(lambda a, b: f"{a} and {b}", name="add")
    return said(program(question="2+3?"))


def tools_of_another(agent: Any) -> Any:
    """The tools of one agent given to another."""
    first = made(agent)
    return said(agent(SUM, tools=[tool for name, tool in first.tools.items() if name != "finish"])(question="2+3?"))


def step_replaced(agent: Any) -> Any:
    """Any callable for the predictor of steps."""
    program, seen = made(agent), []

    def react(**inputs: Any) -> dspy.Prediction:
        seen.append(sorted(inputs))
        tool = "finish" if len(seen) > 1 else "add"
        return dspy.Prediction(
            next_thought="", next_tool_name=tool, next_tool_args={"a": 1, "b": 1} if tool == "add" else {}
        )

    program.react = react
    return said(program(question="2+3?")), seen


def extraction_replaced(agent: Any) -> Any:
    """Any callable for the extraction."""
    program = made(agent)
    program.extract = lambda **inputs: dspy.Prediction(answer=f"asked {sorted(inputs)}")
    return said(program(question="2+3?"))


def trajectory_formatted(agent: Any) -> Any:
    """A subclass that writes the trajectory in its own way."""

    class Terse(agent):  # type: ignore[misc]
        def _format_trajectory(self, trajectory: dict[str, Any]) -> str:
            return " ".join(f"{key}={value}" for key, value in trajectory.items())

    return said(asked(Terse)), "observation_0=5" in (dspy.settings.lm.history[-1]["messages"][-1]["content"])


def failing_tool(agent: Any) -> Any:
    """A tool whose error has no text."""

    def add(a: int, b: int) -> int:
        raise TimeoutError

    result = agent(SUM, tools=[add])(question="2+3?")
    return result.answer, "TimeoutError" in result.trajectory["observation_0"]


def error_of_a_tool(agent: Any) -> Any:
    """Whether the LM is told the error, and where it happened."""

    def add(a: int, b: int) -> int:
        raise LookupError("no such number")

    observed = agent(SUM, tools=[add])(question="2+3?").trajectory["observation_0"]
    return "LookupError: no such number" in observed, "Traceback" in observed


def args_that_do_not_fit(agent: Any) -> Any:
    """A number where a text is wanted."""

    def add(a: str, b: int) -> str:
        return a * b

    return agent(SUM, tools=[add])(question="2+3?").trajectory["observation_0"]


def steps_left_out(agent: Any) -> Any:
    """A prompt that doesn't fit once."""
    program, prompts = made(agent), []

    def react(**inputs: Any) -> Any:
        prompts.append(inputs["trajectory"].count("observation_"))
        if len(prompts) == 3:
            raise ContextWindowExceededError
        tool, args = ("add", {"a": 2, "b": 3}) if len(prompts) < 3 else ("finish", {})
        return dspy.Prediction(next_thought="", next_tool_name=tool, next_tool_args=args)

    program.react = react
    return sorted(program(question="2+3?").trajectory), prompts


def objects_of_a_tool(agent: Any) -> Any:
    """A list to which the tool adds."""
    sums: list[int] = []

    def add(a: int, b: int) -> list[int]:
        sums.append(a + b)
        return sums

    program = agent(SUM, tools=[add])
    first = program(question="2+3?")
    program(question="2+3?")
    return first.trajectory["observation_0"]


def unreadable_reply(agent: Any) -> Any:
    """A step in which there is nothing to be read."""
    program, calls = made(agent), []
    step = program.react

    def react(**inputs: Any) -> Any:
        calls.append(1)
        if len(calls) == 1:
            raise AdapterParseError("ChatAdapter", step.signature, "Hm.")
        return step(**inputs)

    program.react = react
    return said(program(question="2+3?")), len(calls)


def unknown_input(agent: Any) -> Any:
    """An input that the signature doesn't have."""
    return said(made(agent)(question="2+3?", mood="good"))


def missing_input(agent: Any) -> Any:
    """An input left out."""
    return said(made(agent)())


def two_tools_of_a_name(agent: Any) -> Any:
    """The last of two tools of a name counts."""
    return said(agent(SUM, tools=[lambda: 1, dspy.Tool(lambda: 1, name="add"), add])(question="2+3?"))


def subclass_with_forward(agent: Any) -> Any:
    """A subclass with something before and after."""

    class Polite(agent):  # type: ignore[misc]
        def forward(self, **inputs: Any) -> Any:
            prediction = super().forward(**inputs)
            prediction.answer = f"{prediction.answer}, please"
            return prediction

    return said(asked(Polite))


def own_signature_read(agent: Any) -> Any:
    """The signature as the program's author reads it."""
    program = made(agent, "question, hint: str -> answer, sure: bool")
    predictors = {name: list(p.signature.fields) for name, p in program.named_predictors()}
    return list(program.signature.fields), sorted((n, sorted(fields)) for n, fields in predictors.items())


def trajectory_truncated(agent: Any) -> Any:
    """A subclass that shortens a trajectory in its own way."""

    class Brief(agent):  # type: ignore[misc]
        def truncate_trajectory(self, trajectory: dict[str, Any]) -> dict[str, Any]:
            return {key: value for key, value in trajectory.items() if not key.startswith("thought")}

    program, shown = made(Brief), []

    def react(**inputs: Any) -> Any:
        shown.append(("add them" in inputs["trajectory"], inputs["trajectory"].count("observation_")))
        if len(shown) == 3:
            raise ContextWindowExceededError
        tool, args = ("add", {"a": 2, "b": 3}) if len(shown) < 3 else ("finish", {})
        return dspy.Prediction(next_thought="add them", next_tool_name=tool, next_tool_args=args)

    program.react = react
    return program(question="2+3?").answer, shown


# ------------------------------------------------------------------ dspy around it


def saved_and_loaded(agent: Any) -> Any:
    """The state, by a file."""
    program, other = made(agent), made(agent)
    program.react.demos = [
        dspy.Example(question="1+1?", trajectory="", next_thought="", next_tool_name="finish", next_tool_args={})
    ]
    with tempfile.TemporaryDirectory() as folder:
        program.save(f"{folder}/state.json")
        other.load(f"{folder}/state.json")
    return _demos(other), said(other(question="2+3?"))


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
    return _demos(copy), _demos(blank), said(copy(question="2+3?"))


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


def bootstrapped(agent: Any) -> Any:
    """Demos from runs that went well."""
    taught = dspy.BootstrapFewShot(metric=right, max_bootstrapped_demos=1, max_labeled_demos=0)
    return _demos(taught.compile(made(agent), trainset=examples(2)))


def mipro(agent: Any) -> Any:
    """Instructions proposed and tried out."""
    optimizer = dspy.MIPROv2(
        metric=right,
        auto=None,
        num_candidates=2,
        max_bootstrapped_demos=1,
        max_labeled_demos=0,
        num_threads=1,
        seed=1,
        verbose=False,
    )
    best = optimizer.compile(made(agent), trainset=examples(3), valset=examples(2), num_trials=2, minibatch=False)
    return sorted(_demos(best))


def simba(agent: Any) -> Any:
    """Rules from runs that differed."""
    best = dspy.SIMBA(metric=right, bsize=2, num_candidates=2, max_steps=1, max_demos=1, num_threads=1).compile(
        made(agent), trainset=examples(2), seed=1
    )
    return sorted(_demos(best))


def gepa(agent: Any) -> Any:
    """Instructions reflected on."""

    def feedback(
        example: Any, prediction: Any, trace: Any = None, pred_name: Any = None, pred_trace: Any = None
    ) -> Any:
        return dspy.Prediction(score=0.5, feedback="Be briefer.")

    best = dspy.GEPA(
        metric=feedback, max_metric_calls=8, reflection_lm=dspy.settings.lm, num_threads=1, track_stats=False, seed=1
    ).compile(made(agent), trainset=examples(2), valset=examples(2))
    return sorted(_demos(best))


def mcp_tool(agent: Any) -> Any:
    """A tool of an MCP server."""
    from mcp import types

    class Session:
        async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
            return types.CallToolResult(content=[types.TextContent(type="text", text=str(sum(arguments.values())))])

    number = {"type": "integer"}
    schema = {"type": "object", "properties": {"a": number, "b": number}, "required": ["a", "b"]}
    offer = types.Tool(name="add", description="Adds.", **{"inputSchema": schema})
    program = agent(SUM, tools=[dspy.Tool.from_mcp_tool(Session(), offer)])
    return said(asyncio.run(program.acall(question="2+3?")))


_PIXEL = "data:image/png;base64,iVBORw0KGgo="


def image_given(agent: Any) -> Any:
    """An image among the inputs."""
    return said(
        agent("picture: dspy.Image, question -> answer", tools=[add])(picture=dspy.Image(_PIXEL), question="2+3?")
    )


def image_found(agent: Any) -> Any:
    """An image that a tool gives."""

    def add(a: int, b: int) -> dspy.Image:
        return dspy.Image(_PIXEL)

    return said(agent(SUM, tools=[add])(question="2+3?"))


def images_found(agent: Any) -> Any:
    """A list of images that a tool gives."""

    def add(a: int, b: int) -> list[dspy.Image]:
        return [dspy.Image(_PIXEL)] * 2

    return said(agent(SUM, tools=[add])(question="2+3?"))


class Total(BaseModel):
    """A sum."""

    value: int
    parts: list[int]


class Typed(dspy.Signature):  # type: ignore[misc]
    """Add them."""

    question: str = dspy.InputField()
    total: Total = dspy.OutputField()


def typed(agent: Any) -> Any:
    """An output as a model of pydantic's."""
    return asked(agent, signature=Typed).total.model_dump()


def json_adapter(agent: Any) -> Any:
    """Asked in JSON."""
    with dspy.context(adapter=dspy.JSONAdapter()):
        return call(agent)


def xml_adapter(agent: Any) -> Any:
    """Asked in XML."""
    with dspy.context(adapter=dspy.XMLAdapter()):
        return call(agent)


def baml_adapter(agent: Any) -> Any:
    """Asked in JSON, types as BAML writes them."""
    from dspy.adapters.baml_adapter import BAMLAdapter

    with dspy.context(adapter=BAMLAdapter()):
        return call(agent)


def two_steps(agent: Any) -> Any:
    """Asked in prose, and the prose read by another LM."""
    reader = dspy.settings.lm
    with dspy.context(adapter=dspy.TwoStepAdapter(reader)):
        return call(agent)
