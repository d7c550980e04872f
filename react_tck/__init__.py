"""A Technology Compatibility Kit for ReAct agents.

Connect your own: `subject` makes a class of yours one, `run` and `conformance` test it, in Python and in your pytest;
docs/API.md has every name with examples. Whatever isn't listed here is the kit's own, and may change.
"""

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from react_tck import wire
    from react_tck.adapter.declare import SubjectError, subject
    from react_tck.adapter.functions import annotation_of
    from react_tck.adapter.lm import LM, LMFault, LMReply
    from react_tck.adapter.results import Done, Exhausted, Notice, Suspended
    from react_tck.adapter.task import Task
    from react_tck.adapter.tools import TaskTool, Tools, tool
    from react_tck.api.conformance import conformance
    from react_tck.api.running import run
    from react_tck.model.report import Report, Verdict
    from react_tck.pytest_plugin import ScriptedLM
    from react_tck.results.exit_status import is_conformant

__version__ = "0.1.0"

#: Where each name is from; it is imported when it is first used, so that the command line starts at once.
_HOMES = {
    "subject": "react_tck.adapter.declare",
    "SubjectError": "react_tck.adapter.declare",
    "Task": "react_tck.adapter.task",
    **dict.fromkeys(("Tools", "TaskTool", "tool"), "react_tck.adapter.tools"),
    **dict.fromkeys(("LM", "LMFault", "LMReply"), "react_tck.adapter.lm"),
    "annotation_of": "react_tck.adapter.functions",
    **dict.fromkeys(("Done", "Exhausted", "Notice", "Suspended"), "react_tck.adapter.results"),
    "run": "react_tck.api.running",
    "conformance": "react_tck.api.conformance",
    **dict.fromkeys(("Report", "Verdict"), "react_tck.model.report"),
    "is_conformant": "react_tck.results.exit_status",
    "ScriptedLM": "react_tck.pytest_plugin",
}

__all__ = [
    "LM",
    "Done",
    "Exhausted",
    "LMFault",
    "LMReply",
    "Notice",
    "Report",
    "ScriptedLM",
    "SubjectError",
    "Suspended",
    "Task",
    "TaskTool",
    "Tools",
    "Verdict",
    "annotation_of",
    "conformance",
    "is_conformant",
    "run",
    "subject",
    "tool",
    "wire",
]


def _keep_compiled_files_whole() -> None:
    """Have Python write no compiled files in this process where files may only grow so large (`ulimit -f`).

    Before Python 3.13 an import doesn't notice that the file it writes is cut, and all later imports of it fail. This
    stands here because nothing else of the kit runs earlier. This module's own file is written before that: if the
    limit has cut it, it is removed.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if limit == resource.RLIM_INFINITY:
        return
    sys.dont_write_bytecode = True
    compiled = __spec__.cached
    try:
        if compiled and os.stat(compiled).st_size == limit:  # noqa: PTH116, `pathlib` would take as long as the rest
            os.unlink(compiled)  # noqa: PTH108
    except OSError:  # it was never written, or it is somebody else's
        return


_keep_compiled_files_whole()


def __getattr__(name: str) -> Any:
    if name == "wire":
        return import_module("react_tck.wire")
    if name not in _HOMES:
        raise AttributeError(f"module 'react_tck' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
