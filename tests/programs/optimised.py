"""Programs of dspy's optimisers, for any agent of dspy's: what kind of program they end with."""

import json
from typing import Any

import dspy

from tests.programs.adding import demos, examples, made, right


def _kind(best: Any, agent: Any) -> Any:
    """Whether it is one of the class, which predictors have learnt, and what it answers, and does once it was saved."""
    learnt = sorted((name, count > 0) for name, count in demos(best).items())
    again = made(agent)
    again.load_state(json.loads(json.dumps(best.dump_state())))
    return isinstance(best, agent), learnt, demos(again) == demos(best), [_answer_of(best), _answer_of(again)]


def _answer_of(program: Any) -> Any:
    """What it says to a question that it hasn't learnt from, or the type of its error."""
    try:
        return program(question="2+3?").answer
    except Exception as error:
        return type(error).__name__


def bootstrapped(agent: Any) -> Any:
    """Demos from runs that went well."""
    taught = dspy.BootstrapFewShot(metric=right, max_bootstrapped_demos=1, max_labeled_demos=0)
    return _kind(taught.compile(made(agent), trainset=examples(2)), agent)


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
    return _kind(best, agent)


def simba(agent: Any) -> Any:
    """Rules from runs that differed."""
    best = dspy.SIMBA(metric=right, bsize=2, num_candidates=2, max_steps=1, max_demos=1, num_threads=1).compile(
        made(agent), trainset=examples(2), seed=1
    )
    return _kind(best, agent)


def gepa(agent: Any) -> Any:
    """Instructions reflected on."""

    def feedback(
        example: Any, prediction: Any, trace: Any = None, pred_name: Any = None, pred_trace: Any = None
    ) -> Any:
        return dspy.Prediction(score=0.5, feedback="Be briefer.")

    best = dspy.GEPA(
        metric=feedback, max_metric_calls=8, reflection_lm=dspy.settings.lm, num_threads=1, track_stats=False, seed=1
    ).compile(made(agent), trainset=examples(2), valset=examples(2))
    return _kind(best, agent)
