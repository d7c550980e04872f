"""Scripted LMs under the same probes: ours, and aimock's from npm in a process of its own."""

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from openai import OpenAI

from react_tck.fakes.server import CuedEndpoint, LaneServer

#: Starts a mock for each line that it reads, a plan in JavaScript and options, and ends with its input.
_DRIVER = """
import { createInterface } from "node:readline";
const { LLMock } = await import(process.argv[1] + "/@copilotkit/aimock/dist/index.js");
for await (const line of createInterface({ input: process.stdin })) {
  const { plan, options } = JSON.parse(line);
  try {
    const mock = new LLMock({ port: 0, logLevel: "silent", ...options });
    new Function("mock", plan)(mock);
    await mock.start();
    console.log(JSON.stringify({ url: mock.url }));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }));
  }
}
process.exit(0);
"""


class CannotStart(Exception):
    """The plan isn't one that this server takes."""


class Answer(NamedTuple):
    """What a request is answered with."""

    status: int
    body: bytes


class Endpoint(NamedTuple):
    """A scripted LM that a probe asks."""

    root: str
    base_url: str
    api_key: str
    #: What it objects to in what was asked, or wasn't, unless somebody computes it from what it kept.
    objections: Callable[[], list[str]]
    #: What it kept of the requests, as near to the bytes as it has them.
    kept: Callable[[], bytes]
    #: The headers of the requests, as it has them.
    headers: Callable[[], str]
    #: Where its journal can be read over HTTP.
    journal: str | None = None

    def sdk(self, retries: int = 0, timeout: float = 20) -> OpenAI:
        """A client of OpenAI's."""
        return OpenAI(base_url=self.base_url, api_key=self.api_key, max_retries=retries, timeout=timeout)

    def post(self, path: str, body: bytes) -> Answer:
        """The answer to these bytes, sent to a path below the server's."""
        headers = {"content-type": "application/json", "authorization": f"Bearer {self.api_key}"}
        try:
            with urlopen(Request(f"{self.root}{path}", body, headers), timeout=20) as reply:
                return Answer(reply.status, reply.read())
        except HTTPError as refusal:
            with refusal:
                return Answer(refusal.code, refusal.read())


class Aimock(NamedTuple):
    """aimock, ready to start mocks."""

    modules: Path
    process: "subprocess.Popen[str]"

    @property
    def version(self) -> str:
        """As npm has it."""
        package = (self.modules / "@copilotkit/aimock/package.json").read_text(encoding="utf-8")
        return str(json.loads(package)["version"])

    def start(self, plan: str, options: Mapping[str, Any]) -> Endpoint:
        """A mock with this plan.

        Raises:
            CannotStart: if it doesn't take it.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"plan": plan, "options": options}) + "\n")
        self.process.stdin.flush()
        said = json.loads(self.process.stdout.readline())
        if "error" in said:
            raise CannotStart(said["error"])
        root = said["url"]
        journal = f"{root}/__aimock/journal"
        return Endpoint(
            root,
            f"{root}/v1",
            "any",
            lambda: _refused(journal),
            lambda: _read(journal),
            lambda: _read(journal).decode(),
            journal,
        )

    def validates(self, file: Path) -> bool:
        """Whether its command finds nothing wrong with a file."""
        command = ["node", str(self.modules / "@copilotkit/aimock/dist/aimock-cli.js"), "validate", str(file)]
        return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == 0


def _read(url: str) -> bytes:
    with urlopen(url, timeout=20) as reply:
        return bytes(reply.read())


def _refused(journal: str) -> list[str]:
    entries = json.loads(_read(journal))
    return [str(entry) for entry in entries if (entry["response"].get("status") or 0) >= 400]


@contextmanager
def aimock(modules: Path) -> Iterator[Aimock]:
    """aimock, from this folder."""
    command = ["node", "--input-type=module", "-e", _DRIVER, str(modules)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield Aimock(modules, process)
    finally:
        process.kill()
        process.communicate()


def ours(server: LaneServer, plan: Callable[[CuedEndpoint], object]) -> Endpoint:
    """Our endpoint with this plan, as `scripted_lm` and `serve` have it."""
    lm = CuedEndpoint(server)
    try:
        plan(lm)
    except (AttributeError, TypeError, ValueError) as error:
        raise CannotStart(str(error)) from error
    root = lm.base_url.removesuffix("/v1")
    objections, kept = (lambda: list(lm.complaints)), (lambda: b"\n".join(lm.bodies))
    return Endpoint(root, lm.base_url, lm.api_key, objections, kept, lambda: repr(lm.headers))
