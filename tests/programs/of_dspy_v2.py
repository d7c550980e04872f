"""Programs for `dspy.ReActV2` and what takes its place."""

import asyncio
import tempfile
from typing import Any

import dspy

from tests.programs.adding import SUM, add, asked, examples, made, right
from tests.programs.of_dspy_values import Typed

_PICTURED = "picture: dspy.Image, question -> answer"


def said(prediction: Any) -> Any:
    """Answer and how it came."""
    return prediction.answer, prediction.termination_reason


def call(agent: Any) -> Any:
    """Called, and read."""
    return said(asked(agent))


def positional(agent: Any) -> Any:
    """Made without keywords."""
    return said(agent(SUM, [add], 4)(question="2+3?"))


def signature_read(agent: Any) -> Any:
    """The signature as the program's author reads it."""
    return list(made(agent, "question, hint: str -> answer, sure: bool").signature.fields)


def tool_replaced(agent: Any) -> Any:
    """Another tool in the place of one."""
    program = made(agent)
    program.tools["add"] = dspy.Tool(lambda a, b: f"{a} and {b}", name="add")
    first = program(question="2+3?").history.messages[0]
    return first["tool_calls"].tool_call_results.tool_call_results[0].value


def awaited(agent: Any) -> Any:
    """Awaited."""
    return said(asyncio.run(made(agent).acall(question="2+3?")))


def limit_set(agent: Any) -> Any:
    """The limit read, and set afterwards."""
    program = made(agent, max_iters=7)
    before, program.max_iters = program.max_iters, 3
    return before, said(program(question="2+3?"))


def steps_used_up(agent: Any) -> Any:
    """No step is left for an answer."""
    return said(made(agent)(question="2+3?", max_iters=1))


def forced_in_words(agent: Any) -> Any:
    """What the LM reads last, when no step is left."""
    asked(agent, max_iters=1)
    return "No step is left" in str(dspy.settings.lm.history[-1]["messages"][-1])


def history_in_json(agent: Any) -> Any:
    """A conversation that was JSON meanwhile."""
    program = made(agent)
    first = program(question="2+3?")
    return said(program(question="And again?", history=first.history.model_dump(mode="json")))


def tools_by_name(agent: Any) -> Any:
    """The tools read, and run."""
    tools = made(agent).tools
    return (
        [(n, isinstance(t, dspy.Tool)) for n, t in tools.items()],
        tools["add"](a=1, b=2),
        tools["submit"](answer="5"),
    )


def history_passed_on(agent: Any) -> Any:
    """A second question in the same conversation."""
    program = made(agent)
    first = program(question="2+3?")
    return said(program(question="And again?", history=first.history))


def history_read(agent: Any) -> Any:
    """The history as its readers know it: a mapping a turn, with inputs, thought, calls and outputs."""
    return [sorted(message) for message in asked(agent).history.messages]


def history_of_the_original(agent: Any) -> Any:
    """A conversation that the original began."""
    first = asked(dspy.ReActV2)
    return said(made(agent)(question="And again?", history=first.history)), _read_of("2+3?")


def history_for_the_original(agent: Any) -> Any:
    """A conversation that the original goes on with."""
    first = asked(agent)
    return said(made(dspy.ReActV2)(question="And again?", history=first.history)), _read_of("2+3?")


def _read_of(text: str) -> bool:
    """Whether the LM has read this last."""
    return text in str(dspy.settings.lm.history[-1]["messages"])


def history_in_json_for_the_original(agent: Any) -> Any:
    """The same, when it was JSON meanwhile."""
    told = asked(agent).history.model_dump(mode="json")
    return said(made(dspy.ReActV2)(question="And again?", history=told)), _read_of("2+3?"), _read_of("add them")


def results_read(agent: Any) -> Any:
    """Calls and their results, as the history has them."""
    turn = asked(agent).history.messages[0]
    (call,), (result,) = turn["tool_calls"].tool_calls, turn["tool_calls"].tool_call_results.tool_call_results
    return turn["next_thought"], call.name, call.args, result.value, result.is_error, call.id == result.call_id


