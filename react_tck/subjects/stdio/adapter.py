"""A decorated class under another interpreter, in which the kit isn't installed: its adapter as a harness.

Beside an outcome such a harness says what was seen there, so that nothing that only an object can show is missed.
"""

import os
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

import react_tck.adapter.serve
from react_tck.adapter.results import Notice
from react_tck.adapter.values import Alteration
from react_tck.fakes.server import Lane
from react_tck.model.base import Value
from react_tck.model.manifest import Description
from react_tck.model.protocol import DescribeParams, Parsed, Parsing
from react_tck.subjects.adapted import SILENCE, KitSide, read_description
from react_tck.subjects.api import Endpoints, HarnessBroken
from react_tck.subjects.lanes import Lanes, endpoint_of
from react_tck.subjects.stdio.rpc import RpcFailure
from react_tck.subjects.stdio.session import HarnessSession, RemoteInstance, read_timeouts
from react_tck.subjects.stdio.subject import StdioSubject, make_starter


class ChangesSeen(Value):
    """Objects of the caller's that have changed: of each what it is, as it was, and as it is."""

    changes: tuple[tuple[str, JsonValue, JsonValue], ...]


class Notices(Value):
    """What callbacks were told, each with what is over and its name."""

    notices: tuple[tuple[str, str], ...]


class Told(Value):
    """What a class says of an instance, whatever that is."""

    told: JsonValue


@dataclass
class AdapterSubject(StdioSubject):
    """A class that the kit's adapter drives elsewhere."""

    #: What the class is called.
    class_name: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.lanes = Lanes(SILENCE)

    def open_lane(self, endpoints: Endpoints) -> Lane:
        """Open a lane on which the adapter asks what tools and LM do."""
        kit = KitSide(endpoints, lambda: endpoint_of(lane))
        lane = self.lanes.open_lane(endpoints, kit.answer)
        return lane

    def make_instance(self, harness: HarnessSession, name: str, lane: Lane, endpoints: Endpoints) -> "AdapterInstance":
        """Make the instance, whose changes are seen with those here."""
        made = AdapterInstance(harness, name, lane, self.class_name)
        endpoints.caller.elsewhere.append(made.find_changes)
        return made

    def parse(self, parsing: Parsing) -> Parsed:
        """Have the class read a reply.

        Raises:
            HarnessBroken: if it returns no fields, or the harness breaks the protocol.
        """
        try:
            return super().parse(parsing)
        except HarnessBroken as broken:
            if isinstance(broken.__cause__, RpcFailure):
                raise HarnessBroken(broken.__cause__.error.message) from broken
            raise


class AdapterInstance(RemoteInstance):
    """An agent that the adapter has built."""

    def __init__(self, harness: HarnessSession, name: str, lane: Lane, class_name: str) -> None:
        super().__init__(harness, name, lane)
        self._class_name = class_name

    @property
    def heard(self) -> Sequence[Notice]:
        """What its library's callbacks have been told."""
        said = self._send_request("heard", DescribeParams(instance=self._name), Notices).notices
        return [Notice(what, name) for what, name in said]

    def find_changes(self) -> Iterator[Alteration]:
        """Find the objects of its caller's that have changed."""
        if self._harness.broken:
            return
        for change in self._send_request("changes", DescribeParams(instance=self._name), ChangesSeen).changes:
            yield Alteration(*change)

    def describe(self) -> Description:
        """Tell its tools and signatures.

        Raises:
            HarnessBroken: if what the class tells is no description.
        """
        said = self._send_request("describe", DescribeParams(instance=self._name), Told).told
        return read_description(said, self._class_name)


def make_adapter_subject(python: str, path: str, env: Sequence[str] = ()) -> AdapterSubject:
    """Make the subject that a class, `module:Class`, is under an interpreter; nothing of the kit's is on its path."""
    kit = str(Path(react_tck.__file__).parents[1])
    packages = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})
    folders = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    users = [folder for folder in folders if folder not in ("", kit) and not folder.startswith(packages)]
    command = (python, str(Path(react_tck.adapter.serve.__file__)), path)
    start = make_starter(command, None, (f"PYTHONPATH={os.pathsep.join(users)}", *env))
    return AdapterSubject(start, read_timeouts({}), class_name=path.rpartition(":")[2])
