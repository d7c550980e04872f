"""A class of yours as a subject: what it declares, and what follows from what it defines."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.util import find_spec
from typing import Any, Callable, Literal, TypeVar, get_args  # noqa: UP035 - Python 3.9

Decorated = TypeVar("Decorated", bound=type)

Capability = Literal[
    "arrow-signature",
    "class-signature",
    "value-signature",
    "typed-fields",
    "nested-fields",
    "history",
    "global-adapter",
    "module-adapter",
    "call-max-steps",
    "async",
    "async-tools",
    "callable-tools",
    "declared-tools",
    "trajectory",
    "extraction",
    "step-signature",
    "concurrent-calls",
    "parse",
    "caller-objects",
    "model-args",
    "live-results",
    "opaque-results",
    "streaming",
    "tool-interruptions",
    "callbacks",
    # The profiles beyond core and robustness.
    "conversation",
    "transcript",
    "parallel-tool-calls",
    "image-inputs",
    "compaction",
    "confirmation",
    "clarification",
    "portable-state",
    "inspection",
    "udspy-surface",
    "truncation",
    "save-load",
]

#: What a class has that `subject` has decorated: its manifest, as the wire has it.
AS_SUBJECT = "__react_tck_subject__"

#: What a class may define, and how many arguments the kit gives it besides itself.
_METHODS: Mapping[str, tuple[str, ...]] = {
    "build": ("task", "tools", "lm"),
    "call": ("inputs",),
    "acall": ("inputs",),
    "resume": ("suspension", "response"),
    "aresume": ("suspension", "response"),
    "status": ("confirmation_id",),
    "describe": (),
    "heard": (),
    "dump": (),
    "load": ("state",),
    "parse": ("text", "fields"),
}
#: What a call may take besides, as keywords, where the class has them.
_KEYWORDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("call", "acall"), ("max_steps", "history", "adapter")),
    "parse": ("dialect",),
}
_COROUTINES = ("acall", "aresume")
#: Capabilities, and what has to be defined for each: methods, or keywords of the call.
_NEEDS: Mapping[str, tuple[str, ...]] = {
    "async": ("acall",),
    "parse": ("parse",),
    "confirmation": ("resume",),
    "inspection": ("describe",),
    "callbacks": ("heard",),
    "save-load": ("dump", "load"),
    "call-max-steps": ("max_steps=",),
    "history": ("history=",),
    "global-adapter": ("adapter=",),
}
#: Capabilities that the kit can't see in a class, and without which they mean nothing.
_REST_ON: Mapping[str, tuple[str, ...]] = {
    "portable-state": ("resume",),
    "clarification": ("resume",),
    "udspy-surface": ("describe", "resume"),
    "conversation": ("history=",),
    "transcript": ("history=",),
}


class SubjectError(ValueError):
    """A class can't be a subject as it is; the message says what is wrong, and what would be right."""


