"""The HTTP server of the scripted LM and the tools: OpenAI-compatible, a lane for every episode."""

from react_tck.fakes.server.lane import Lane
from react_tck.fakes.server.recorded import RecordedEndpoint
from react_tck.fakes.server.server import LaneServer
from react_tck.fakes.server.standalone import CuedEndpoint, LMEndpoint, ScriptedEndpoint
from react_tck.fakes.server.wire import HOSTILE, Limits, Streaming, seeded

__all__ = [
    "HOSTILE",
    "CuedEndpoint",
    "LMEndpoint",
    "Lane",
    "LaneServer",
    "Limits",
    "RecordedEndpoint",
    "ScriptedEndpoint",
    "Streaming",
    "seeded",
]
