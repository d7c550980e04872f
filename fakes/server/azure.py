"""Azure's paths, as those of OpenAI that mean the same: `/openai/deployments/NAME/chat/completions?api-version=…`."""

import re
from typing import NamedTuple
from urllib.parse import parse_qs

from react_tck.fakes.server.errors import BadRequest

_DEPLOYMENT = re.compile(r"/openai/deployments/(?P<name>[^/]+)(?P<rest>/.+)")
#: Newer paths, and those that name no deployment.
_NO_DEPLOYMENT = re.compile(r"/openai(?:/v1)?(?P<rest>/.+)")


class NamedPath(NamedTuple):
    """What is asked, as OpenAI has it, and the model that the path names."""

    path: str
    model: str = ""


def find_place(path: str, target: bytes) -> NamedPath:
    """Return the place that this path is of Azure's, or the path itself; the target has its query.

    Raises:
        BadRequest: if a deployment is asked without the version of the API, which Azure demands.

    >>> from react_tck.fakes.server.azure import find_place
    >>> find_place("/openai/deployments/mine/chat/completions", b"/openai/?api-version=2024-10-21")
    NamedPath(path='/v1/chat/completions', model='mine')
    """
    if not path.startswith("/openai/"):
        return NamedPath(path)
    if found := _DEPLOYMENT.fullmatch(path):
        if "api-version" not in parse_qs(target.partition(b"?")[2].decode("latin-1")):
            raise BadRequest("the query has no `api-version`, which Azure demands")
        return NamedPath(f"/v1{found['rest']}", found["name"])
    other = _NO_DEPLOYMENT.fullmatch(path)
    return NamedPath(f"/v1{other['rest']}" if other else path)
