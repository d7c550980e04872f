"""Azure's paths and its header, by its client in the official SDK, and with bytes."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import openai
import pytest
from openai import AzureOpenAI, OpenAI

from react_tck.fakes.server import CuedEndpoint, LaneServer
from tests.support.cued import QUESTION


@pytest.fixture(scope="module", name="server")
def _server() -> Iterator[LaneServer]:
    with LaneServer() as running:
        yield running


@pytest.fixture(name="lm")
def _lm(server: LaneServer) -> CuedEndpoint:
    return CuedEndpoint(server)


def azure(lm: CuedEndpoint, endpoint: str | None = None) -> AzureOpenAI:
    """Its client."""
    where = endpoint or lm.root_url
    return AzureOpenAI(azure_endpoint=where, api_key=lm.api_key, api_version="2024-10-21", max_retries=0)


@pytest.mark.parametrize("stream", [False, True])
def test_a_deployment_is_asked(lm: CuedEndpoint, stream: bool) -> None:
    lm.says("It is 5.")

    if stream:
        with azure(lm).chat.completions.stream(model="mine", messages=QUESTION) as events:
            said = events.get_final_completion().choices[0].message.content
    else:
        said = azure(lm).chat.completions.create(model="mine", messages=QUESTION).choices[0].message.content
    assert said == "It is 5."
    assert lm.requests[0].model == "mine"
    assert lm.headers[0]["api-key"] == lm.api_key
    assert lm.complaints == ()


def test_the_newer_paths_name_no_deployment(lm: CuedEndpoint) -> None:
    lm.says("It is 5.")

    client = OpenAI(base_url=f"{lm.root_url}/openai/v1/", api_key=lm.api_key)
    assert client.chat.completions.create(model="mine", messages=QUESTION).choices[0].message.content == "It is 5."


def test_the_key_leads_to_the_lm_where_the_path_does_not(server: LaneServer, lm: CuedEndpoint) -> None:
    lm.says("It is 5.")

    client = azure(lm, server.root)
    assert client.chat.completions.create(model="mine", messages=QUESTION).choices[0].message.content == "It is 5."


def test_the_path_is_the_model_of_a_body_that_has_none(lm: CuedEndpoint) -> None:
    lm.says("It is 5.")
    path = "/openai/deployments/mine/chat/completions?api-version=2024-10-21"
    body = json.dumps({"messages": QUESTION}).encode()

    with urlopen(Request(f"{lm.root_url}{path}", body, {"api-key": "any"}), timeout=10) as reply:
        said: Any = json.loads(reply.read())
    assert said["model"] == lm.requests[0].model == "mine"


def test_who_forgets_the_version_of_the_api_is_told(lm: CuedEndpoint) -> None:
    client = OpenAI(base_url=f"{lm.root_url}/openai/deployments/mine", api_key=lm.api_key)

    with pytest.raises(openai.BadRequestError, match="the query has no `api-version`, which Azure demands"):
        client.chat.completions.create(model="mine", messages=QUESTION)
    assert lm.complaints == ("protocol problem: the query has no `api-version`, which Azure demands",)
