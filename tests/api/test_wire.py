"""A class behind the protocol: the kit at the other end of the wire is its LM, without another server in between."""

import json
from typing import Any

import react_tck
from react_tck.subjects.adapted import subject_of
from react_tck.subjects.stdio.harness import Harness

LM = {"base_url": "http://127.0.0.1:9/lane/v1", "api_key": "tck-lane", "model": "tck"}
SIGNATURE = {"form": "arrow", "arrow": "question -> answer", "inputs": [], "outputs": []}


@react_tck.subject("tells-where", version="1", dialects=["native"])
class TellsWhere:
    """It refuses, and says where its LM is."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Refuse."""
        client = lm.client()
        raise ValueError(f"{lm.base_url} {lm.api_key} {lm.model} {client.base_url} {client.max_retries} {len(tools)}")

    def call(self, inputs: dict[str, Any]) -> react_tck.Done:
        """Nobody gets here."""
        return react_tck.Done({})


def test_the_lm_of_a_harness_is_the_kits() -> None:
    params = {
        "signature": SIGNATURE,
        "tools": [],
        "options": {},
        "lm": LM,
        "tools_url": "http://127.0.0.1:9/lane/tools",
    }
    asked = {"jsonrpc": "2.0", "id": 1, "method": "construct", "params": params}
    answer = json.loads(Harness(subject_of(TellsWhere)).answer_request(json.dumps(asked)))

    assert answer["error"]["code"] == -32001
    said = "http://127.0.0.1:9/lane/v1 tck-lane tck http://127.0.0.1:9/lane/v1/ 0 0"
    assert answer["error"]["message"] == f"ValueError: {said}"
