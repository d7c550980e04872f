"""What scripted LMs do with files and from run to run, probed: scripts, recordings, bytes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import openai
from openai import OpenAI

import react_tck
from benchmarks.lm_servers import Aimock, CannotStart, ours
from react_tck.fakes.server import CuedEndpoint, LaneServer
from react_tck.fakes.server.provider import ProviderServer
from react_tck.fakes.server.recorded import RecordedProvider
from react_tck.fakes.server.recording_proxy import RecordingProxy
from react_tck.model.recording import Recording
from react_tck.scripts import NoScript, read_script

_ASK = b'{"model": "m", "messages": [{"role": "user", "content": "2+3?"}]}'
_STREAM = b'{"model": "m", "stream": true, "messages": [{"role": "user", "content": "2+3?"}]}'
_CHAT = "/v1/chat/completions"


class Bench(NamedTuple):
    """What the probes need."""

    server: LaneServer
    folder: Path
    peer: Aimock | None = None

    @property
    def aimock(self) -> Aimock:
        """Theirs, where it is probed."""
        assert self.peer is not None
        return self.peer


class FileFeature(NamedTuple):
    """What is probed, and how at each."""

    name: str
    ours: Callable[[Bench], bool]
    theirs: Callable[[Bench], bool]


def _reads(name: str, text: str) -> Callable[[Bench], bool]:
    def probe(bench: Bench) -> bool:
        try:
            read_script(_file(bench, name, text))
        except NoScript:
            return False
        return True

    return probe


def _they_read(name: str, text: str) -> Callable[[Bench], bool]:
    def probe(bench: Bench) -> bool:
        plan = f"mock.loadFixtureFile({json.dumps(str(_file(bench, name, text)))});"
        try:
            return bench.aimock.start(plan, {}).post(_CHAT, _ASK).status == 200
        except CannotStart:
            return False

    return probe


def _file(bench: Bench, name: str, text: str) -> Path:
    file = bench.folder / name
    file.write_text(text, encoding="utf-8")
    return file


def _same_bytes(bench: Bench) -> bool:
    first, second = (ours(bench.server, lambda lm: lm.says("5")).post(_CHAT, _ASK) for _ in range(2))
    return first == second


def _their_same_bytes(bench: Bench) -> bool:
    first, second = (bench.aimock.start('mock.on({}, { content: "5" });', {}).post(_CHAT, _ASK) for _ in range(2))
    return first == second


class Replayed(NamedTuple):
    """What came of a recording: the bytes of a stream, before and after; what was kept; and what a stranger is told."""

    before: bytes
    after: bytes
    kept: str
    told: str


def _recorded(bench: Bench) -> Replayed:
    lm = CuedEndpoint(bench.server).says("It is five.").says("5")
    kept: list[Recording] = []
    with ProviderServer(RecordingProxy(lm.base_url, kept.append)) as proxy:
        before = _streamed(proxy.base_url, lm.api_key)
        _told(proxy.base_url, lm.api_key, f"{lm.api_key} 2+3?")
    with ProviderServer(RecordedProvider(kept[-1])) as replay:
        after = _streamed(replay.base_url, "any")
        told = _told(replay.base_url, "any", "2+4?")
    return Replayed(before, after, kept[-1].model_dump_json(), told)


def _their_recorded(bench: Bench) -> Replayed:
    lm = CuedEndpoint(bench.server).says("It is five.").says("5")
    folder = bench.folder / "recorded"
    record = {"providers": {"openai": bench.server.root}, "fixturePath": str(folder)}
    proxy = bench.aimock.start("", {"record": record})
    before = _streamed(proxy.base_url, lm.api_key)
    _told(proxy.base_url, lm.api_key, f"{lm.api_key} 2+3?")
    files = sorted(folder.rglob("*.json"))
    plan = "".join(f"mock.loadFixtureFile({json.dumps(str(file))});" for file in files)
    replay = bench.aimock.start(plan, {})
    after = _streamed(replay.base_url, "any")
    told = _told(replay.base_url, "any", "2+4?")
    return Replayed(before, after, "\n".join(file.read_text(encoding="utf-8") for file in files), told)


def _streamed(base_url: str, key: str) -> bytes:
    client: Any = OpenAI(base_url=base_url, api_key=key, max_retries=0)
    body = json.loads(_STREAM)
    with client.chat.completions.with_streaming_response.create(**body) as reply:
        return bytes(reply.read())


def _told(base_url: str, key: str, text: str) -> str:
    client: Any = OpenAI(base_url=base_url, api_key=key, max_retries=0)
    try:
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}])
    except openai.APIStatusError as error:
        return str(error.body)
    return ""


def _text(stream: bytes) -> str:
    events = [line[6:] for line in stream.decode().splitlines() if line.startswith("data: {")]
    choices = [choice for event in events for choice in json.loads(event)["choices"]]
    return "".join(choice["delta"].get("content") or "" for choice in choices)


def _on_recording(holds: Callable[[Replayed, str], bool]) -> tuple[Callable[[Bench], bool], Callable[[Bench], bool]]:
    return lambda bench: holds(_recorded(bench), "tck-"), lambda bench: holds(_their_recorded(bench), "tck-")


_THEIR_SCRIPT = {"fixtures": [{"match": {"userMessage": "2+3"}, "response": {"content": "5"}}]}
_MATCHED = {"fixtures": [{"match": {"model": "m"}, "response": {"content": "5"}}]}
_TYPO = {"fixtures": [{"match": {"userMessage": "2+3"}, "response": {"contnt": "5"}}]}
_OTHER_TYPO = {"fixtures": [{"match": {"userMesage": "2+3"}, "response": {"content": "5"}}]}


def _objects(text: str) -> Callable[[Bench], bool]:
    return lambda bench: not _reads("typo.json", text)(bench)


def _they_object(script: object) -> Callable[[Bench], bool]:
    return lambda bench: not bench.aimock.validates(_file(bench, "typo.json", json.dumps(script)))


def _they_ship_schema(bench: Bench) -> bool:
    return any((bench.aimock.modules / "@copilotkit/aimock").rglob("*.schema.json"))


def _declares_types(_: Bench) -> bool:
    """Whether the fixture has a public type in a package that has types for others."""
    return "ScriptedLM" in react_tck.__all__ and (Path(react_tck.__file__).parent / "py.typed").is_file()


def _they_declare_types(bench: Bench) -> bool:
    declared = bench.aimock.modules / "@copilotkit/aimock/dist/index.d.ts"
    return declared.is_file() and "LLMock" in declared.read_text(encoding="utf-8")


FILES = (
    FileFeature("types by which editors complete it", _declares_types, _they_declare_types),
    FileFeature("the same bytes in every run", _same_bytes, _their_same_bytes),
    FileFeature(
        "a script in a file: JSON",
        _reads("script.json", '{"replies": [{"says": "5"}]}'),
        _they_read("script.json", json.dumps(_THEIR_SCRIPT)),
    ),
    FileFeature(
        "… YAML",
        _reads("script.yaml", "replies: [{says: '5'}]"),
        _they_read("script.yaml", "fixtures: [{match: {userMessage: 2+3}, response: {content: '5'}}]"),
    ),
    FileFeature(
        "… with a reply for one model only",
        _reads("model.json", '{"replies": [{"says": "5", "model": "m"}]}'),
        _they_read("model.json", json.dumps(_MATCHED)),
    ),
    FileFeature(
        "… in which a typo in a reply is told at once", _objects('{"replies": [{"sais": "5"}]}'), _they_object(_TYPO)
    ),
    FileFeature(
        "… and one in a condition",
        _objects('{"replies": [{"says": "5", "wen": "2+3"}]}'),
        _they_object(_OTHER_TYPO),
    ),
    FileFeature(
        "… with a JSON schema for editors",
        lambda _: any((Path(__file__).parents[1] / "react_tck" / "schemas").glob("cue-sheet.schema.json")),
        _they_ship_schema,
    ),
    FileFeature(
        "a provider is recorded, and said again",
        *_on_recording(lambda made, _: _text(made.before) == _text(made.after) == "It is five."),
    ),
    FileFeature("… a stream byte for byte", *_on_recording(lambda made, _: made.before == made.after)),
    FileFeature("… without a key that stood in a message", *_on_recording(lambda made, key: key not in made.kept)),
    FileFeature("… and who asks otherwise is shown the nearest", *_on_recording(lambda made, _: "2+3?" in made.told)),
)
