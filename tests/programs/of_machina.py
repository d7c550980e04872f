"""Programs for `ReActMachina` and what takes its place."""

import asyncio
import tempfile
from typing import Any

import dspy
from dspy_react_machina import ReActMachina

from tests.programs.adding import SUM, add, asked, examples, made, right
from tests.programs.of_dspy_values import Typed


def call(agent: Any) -> Any:
    """Called, and read."""
    return asked(agent).answer


def awaited(agent: Any) -> Any:
    """Awaited."""
    return asyncio.run(made(agent).acall(question="2+3?")).answer


def positional(agent: Any) -> Any:
    """Made without keywords."""
    program = agent(SUM, [add], 4, dspy.Predict)
    return program.max_steps, program(question="2+3?").answer


def without_reasoning(agent: Any) -> Any:
    """With plain predictors."""
    prediction = asked(agent, predictor_class=dspy.Predict)
    return prediction.answer, "reasoning" in prediction


def several_inputs(agent: Any) -> Any:
    """Several inputs and outputs."""
    prediction = made(agent, "question, hint -> answer, doubt")(question="2+3?", hint="count")
    return prediction.answer, prediction.doubt


def interrupted(agent: Any) -> Any:
    """No step is left."""
    return asked(agent, max_steps=1).answer


def states(agent: Any) -> Any:
    """The predictors and their signatures, by state."""
    program = made(agent)
    signatures = {state: sorted(signature.output_fields) for state, signature in program.state_signatures.items()}
    return sorted(program.state_predictors), signatures


def tools(agent: Any) -> Any:
    """The tools by name."""
    registry = made(agent).tool_registry
    return [isinstance(registry[name], dspy.Tool) for name in ("add", "finish")], registry["add"](a=2, b=3)


def tool_held_as_given(agent: Any) -> Any:
    """Whether the agent holds the very tool that it was given, and runs it."""
    plus = dspy.Tool(add, name="add")
    program = agent(SUM, tools=[plus])
    return program.tool_registry["add"] is plus, program(question="2+3?").answer


def evaluated(agent: Any) -> Any:
    """Evaluated."""
    return dspy.Evaluate(devset=examples(2), metric=right, num_threads=1, display_progress=False)(made(agent)).score


def copied(agent: Any) -> Any:
    """A deep copy."""
    return made(agent).deepcopy()(question="2+3?").answer


def predictors(agent: Any) -> Any:
    """What optimisers find, and what states are saved by."""
    return sorted(name for name, _ in made(agent).named_predictors())


def no_tools(agent: Any) -> Any:
    """An agent without tools."""
    return sorted(agent(SUM, tools=[]).signature.fields)


def adapter_read(agent: Any) -> Any:
    """The adapter that writes the conversation, read."""
    program = made(agent)
    signature = program.state_signatures["user_query"]
    written = program.custom_adapter.format(signature, [], {"question": "2+3?", "machine_state": "user_query"})
    return [message["role"] for message in written], isinstance(program.custom_adapter, dspy.ChatAdapter)


def adapter_set(agent: Any) -> Any:
    """Another adapter in its place."""
    program = made(agent)
    program.custom_adapter = program.custom_adapter
    return program(question="2+3?").answer


def adapter_of_the_program(agent: Any) -> Any:
    """An adapter that is configured, which a conversation doesn't ask by."""
    with dspy.context(adapter=dspy.JSONAdapter()):
        return asked(agent).answer


def limit_set(agent: Any) -> Any:
    """The limit, set afterwards."""
    program = made(agent)
    program.max_steps = 1
    return program(question="2+3?").steps


def no_step(agent: Any) -> Any:
    """A limit of none."""
    return made(agent, max_steps=0).max_steps


def finished_at_once(agent: Any) -> Any:
    """A `finish` before any tool has run."""
    program = made(agent)
    program.state_predictors["user_query"] = lambda **_: dspy.Prediction(tool_name="finish", tool_args={}, response="")
    return program(question="2+3?").answer


def predictor_replaced(agent: Any) -> Any:
    """Any callable for the predictor of a state."""
    program, seen = made(agent), []
    finish = program.state_predictors["finish"]

    def told(**inputs: Any) -> Any:
        seen.append(sorted(inputs))
        return finish(**inputs)

    program.state_predictors["finish"] = told
    return program(question="2+3?").answer, seen