def subject(
    name: str,
    *,
    version: str,
    dialects: Sequence[str],
    capabilities: Iterable[str] = (),
    without: Iterable[str] = (),
    choices: Mapping[str, str] | None = None,
    default_max_steps: int | None = None,
    retries: int = 0,
    answer_tool: str | None = None,
    parse_errors: Iterable[type[Exception]] = (ValueError,),
    homepage: str = "",
    claims: Iterable[str] | None = None,
    varies: Iterable[str] = (),
    deviations: Mapping[str, Iterable[str]] | None = None,
) -> Callable[[Decorated], Decorated]:
    """Make a class a subject: `react-tck run python:my_module:Mine`, or `react_tck.run(Mine)`.

    The class defines `build(task, tools, lm)`, which is given a `Task`, `Tools` and the `LM`, builds your agent and
    keeps it, and `call(inputs)`, which calls it and returns `Done`, `Exhausted` or `Suspended`. What `build` raises is
    a refusal of the task, what `call` raises is the error that your library tells its users. Every agent is an
    instance of its own, made without arguments.

    What the class can do besides follows from what else it defines: `acall(inputs)`, `resume(suspension, response)`,
    `aresume`, `status(confirmation_id)`, `describe()`, `heard()`, `dump()` and `load(state)`, `parse(text, fields)`;
    and from the keywords of `call`: `max_steps`, `history`, `adapter`. A class with `parse` alone is a parser:

    >>> import json, react_tck
    >>> @react_tck.subject("json-parser", version="1.0", dialects=["json"])
    ... class Mine:
    ...     def parse(self, text, fields):
    ...         return json.loads(text)

    Args:
        name: what your library is called.
        version: its version.
        dialects: in which it asks the LM, the default first: `chat`, `json`, `xml`, `label`, `native`, `machina`,
            `react-text`, which may set labels: `react-text; action=Tool`.
        capabilities: what it can do and the kit can't see, such as `typed-fields`, `trajectory`, `extraction`.
        without: what of that, or of what the class defines, the installed release of the library can't do.
        choices: what it does where the sources leave a choice; what isn't declared is free.
        default_max_steps: how many steps a call has when nobody says; None if nothing limits them.
        retries: how many more LM requests a reply that can't be read may cost.
        answer_tool: the tool that takes the answer, if the library has one.
        parse_errors: with what it refuses a reply, a `KeyError` too; a parser crashes with anything else.
        homepage: its address.
        claims: the specifications whose sentences bind it; by default `react-module`, and what its capabilities show.
        varies: regular expressions of what its texts say otherwise in each play, such as a time of day.
        deviations: what it does otherwise than the library's users have it, with the requirements not judged by that.

    Raises:
        SubjectError: if the class can't be a subject as it is, or declares what it doesn't define. What the kit alone
            knows, such as the names of choices, is seen when the subject is used.
    """

    def decorate_class(decorated: Decorated) -> Decorated:
        if not inspect.isclass(decorated):
            raise SubjectError(f"@react_tck.subject decorates a class, and {decorated!r} is none")
        declaration = _Declaration(
            decorated,
            _read_texts("dialects", dialects),
            frozenset(_read_texts("capabilities", capabilities)),
            frozenset(_read_texts("without", without)),
        )
        declaration.check_declaration()
        refusals = _names_of(parse_errors)
        said = {
            "name": name,
            "version": version,
            "homepage": homepage,
            "dialects": declaration.dialects,
            "default_dialect": declaration.dialects[0],
            "capabilities": declaration.all_capabilities,
            "claims": None if claims is None else _read_texts("claims", claims),
            "choices": dict(choices or {}),
            "default_max_steps": default_max_steps if declaration.is_agent else 1,
            "answer_tool": answer_tool,
            "retries": retries,
            "varies": _read_texts("varies", varies),
            "deviations": {what: _read_texts("deviations", ids) for what, ids in (deviations or {}).items()},
            "parse_errors": refusals,
        }
        setattr(decorated, AS_SUBJECT, said)
        return decorated

    return decorate_class


def _read_texts(name: str, value: object) -> tuple[str, ...]:
    """Return the texts of a list: a text on its own would be taken for one of its characters each."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise SubjectError(f"{name} = {value!r}; it is a list of texts, such as [{str(value)!r}]")
    return tuple(map(str, value))


def _names_of(errors: object) -> tuple[str, ...]:
    given = tuple(errors) if isinstance(errors, Iterable) else (errors,)
    if not isinstance(errors, Iterable) or not all(isinstance(each, type) for each in given):
        raise SubjectError(f"parse_errors = {errors!r}; it is a list of exception classes, such as [ValueError]")
    return tuple(each.__name__ for each in given)


def find_declaration(decorated: object) -> dict[str, Any] | None:
    """Return the manifest of a class that `subject` has decorated itself, and not a base of it; None if it hasn't."""
    return vars(decorated).get(AS_SUBJECT) if isinstance(decorated, type) else None


