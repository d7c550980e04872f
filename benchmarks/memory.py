"""`python -m benchmarks.memory`: one server, 100,000 episodes one after the other, and the memory it holds."""

import http.client
import json
import os
from pathlib import Path
from urllib.parse import urlsplit

from react_tck.dialects import DIALECTS
from react_tck.fakes.journal import Journal
from react_tck.fakes.lm import ScriptedLM
from react_tck.fakes.server import LaneServer
from react_tck.model.intent import Answer, CallTool, Finish, Script

_EPISODES = 100_000
_LOOKS = 10
_SCRIPT = Script(steps=(CallTool(tool="add", args={"a": 2}), Finish()), answers=(Answer(outputs={"answer": "5"}),))
_STEP, _EXTRACTION = (
    "Your output fields are:\n" + "\n".join(f"{n}. `{name}` (str)" for n, name in enumerate(names, 1)) + "\n\n"
    "[[ ## completed ## ]]"
    for names in (("next_thought", "next_tool_name", "next_tool_args"), ("answer",))
)


def main() -> None:
    """Print the memory after each tenth, and its growth from the first to the last."""
    with LaneServer() as server:
        at = urlsplit(server.root)
        connection = http.client.HTTPConnection(str(at.hostname), at.port)
        held = []
        for number in range(1, _EPISODES + 1):
            _episode(server, connection, number)
            if number % (_EPISODES // _LOOKS) == 0:
                held.append(_resident())
                print(f"{number:7} episodes  {held[-1] / 2**20:6.1f} MiB", flush=True)
    print(f"growth from the first tenth to the last: {(held[-1] - held[0]) / 2**20:.1f} MiB")


def _episode(server: LaneServer, connection: http.client.HTTPConnection, number: int) -> None:
    """Two steps and the extraction, with texts that no other episode has."""
    lane = server.open(ScriptedLM(_SCRIPT, tuple(DIALECTS), Journal()).complete, {})
    path = f"{urlsplit(lane.base_url).path}/chat/completions"
    for turn, system in enumerate((_STEP, _STEP, _EXTRACTION)):
        user = {"role": "user", "content": f"question {number}, turn {turn}: {'x' * 1000}"}
        connection.request("POST", path, json.dumps({"messages": [{"role": "system", "content": system}, user]}))
        reply = connection.getresponse()
        assert reply.status == http.client.OK, reply.read()
        reply.read()
    lane.close()


def _resident() -> int:
    """Bytes of this process in memory, by /proc."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
