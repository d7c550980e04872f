"""SUBJECT as the command line takes it, turned into a subject."""

import inspect
import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from react_tck.adapter.declare import SubjectError, find_declaration, subject
from react_tck.collector import import_without_gc
from react_tck.subjects.api import Subject
from react_tck.subjects.config import Config, is_config, read_config

_REFERENCE = "react_tck.subjects.libraries.reference.react"
#: The built-in subjects: the module of each (and the class or function in it, unless that is `subject`), the
#: distribution that it needs, and the extra that brings it.
BUILT_IN = {
    "reference": (_REFERENCE, "dspy", "reference"),
    "reference-transcript": (f"{_REFERENCE}:transcript", "dspy", "reference"),
    "reference-conversation": (f"{_REFERENCE}:conversation", "dspy", "reference"),
    "reference-udspy": (f"{_REFERENCE}:udspy", "dspy", "reference"),
    "dspy": ("react_tck.subjects.libraries.dspy.react:DspyReAct", "dspy", "reference"),
    "dspy-v2": ("react_tck.subjects.libraries.dspy.react_v2:DspyReActV2", "dspy", "reference"),
    "udspy": ("react_tck.subjects.libraries.udspy.react:Udspy", "udspy", "udspy"),
    "machina": ("react_tck.subjects.libraries.machina:Machina", "dspy_react_machina", "machina"),
    "smolagents": ("react_tck.subjects.libraries.smolagents:Smolagents", "smolagents", "frameworks"),
    "langchain": ("react_tck.subjects.libraries.langchain:LangChain", "langchain_openai", "frameworks"),
    "langchain-classic": (
        "react_tck.subjects.libraries.langchain_classic:LangChainClassic",
        "langchain_classic",
        "frameworks",
    ),
    "pydantic-ai": ("react_tck.subjects.libraries.pydantic_ai:PydanticAI", "pydantic_ai", "frameworks"),
    "strands": ("react_tck.subjects.libraries.strands:Strands", "strands", "strands"),
    "openai-agents": ("react_tck.subjects.libraries.openai_agents:OpenAIAgents", "agents", "openai-agents"),
    "google-adk": ("react_tck.subjects.libraries.google_adk:GoogleADK", "google.adk", "google-adk"),
    "agno": ("react_tck.subjects.libraries.agno:Agno", "agno", "agno"),
    "llama-index": (
        "react_tck.subjects.libraries.llama_index:LlamaIndex",
        "llama_index.llms.openai_like",
        "llama-index",
    ),
}
#: The reference's own classes: whatever the kit demands, each of them has to do.
REFERENCES = tuple(name for name, (module, *_) in BUILT_IN.items() if module.startswith(_REFERENCE))
#: What an extra can't say: dspy-react-machina asks for Python 3.12, and runs on 3.11 all the same.
BY_HAND = {"machina": "pip install --no-deps --ignore-requires-python dspy-react-machina==0.1.2"}
_HARNESS = "-- "
#: A library with a version, such as `dspy@3.3.0` or, from the folder of a port, `npm:@ax-llm/ax@24.0.0`.
_RELEASE = re.compile(r"(?:npm:|go:)?@?\w[\w./-]*@v?\d[\w.+!-]*")
_KINDS = "NAME@VERSION, mutant:NAME or python:package.module:Class"


class UnknownSubject(ValueError):
    """There is no such subject, or what it needs is missing; the message says what to do."""


class LibraryMissing(UnknownSubject):
    """The subject's library is missing; the message says how to install it."""


def resolve(name: str) -> Subject:
    """Return the subject of a name.

    Raises:
        UnknownSubject: if the name names none, an extra isn't installed, or a factory raises.
        ConfigError: if the name is a configuration file's, and the file can't be understood.
    """
    if is_harness(name):
        return make_harness_subject(name)
    kind, _, rest = name.partition(":")
    if not rest:
        return _make_built_in(name)
    resolvers = {"python": _call_factory, "mutant": _make_mutant}
    if kind not in resolvers:
        raise UnknownSubject(f"{name!r} is not a subject: expected {', '.join(BUILT_IN)}, {_KINDS}.")
    return resolvers[kind](rest)


