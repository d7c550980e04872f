"""What the adapters of libraries give a library beside the task's own, and isn't the library's default.

It is read off the source: keywords of calls of what a module imports of a library, and attributes of it that are set.
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

LIBRARIES = Path(__file__).parents[2] / "react_tck" / "subjects" / "libraries"
#: Imported by adapters, and none of the libraries that are tested.
_NO_LIBRARIES = {*sys.stdlib_module_names, "react_tck", "pydantic"}
#: Parameters that carry the task, its tools and the LM that a user names: whoever uses the library gives them.
_OF_THE_TASK = frozenset(
    {
        *("tools", "agent", "name", "description", "desc", "func", "coroutine", "instructions", "system_prompt", "lm"),
        *("llm", "instruction", "max_llm_calls", "args"),
        *("model", "model_id", "default_model", "api_key", "api_base", "base_url", "client_args"),
        *(
            "max_iters",
            "max_steps",
            "run_limit",
            "request_limit",
            "middleware",
            "messages",
            "demos",
            "provider",
            "model_provider",
        ),
        *(
            "response_format",
            "output_type",
            "structured_output_model",
            "output_schema",
            "tool_call_limit",
            "require_confirmation",
            "approved",
            "status",
            "data",
        ),
        # Values of lm15's own, in which a request and its answer are written.
        *("id", "role", "parts", "finish_reason", "usage", "message", "text", "input"),
    }
)


def find_files(subject: str) -> list[Path]:
    """The files of the adapter of a subject."""
    return [LIBRARIES / file for file in _FILES[subject]]


_DSPY = ("dspy/bridge.py", "dspy/engine.py", "dspy/instance.py")
_FILES = {
    "dspy": ("dspy/react.py", *_DSPY),
    "dspy-v2": ("dspy/react_v2.py", *_DSPY),
    "machina": ("machina.py", *_DSPY),
    "udspy": ("udspy/react.py", "udspy/bridge.py"),
    "agno": ("agno.py",),
    "google-adk": ("google_adk.py",),
    "llama-index": ("llama_index.py",),
    "openai-agents": ("openai_agents.py",),
    "smolagents": ("smolagents.py",),
    "langchain": ("langchain.py", "langchain_parts.py"),
    "langchain-classic": ("langchain_classic.py", "langchain_parts.py"),
    "pydantic-ai": ("pydantic_ai.py",),
    "strands": ("strands.py",),
}


def find_settings(source: str) -> Iterator[str]:
    """Each setting that isn't a default, such as `LM(cache=False)`, or `LM(engine=…)` where it is no constant."""
    tree = ast.parse(source)
    imported = dict(_list_imports(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (path := _find_path(node.func, imported)):
            yield from _find_call_settings(path, node)
        if isinstance(node, ast.ClassDef):
            bases = [path for base in node.bases if (path := _find_path(base, imported))]
            yield from (setting for path in bases for setting in _find_class_settings(path, node))
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Attribute) and (path := _find_path(target, imported)):
                    yield f"{'.'.join(path)}=…"


def _list_imports(tree: ast.Module) -> Iterator[tuple[str, tuple[str, ...]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] not in _NO_LIBRARIES:
                    yield alias.asname or alias.name.partition(".")[0], (alias.name.partition(".")[0],)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] not in _NO_LIBRARIES:
            for alias in node.names:
                yield alias.asname or alias.name, (node.module, alias.name)


def _find_path(node: ast.expr, imported: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Module and names below it, where that is a library's; empty where it isn't."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    if isinstance(node, ast.Name) and node.id in imported:
        return (*imported[node.id], *names)
    return ()


def _find_call_settings(path: tuple[str, ...], call: ast.Call) -> Iterator[str]:
    _, *names = path
    given = {each.arg: each.value for each in call.keywords if each.arg}
    for spread in (each.value for each in call.keywords if each.arg is None):
        for inner in ast.walk(spread):
            if isinstance(inner, ast.Dict):
                pairs = zip(inner.keys, inner.values, strict=True)
                given |= {str(key.value): value for key, value in pairs if isinstance(key, ast.Constant)}
    for name, value in given.items():
        if name not in _OF_THE_TASK and not _is_default(path, name, value):
            yield f"{'.'.join(names)}({name}={_show_value(value)})"


def _find_class_settings(path: tuple[str, ...], made: ast.ClassDef) -> Iterator[str]:
    """Attributes with which a class of the harness's takes the place of what it inherits."""
    for node in made.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant | ast.UnaryOp):
            for target in node.targets:
                if isinstance(target, ast.Name) and target.id not in _OF_THE_TASK:
                    yield f"{'.'.join(path[1:])}.{target.id}={_show_value(node.value)}"


def _show_value(value: ast.expr) -> str:
    return ast.unparse(value) if isinstance(value, ast.Constant | ast.UnaryOp) else "…"


def _is_default(path: tuple[str, ...], name: str, value: ast.expr) -> bool:
    try:
        made: Any = import_module(path[0])
        for part in path[1:]:
            made = getattr(made, part)
        default = inspect.signature(made).parameters[name].default
        return bool(ast.literal_eval(value) == default)
    except (ImportError, AttributeError, ValueError, TypeError, KeyError):
        return False