def values_read(agent: Any) -> Any:
    """An output of a type of the user's, as the history has it."""
    return type(asked(agent, signature=Typed).history.messages[-1]["total"]).__name__


def passed_to_and_fro(agent: Any) -> Any:
    """A conversation that both went on with, in turns."""
    first = asked(agent)
    second = made(dspy.ReActV2)(question="And again?", history=first.history)
    third = made(agent)(question="Once more?", history=second.history)
    return said(third), [sorted(turn) for turn in third.history.messages], _read_of("2+3?"), _read_of("And again?")


def never_submitted(agent: Any) -> Any:
    """A LM that submits nothing, though it is made to."""
    program = made(agent, max_iters=1)
    program.react = lambda **_: dspy.Prediction(
        next_thought="", tool_calls=dspy.ToolCalls.from_dict_list([{"name": "add", "args": {"a": 1, "b": 1}}])
    )
    return said(program(question="2+3?"))


def continued_without_input(agent: Any) -> Any:
    """A call with a history and nothing new."""
    program = made(agent)
    first = program(question="2+3?", max_iters=1)
    return said(program(history=first.history))


def history_untouched(agent: Any) -> Any:
    """What a call does to the history it is given."""
    given = dspy.History(messages=[])
    made(agent)(question="2+3?", history=given)
    return len(given.messages)


def unknown_input(agent: Any) -> Any:
    """An input that the signature doesn't have."""
    return said(made(agent)(question="2+3?", mood="good"))


def typed(agent: Any) -> Any:
    """An output as a model of pydantic's."""
    return asked(agent, signature=Typed).total.model_dump()


def saved(agent: Any) -> Any:
    """The state, by a file."""
    program, other = made(agent), made(agent)
    program.react.demos = [dspy.Example(question="1+1?", next_thought="easy", tool_calls=dspy.ToolCalls(tool_calls=[]))]
    with tempfile.TemporaryDirectory() as folder:
        program.save(f"{folder}/state.json")
        other.load(f"{folder}/state.json")
    return len(other.react.demos), said(other(question="2+3?"))


def saved_by_the_original(agent: Any) -> Any:
    """A state that the original saved."""
    program, other = made(dspy.ReActV2), made(agent)
    program.react.demos = [dspy.Example(question="1+1?", next_thought="easy", tool_calls=dspy.ToolCalls(tool_calls=[]))]
    with tempfile.TemporaryDirectory() as folder:
        program.save(f"{folder}/state.json")
        other.load(f"{folder}/state.json")
    return len(other.react.demos)


def program_saved(agent: Any) -> Any:
    """The whole program."""
    with tempfile.TemporaryDirectory() as folder:
        made(agent).save(folder, save_program=True)
        return said(dspy.load(folder, allow_pickle=True)(question="2+3?"))


def copied(agent: Any) -> Any:
    """A deep copy."""
    return said(made(agent).deepcopy()(question="2+3?"))


def predictors(agent: Any) -> Any:
    """What optimisers see."""
    return [name for name, _ in made(agent).named_predictors()]


def evaluated(agent: Any) -> Any:
    """Evaluated."""
    return dspy.Evaluate(devset=examples(2), metric=right, num_threads=1, display_progress=False)(made(agent)).score


def parallel(agent: Any) -> Any:
    """Two questions."""
    program = made(agent)
    pairs = [(program, example) for example in examples(2)]
    return [said(p) for p in dspy.Parallel(num_threads=1, disable_progress_bar=True)(pairs)]


def image_for_the_original(agent: Any) -> Any:
    """A conversation about an image that the original goes on with: it sees both."""
    picture = dspy.Image("data:image/png;base64,iVBORw0KGgo=")
    first = agent(_PICTURED, tools=[add])(picture=picture, question="2+3?")
    return said(dspy.ReActV2(_PICTURED, tools=[add])(picture=picture, question="Again?", history=first.history))