def is_harness(name: str) -> bool:
    """Tell whether the subject of that name is a process of its own."""
    return name.startswith(_HARNESS) or is_config(name) or "@" in name


def is_release(name: str) -> bool:
    """Tell whether the subject of that name is a release, in an environment of its own."""
    return _RELEASE.fullmatch(name) is not None


def make_harness_subject(name: str, env: Sequence[str] = ()) -> Subject:
    """Return the process of its own that a name names; `env` is what it finds in its environment besides, as
    NAME=value.

    Raises:
        UnknownSubject: if its library runs in the kit's own Python only, or there is no such interpreter.
        ConfigError: if the name is a configuration file's, and the file can't be understood.
    """
    # Only who runs a harness needs the HTTP server.
    stdio = import_without_gc("react_tck.subjects.stdio")
    if not name.startswith(_HARNESS) and not is_config(name):
        path, python = _find_class_path(name)
        elsewhere: Subject = stdio.make_adapter_subject(python, path, env)
        return elsewhere
    config, cwd = _resolve_command(name)
    start = stdio.make_starter(config.command, cwd, (*config.env, *env))
    declared = (config.choices, config.claims, config.varies, config.deviations)
    subject: Subject = stdio.StdioSubject(start, stdio.read_timeouts(config.timeouts), *declared)
    return subject


def harness_name(command: Sequence[str]) -> str:
    """Return the name under which a harness's command is a subject."""
    return f"{_HARNESS}{shlex.join(command)}"


def subject_name_elsewhere(name: str, python: str) -> str:
    """Return the name under which a class that runs under another interpreter is a subject."""
    return f"{name}@{python}"


def close_subject(subject: Subject) -> None:
    """Let go of whatever the subject holds: a harness's process, the kit's server."""
    closing = getattr(subject, "close", None)
    if callable(closing):
        closing()


def _resolve_command(name: str) -> tuple[Config, str | None]:
    """How it is started, and in which folder, unless in this one."""
    if name.startswith(_HARNESS):
        return Config(tuple(shlex.split(name.removeprefix(_HARNESS)))), None
    config = read_config(Path(name))
    return config, str(Path(name).absolute().parent / config.cwd)


def _find_class_path(name: str) -> tuple[str, str]:
    """Return the class that a name names, `module:Class`, and the interpreter that it is to run under."""
    subject, _, python = name.partition("@")
    if is_release(name):
        releases = import_without_gc("react_tck.subjects.releases")
        subject, python = releases.LIBRARIES.get(subject, subject), releases.find_python(name)
    kind, _, path = subject.partition(":")
    if kind != "python" or ":" not in path:
        path = BUILT_IN[subject][0] if subject in BUILT_IN else ""
        if ":" not in path or subject in REFERENCES:
            raise UnknownSubject(
                f"{subject!r} runs in the kit's own Python only; --python goes with python:package.module:Class, or "
                f"with {', '.join(sorted(set(BUILT_IN) - set(REFERENCES)))}."
            )
    if shutil.which(python) is None:
        raise UnknownSubject(
            f"There is no Python interpreter {python!r} that can be run. Name the program of the environment that "
            f"has {subject} installed, such as /path/to/venv/bin/python."
        )
    return path, python


def _make_built_in(name: str) -> Subject:
    if name not in BUILT_IN:
        raise UnknownSubject(f"There is no subject {name!r}. Try one of {', '.join(BUILT_IN)}, or {_KINDS}.")
    path, needs, extra = BUILT_IN[name]
    require_library(name, needs, extra)
    module, _, attribute = path.partition(":")
    made = getattr(import_without_gc(module), attribute or "subject")
    subject: Subject = _make_class_subject(made) if isinstance(made, type) else made()
    return subject


def require_library(name: str, needs: str, extra: str) -> None:
    """Say how to install what the subject of that name needs, if it isn't there.

    Raises:
        LibraryMissing: if it isn't.
    """
    if not is_importable(needs):
        raise LibraryMissing(
            f"The subject {name!r} needs {needs}, which is not installed. Run: {_install_command(extra)}"
        )


