"""Finds out by experiment what a subject does at the choice points, and how often it asks again."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from react_tck.catalogue.manifests import manifest_of
from react_tck.fakes.toolbox import TOOLBOX
from react_tck.judges.choices import is_as_declared, observe_variants
from react_tck.model.case import Case, Invocation, Options
from react_tck.model.episode import Episode, make_nonce
from react_tck.model.intent import Answer, BadArgs, CallTool, Fault, Finish, Garbled, Intent, Script
from react_tck.model.manifest import Manifest
from react_tck.model.record import Record
from react_tck.model.requirement import OR
from react_tck.model.signature import parse_arrow
from react_tck.model.tool import Behaviour, Raises
from react_tck.play.session import play_episode
from react_tck.subjects.api import Subject

_ADD = CallTool(tool="add", args={"a": 2, "b": 3}, thought="Adding helps.")
#: Whatever the subject makes of the experiment, it is told to finish and what to answer.
_FINISH = Finish(thought="That is all.", sticky=True)
_ANSWER = Answer(outputs={"answer": "5"}, reasoning="It adds up.", sticky=True)
_PROSE = Garbled(form="prose", meant=_ADD)


@dataclass(frozen=True)
class Probed:
    """What was found out: the manifest as it should be, and where the present one says otherwise."""

    manifest: Manifest
    declared: Manifest

    @property
    def contradictions(self) -> Iterator[str]:
        """A sentence for everything declared that was seen to be otherwise."""
        for name, variant in self.declared.choices.items():
            seen = self.manifest.choices[name]
            if seen != variant:
                yield f"{name} is declared {variant!r}, but was seen to be {seen!r}"
        if self.manifest.retries != self.declared.retries:
            yield f"retries is declared {self.declared.retries}, but was seen to be {self.manifest.retries}"
        if self.manifest.default_max_steps != self.declared.default_max_steps:
            steps = self.declared.default_max_steps
            yield f"default_max_steps is declared {steps}, but was seen to be {self.manifest.default_max_steps}"


def probe_subject(subject: Subject) -> Probed:
    """Play every experiment once.

    Raises:
        HarnessBroken: if the harness doesn't hold out.
    """
    declared = manifest_of(subject)
    plays = [(episode, play_episode(subject, episode, is_watched=False)) for episode in list_experiments()]
    observed = observe_variants(plays)
    # What no experiment shows stays as it is declared, and so does what is declared beside what was seen.
    seen = {
        name: OR.join(sorted(variants))
        for name, variants in observed.items()
        if not is_as_declared(declared.choices.get(name, ""), variants)
    }
    found = {
        "choices": dict(sorted({**declared.choices, **seen}.items())),
        "retries": _count_retries(record for _, record in plays),
        "default_max_steps": _default_steps(observed, declared),
    }
    return Probed(declared.model_copy(update=found), declared)


def list_experiments() -> Iterator[Episode]:
    """An episode for every choice that the tool loop leaves open."""
    yield _build_experiment("an ordinary run", _ADD)
    yield _build_experiment("a tool that raises", _ADD, behaviours={"add": (Raises(message="no connection"),)})
    yield _build_experiment("a tool that there isn't", _ADD.model_copy(update={"tool": "adds"}))
    yield _build_experiment("args that aren't JSON", _with_text("two and three"))
    yield _build_experiment("args of another type", _with_args(a="two", b="three"))
    yield _build_experiment("args of another type that can be converted", _with_args(a="2", b="3"))
    yield _build_experiment("args in Python's notation", _with_text("{'a': 2, 'b': 3}"))
    yield _build_experiment("a key that stands twice in the args", _with_text('{"a": 1, "a": 2, "b": 3}'))
    yield _build_experiment("no args at all", BadArgs(tool="ping", text="null", thought="Is it up?"))
    yield _build_experiment(
        "near misses of a tool's name", *(_ADD.model_copy(update={"tool": name}) for name in ('"add"', "Add"))
    )
    yield _build_experiment("a reply that is no step", _PROSE)
    yield _build_experiment("a field that stands twice in a step", Garbled(form="contradicted-field", meant=_ADD))
    yield _build_experiment(
        "a field that stands twice in the answer", answer=Garbled(form="contradicted-field", meant=_ANSWER)
    )
    yield _build_experiment(
        "an answer that no tokens are left for", answer=Garbled(form="truncated", meant=_ANSWER, cut=1)
    )
    yield _build_experiment("a provider that fails", Fault(fault="rate-limit"))
    yield _build_experiment(
        "steps that run out", _ADD.model_copy(update={"sticky": True}), options=Options(max_steps=2)
    )
    yield _build_experiment("no steps at all", options=Options(max_steps=0))
    yield _build_experiment("an LM that never finishes", _ADD.model_copy(update={"sticky": True}))


def _with_args(**args: str) -> CallTool:
    return CallTool(tool="add", args=dict(args), thought="Adding helps.")


def _with_text(text: str) -> BadArgs:
    return BadArgs(tool="add", text=text, thought="Adding helps.")


def _build_experiment(
    title: str,
    *steps: Intent,
    answer: Intent = _ANSWER,
    options: Options | None = None,
    behaviours: dict[str, tuple[Behaviour, ...]] | None = None,
) -> Episode:
    case = Case(
        id=f"probe/{title}",
        signature=parse_arrow("question -> answer"),
        tools=(TOOLBOX["add"], TOOLBOX["search"], TOOLBOX["ping"]),
        options=options or Options(),
        invocations=(Invocation(inputs={"question": "2+3"}),),
    )
    script = Script(steps=(*steps, _FINISH), answers=(answer.model_copy(update={"sticky": True}),))
    return Episode(case=case, script=script, behaviours=behaviours or {}, nonce=make_nonce(case.id, 0))


def _default_steps(observed: Mapping[str, set[str]], declared: Manifest) -> int | None:
    return next((int(steps) for steps in observed.get("max-steps-default", ())), declared.default_max_steps)


def _count_retries(records: Iterable[Record]) -> int:
    """The most often that a turn was asked for again."""
    return max((asked.attempt for record in records for asked in record.requests), default=0)
