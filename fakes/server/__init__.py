"""The HTTP server of the scripted LM and the tools, which speaks as providers do: a lane for every episode.

`recorded` stands beside it: only who records asks a provider, for which it imports a client.
"""

from react_tck.fakes.server.cued import CuedEndpoint
from react_tck.fakes.server.lane import Lane
from react_tck.fakes.server.server import LaneServer
from react_tck.fakes.server.standalone import LMEndpoint, ScriptedEndpoint
from react_tck.fakes.server.wire import Limits, Streaming, make_sizes

__all__ = [
    "CuedEndpoint",
    "LMEndpoint",
    "Lane",
    "LaneServer",
    "Limits",
    "ScriptedEndpoint",
    "Streaming",
    "make_sizes",
]
