"""Outputs that fail: files and streams that can't take what the kit writes, and how each command ends all the same."""

from collections.abc import Mapping
from dataclasses import dataclass, field

#: The words of a run that passes, and of one that fails: both end with their verdict, whatever becomes of the report.
_TITLE = "ReAct selects and executes a tool"
PASSES = f'run python:examples.own_agent:Mine -k "{_TITLE}"'
FAILS = f'run python:tests.unit_tests.failing:Twice -k "{_TITLE}"'
PASSED = "tiny-react 1.0: nothing failed in the part that was selected"
FAILED = "MUST met in the part that was selected; not met: LOOP-001; 2 blocked by LOOP-001"
_LEAVES = "python:tests.support.subjects_gone_wrong:ends_the_process"
_FULL = "No space left on device"
#: Files of one block; what Python compiles there isn't kept, lest a module that is no part of the kit be cut.
_SMALL = "export PYTHONDONTWRITEBYTECODE=1; ulimit -f 1; "
_ASCII = "PYTHONIOENCODING=ascii "
_C_LOCALE = "LC_ALL=C LANG=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 "


@dataclass(frozen=True)
class FailingOutput:
    """A line for the shell, `kit` in it for `react-tck`, and what comes of it."""

    line: str
    status: int
    #: What is said on standard output and on standard error.
    out: str = ""
    error: str = ""
    #: The files that are there at the end, with what each holds; nothing else is.
    files: Mapping[str, str] = field(default_factory=dict)


OUTPUTS: Mapping[str, FailingOutput] = {
    # Known before the run, which then is none.
    "a report where there is no folder": FailingOutput(
        f"kit {PASSES} --json no/r.json", 2, error="no/r.json can't be written: there is no folder no."
    ),
    "a report that is a folder": FailingOutput(f"kit {PASSES} --json .", 2, error=". can't be written: it is a folder"),
    "a report beneath a file": FailingOutput(
        f"touch f; kit {PASSES} --json f/r.json", 2, error="f/r.json can't be written: ", files={"f": ""}
    ),
    "a report whose name is too long": FailingOutput(
        f"kit {PASSES} --json {'x' * 300}", 2, error="can't be written: File name too long."
    ),
    "a JUnit report where there is no folder": FailingOutput(
        f"kit {PASSES} --report junit=no/r.xml", 2, error="no/r.xml can't be written: there is no folder no."
    ),
    "transcripts in a file": FailingOutput(
        f"touch f; kit {PASSES} --transcript f", 2, error="The folder f can't be written to: ", files={"f": ""}
    ),
    "transcripts on a device": FailingOutput(
        f"kit {PASSES} --transcript /dev/full", 2, error="The folder /dev/full can't be written to: "
    ),
    "a page in a file": FailingOutput(
        "touch f; kit matrix reference --out f", 2, error="The folder f can't be written to: ", files={"f": ""}
    ),
    "a page that is a folder": FailingOutput(
        "mkdir -p o/index.html; kit matrix reference --out o", 2, error="o/index.html can't be written: it is a folder"
    ),
    "findings in a folder that is gone": FailingOutput(
        "mkdir d; cd d; rmdir ../d; kit fuzz reference --examples 5",
        2,
        error="There is no folder to stand in: No such file or directory.",
    ),
    # Known after it; the verdict is shown, and stays the status unless that is 0.
    "a report on a full disk": FailingOutput(
        f"kit {PASSES} --json /dev/full", 2, PASSED, f"/dev/full can't be written: {_FULL}."
    ),
    "a report of a failure on a full disk": FailingOutput(
        f"kit {FAILS} --json /dev/full", 1, FAILED, f"/dev/full can't be written: {_FULL}."
    ),
    "half a report": FailingOutput(f"{_SMALL}kit {PASSES} --json r", 2, PASSED, "r can't be written: File too large."),
    "half a report in the place of another": FailingOutput(
        f"echo old > r; {_SMALL}kit {FAILS} --json r", 1, FAILED, "r can't be written: File too large.", {"r": "old\n"}
    ),
    "a badge on a full disk": FailingOutput(
        f"ln -s /dev/full b.svg; kit {PASSES} --report badge=b.svg", 2, PASSED, f"b.svg can't be written: {_FULL}."
    ),
    "half a SARIF report of a failure": FailingOutput(
        f"{_SMALL}kit {FAILS} --report sarif=s",
        1,
        FAILED,
        "s can't be written: File too large.",
    ),
    "half a transcript": FailingOutput(
        f"{_SMALL}kit {PASSES} --transcript t", 2, PASSED, "-1.jsonl can't be written: File too large."
    ),
    "half a transcript of a failure": FailingOutput(
        f"{_SMALL}kit {FAILS} --transcript t", 1, FAILED, "-1.jsonl can't be written: File too large."
    ),
    "half a page": FailingOutput(
        f"mkdir o; {_SMALL}kit matrix python:ast:literal_eval --out o",
        1,
        "",
        "o/index.html can't be written: File too large.",
    ),
    "half a harness": FailingOutput(
        f"{_SMALL}kit init python here", 2, error="here/harness.py can't be written: File too large."
    ),
    # A subject that leaves no output: its process is the kit's.
    "a fuzzed subject that exits with 0": FailingOutput(
        f"kit fuzz {_LEAVES}", 3, error="the subject ended the process of the kit, which exited with status 0"
    ),
    "a subject whose choices are asked and that exits with 0": FailingOutput(
        f"kit check --choices {_LEAVES}",
        3,
        error="the subject ended the process of the kit, which exited with status 0",
    ),
    # Streams.
    "standard output on a full disk": FailingOutput(
        f"kit {PASSES} > /dev/full", 2, error=f"standard output can't be written: {_FULL}"
    ),
    "a failure on a full disk": FailingOutput(
        f"kit {FAILS} > /dev/full", 1, error=f"standard output can't be written: {_FULL}"
    ),
    "standard output that is closed": FailingOutput(f"kit {PASSES} >&-", 0),
    "a failure told to nobody": FailingOutput(f"kit {FAILS} >&- 2>&- <&-", 1),
    "standard error that is closed": FailingOutput(f"kit {PASSES} 2>&-", 0, PASSED),
    "standard error on a full disk": FailingOutput("kit run nobody 2> /dev/full", 2),
    "a reader that leaves": FailingOutput("kit list --profile all | head -1; exit ${PIPESTATUS[0]}", 0, "SIG-001 MUST"),
    "a reader that leaves a failure": FailingOutput(f"kit {FAILS} | head -1; exit ${{PIPESTATUS[0]}}", 1, "1 row"),
    "a terminal with ASCII only": FailingOutput(f"{_ASCII}kit {PASSES}", 0, "1 row in "),
    "a failure in ASCII only": FailingOutput(f"{_ASCII}kit {FAILS}", 1, "1 row in "),
    "the C locale": FailingOutput(f"{_C_LOCALE}kit {PASSES}", 0, "1 row in "),
    "a mistake in ASCII only": FailingOutput(f"{_ASCII}kit explain 'Größe'", 2, error="'GR\\xd6SSE'"),
}