def is_importable(module: str) -> bool:
    """Tell whether there is a module of that name; the packages that it is in may be missing, too."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _install_command(extra: str) -> str:
    reference = "pip install 'react-tck[reference]'"
    return f"{reference} && {BY_HAND[extra]}" if extra in BY_HAND else f"pip install 'react-tck[{extra}]'"


def list_modules(name: str) -> list[str]:
    """Return the modules that a built-in subject's processes import: the library's, and its own; else none."""
    name = "reference" if name.startswith("mutant:") else name
    if name not in BUILT_IN:
        return []
    place, library, _ = BUILT_IN[name]
    return [library, place.partition(":")[0]]


def _make_mutant(name: str) -> Subject:
    require_library("mutant", "dspy", "reference")
    made: Subject = import_without_gc("react_tck.prove.mutants.subject").find_mutant_subject(name)
    return made


def _call_factory(path: str) -> Subject:
    module_name, _, attribute = path.partition(":")
    if not attribute:
        raise UnknownSubject(f"'python:{path}' names no class: write python:package.module:Class.")
    factory = _import_factory(module_name, attribute)
    if isinstance(factory, type):
        return _find_class(path, factory)
    if _takes_a_text(factory):
        return _make_class_subject(_declare_parser(path, factory))
    try:
        made = factory()
    except Exception as error:
        raise UnknownSubject(
            f"The factory {path!r} raised {type(error).__name__}: {error}. It must return a subject when "
            "called without arguments."
        ) from error
    return _check_subject(path, made)


def _takes_a_text(function: Callable[..., Any]) -> bool:
    """Tell whether it is a parser: a factory of subjects takes nothing."""
    parameters = inspect.signature(function).parameters.values()
    named = (each for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD))
    return sum(parameter.default is parameter.empty for parameter in named) == 1


def _declare_parser(path: str, function: Callable[[str], Mapping[str, Any]]) -> type:
    """Return a class with the function as its parser, which can't know what fields are asked for."""

    @subject(f"python:{path}", version="0", dialects=[getattr(function, "dialect", "chat")])
    class FunctionParser:
        def parse(self, reply: str, fields: Mapping[str, Any]) -> dict[str, Any]:
            """Return the fields that are asked for; one that is missing is refused."""
            found = function(reply)
            if missing := [name for name in fields if name not in found]:
                raise ValueError(f"there is no {missing[0]!r}")
            return {name: found[name] for name in fields}

    return FunctionParser


def _find_class(path: str, made: type) -> Subject:
    if find_declaration(made) is None:
        how = "decorate it with @react_tck.subject(name, version=…, dialects=…)"
        raise UnknownSubject(f"{path!r} is a class and no subject: {how}.")
    try:
        return _make_class_subject(made)
    except SubjectError as error:
        raise UnknownSubject(f"{path.partition(':')[0]}: {error}") from error


def _make_class_subject(made: type) -> Subject:
    # What serves an LM is imported when there is somebody to be served.
    subject: Subject = import_without_gc("react_tck.subjects.adapted").subject_of(made)
    return subject


def _import_factory(module_name: str, attribute: str) -> Callable[..., Any]:
    try:
        module = import_without_gc(module_name)
    except SubjectError as error:
        raise UnknownSubject(f"{module_name}: {error}") from error
    except Exception as error:
        raise UnknownSubject(
            f"Importing {module_name!r} raised {type(error).__name__}: {error}. Is the module's folder on "
            "PYTHONPATH, and its library installed here?"
        ) from error
    factory: Callable[..., Any] | None = getattr(module, attribute, None)
    if not callable(factory):
        raise UnknownSubject(f"{module_name!r} has no class or function {attribute!r}.")
    return factory


def _check_subject(path: str, made: Any) -> Subject:
    missing = [name for name in ("initialize", "construct") if not callable(getattr(made, name, None))]
    if missing:
        raise UnknownSubject(
            f"The factory {path!r} returned a {type(made).__name__}, which has no method {missing[0]!r}: "
            "see react_tck.subjects.api.Subject."
        )
    subject: Subject = made
    return subject