@dataclass(frozen=True)
class _Declaration:
    """What a class says of itself, by what it declares and what it defines."""

    made: type
    dialects: tuple[str, ...]
    declared: frozenset[str]
    without: frozenset[str]

    @property
    def is_agent(self) -> bool:
        """Whether it can be built and called, or parses only."""
        return self._has_member("build") or self._has_member("call") or self._has_member("acall")

    @property
    def is_parser(self) -> bool:
        """Whether the class defines `parse`, which reads the text of an LM's reply."""
        return self._has_member("parse")

    @property
    def all_capabilities(self) -> tuple[str, ...]:
        """Declared ones and those that follow, in the order of the table of all."""
        follow = {name for name, needs in _NEEDS.items() if all(map(self._has_member, needs))}
        if self.declared & {"conversation", "transcript"}:
            # There a history is one that an earlier call returned.
            follow -= {"history"}
        if self.is_agent:
            # Without pydantic, tools can't be given models.
            follow |= {"arrow-signature", "live-results"} | ({"model-args"} if find_spec("pydantic") else set())
        return tuple(name for name in get_args(Capability) if name in (self.declared | follow) - self.without)

    def check_declaration(self) -> None:
        """See whether it can be meant.

        Raises:
            SubjectError: if it can't.
        """
        if not self.dialects:
            raise self._make_error("dialects is empty; it lists in which your library asks the LM, such as ['json']")
        self._check_methods()
        for name in sorted(self.declared):
            self._check_capability(name)

    def _check_methods(self) -> None:
        if not self.is_agent and not self.is_parser:
            raise self._make_error(
                "it defines neither `build(self, task, tools, lm)` and `call(self, inputs)` nor `parse`"
            )
        if self.is_agent and not self._has_member("build"):
            raise self._make_error("it has no `build(self, task, tools, lm)`, which is given what it is made of")
        if self.is_agent and not (self._has_member("call") or self._has_member("acall")):
            raise self._make_error("it has no `call(self, inputs)`, and no `acall` either")
        if self._has_member("dump") != self._has_member("load"):
            raise self._make_error("`dump` and `load` go together, and it defines one of them")
        for name in filter(self._has_member, _METHODS):
            self._check_method(name)
        if (
            self._has_member("call")
            and self._has_member("acall")
            and self._list_keywords("call") != self._list_keywords("acall")
        ):
            takes = " and ".join(
                f"`{name}` takes {', '.join(self._list_keywords(name)) or 'none'}" for name in ("call", "acall")
            )
            raise self._make_error(f"`call` and `acall` take the same keywords, and {takes}")

    def _check_method(self, name: str) -> None:
        method = getattr(self.made, name)
        if not callable(method):
            raise self._make_error(f"`{name}` is no method")
        if name in _COROUTINES and not inspect.iscoroutinefunction(method):
            raise self._make_error(f"`{name}` is no coroutine function: write `async def {name}`")
        if name not in _COROUTINES and inspect.iscoroutinefunction(method):
            hint = f": name it `a{name}`" if f"a{name}" in _COROUTINES else ", and nobody would await it"
            raise self._make_error(f"`{name}` is a coroutine function{hint}")
        signature, keywords = inspect.signature(method), self._list_keywords(name)
        for keyword in keywords:
            if signature.parameters[keyword].default is inspect.Parameter.empty:
                raise self._make_error(
                    f"`{name}` needs a default for `{keyword}`, which is given only where a case has one"
                )
        try:
            signature.bind(None, *_METHODS[name], **dict.fromkeys(keywords))
        except TypeError as error:
            args, more = ", ".join(("self", *_METHODS[name])), ", ".join(_KEYWORDS.get(name, ()))
            besides = f" and, as keywords where it has them, {more}" if more else ""
            raise self._make_error(f"`{name}` is given ({args}){besides}, and can't take that: {error}") from error

    def _check_capability(self, name: str) -> None:
        known: tuple[str, ...] = get_args(Capability)
        if name not in known:
            near = get_close_matches(name, known, n=1)
            raise self._make_error(
                f"there is no capability {name!r}; " + (f"did you mean {near[0]!r}?" if near else _list_capabilities())
            )
        needs = {**_NEEDS, **_REST_ON}.get(name, ("build",) if name != "parse" else ())
        for needed in needs:
            if not self._has_member(needed):
                lacking = f"`call` takes no `{needed[:-1]}`" if needed.endswith("=") else f"there is no `{needed}`"
                raise self._make_error(f"it declares {name!r}, and {lacking}")

    def _has_member(self, name: str) -> bool:
        """Whether it has the method, or, with `=` at the end, the keyword of its call."""
        if name.endswith("="):
            call = "call" if self._has_member("call") else "acall"
            return self._has_member(call) and name[:-1] in self._list_keywords(call)
        return getattr(self.made, name, None) is not None

    def _list_keywords(self, method: str) -> tuple[str, ...]:
        """Which of the keywords that the kit may give a method takes."""
        parameters = inspect.signature(getattr(self.made, method)).parameters
        return tuple(name for name in _KEYWORDS.get(method, ()) if name in parameters)

    def _make_error(self, message: str) -> SubjectError:
        return SubjectError(f"{self.made.__name__}: {message}{'' if message.endswith('?') else '.'}")


def _list_capabilities() -> str:
    return f"there are {', '.join(get_args(Capability))}"
