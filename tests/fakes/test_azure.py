"""Azure's paths and its header, by its client in the official SDK, and with bytes."""

from collections.abc import Iterator

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


def test_who_forgets_the_version_of_the_api_is_told(lm: CuedEndpoint) -> None:
    client = OpenAI(base_url=f"{lm.root_url}/openai/deployments/mine", api_key=lm.api_key)

    with pytest.raises(openai.BadRequestError, match="the query has no `api-version`, which Azure demands"):
        client.chat.completions.create(model="mine", messages=QUESTION)
    assert lm.complaints == ("protocol problem: the query has no `api-version`, which Azure demands",)