def signature_kept(agent: Any) -> Any:
    """Whether the agent shows the very class that it was given."""
    given = dspy.Signature(SUM)
    return agent(given, tools=[add]).signature is given


def typed(agent: Any) -> Any:
    """An output as a model of pydantic's."""
    return asked(agent, signature=Typed).total.model_dump()


def async_tool(agent: Any) -> Any:
    """An async tool, in a sync call."""

    async def add(a: int, b: int) -> int:
        """Adds."""
        return a + b

    return agent(SUM, tools=[add])(question="2+3?").answer


def async_tool_awaited(agent: Any) -> Any:
    """An async tool, awaited."""

    async def add(a: int, b: int) -> int:
        """Adds."""
        return a + b

    return asyncio.run(agent(SUM, tools=[add]).acall(question="2+3?")).answer


def two_tools_of_a_name(agent: Any) -> Any:
    """Two tools of one name."""
    return len(agent(SUM, tools=[add, add]).tool_registry)


def all_tools(agent: Any) -> Any:
    """The names of all tools."""
    return sorted(made(agent).tool_registry)


def field_left_out(agent: Any) -> Any:
    """A callable for the first state that forgets the tool."""
    program = made(agent)
    program.state_predictors["user_query"] = lambda **_: dspy.Prediction(reasoning="hm", tool_args={}, response="Wait.")
    return program(question="2+3?").answer


def error_of_a_predictor(agent: Any) -> Any:
    """A callable for the first state that refuses what it is given."""

    def ask(**_: Any) -> Any:
        raise ValueError

    program = made(agent)
    program.state_predictors["user_query"] = ask
    return program(question="2+3?").get("answer")


def unknown_input(agent: Any) -> Any:
    """An input that the signature doesn't have."""
    return made(agent)(question="2+3?", mood="good").answer


def missing_input(agent: Any) -> Any:
    """An input that is left out."""
    return made(agent, "question, hint -> answer")(question="2+3?").answer


def saved(agent: Any) -> Any:
    """The state of its predictors, saved and loaded."""
    program, other = made(agent), made(agent)
    with tempfile.TemporaryDirectory() as folder:
        program.save(f"{folder}/state.json")
        other.load(f"{folder}/state.json")
    return other(question="2+3?").answer


def saved_by_the_original(agent: Any) -> Any:
    """A state that the original saved."""
    other = made(agent)
    with tempfile.TemporaryDirectory() as folder:
        made(ReActMachina).save(f"{folder}/state.json")
        other.load(f"{folder}/state.json")
    return other(question="2+3?").answer


def program_saved(agent: Any) -> Any:
    """The whole program."""
    with tempfile.TemporaryDirectory() as folder:
        made(agent).save(folder, save_program=True)
        return dspy.load(folder, allow_pickle=True)(question="2+3?").answer


def parallel(agent: Any) -> Any:
    """Two questions."""
    program = made(agent)
    pairs = [(program, example) for example in examples(2)]
    return [each.answer for each in dspy.Parallel(num_threads=1, disable_progress_bar=True)(pairs)]


def at_once(agent: Any) -> Any:
    """Several conversations with one agent, awaited together."""

    async def ask() -> list[Any]:
        program = made(agent)
        return [each.answer for each in await asyncio.gather(*(program.acall(question=f"{n}+3?") for n in range(3)))]

    return asyncio.run(ask())


def asyncified(agent: Any) -> Any:
    """Run in a thread."""
    return asyncio.run(dspy.asyncify(made(agent))(question="2+3?")).answer


def usage(agent: Any) -> Any:
    """What was used, and what the module keeps of its requests."""
    program = made(agent)
    with dspy.context(track_usage=True):
        prediction = program(question="2+3?")
    return {model: used["total_tokens"] for model, used in prediction.get_lm_usage().items()}, len(program.history)


def best_of_two(agent: Any) -> Any:
    """The better of two runs."""
    return dspy.BestOfN(made(agent), N=2, reward_fn=lambda *_: 1.0, threshold=1.0)(question="2+3?").answer
