"""The ids of calls and their results, for the forms whose clients needn't say them: Ollama's and Gemini's."""

from collections.abc import Iterable
from typing import Any

from react_tck.fakes.conversation import is_same_json
from react_tck.model.lm import Completion


class CallPairing:
    """Finds under which ids the calls of a conversation were given, and which results are theirs.

    A turn is the first that was given with the same calls, else with the same tools, and that no other turn is. The ids
    of one that was never given say where it stands.
    """

    def __init__(self, given: Iterable[Completion]) -> None:
        self._left = list(given)
        #: Of calls without a result the name, the id, and that which the client gave it, if it has one of its own.
        self._open: list[tuple[str, str, str | None]] = []

    def identify_calls(self, calls: list[dict[str, Any]], where: str) -> list[dict[str, Any]]:
        """Return the calls of a turn, each with the id under which it was given."""
        turn = self._take_turn(calls)
        ids = [call.id for call in turn.tool_calls] if turn else [f"{where}[{at}]" for at in range(len(calls))]
        self._open = [(call["name"], id_, call.get("id")) for call, id_ in zip(calls, ids, strict=True)]
        return [{**call, "id": id_} for call, id_ in zip(calls, ids, strict=True)]

    def identify_result(self, name: str | None, said: str | None) -> str | None:
        """Return the id of the call that a result answers: by its id, by the tool's name, or the next one."""
        by_id = [each for each in self._open if said is not None and said in each[1:]]
        found = next(iter(by_id or [each for each in self._open if name in (each[0], None)]), None)
        if found is None:
            return said or name
        self._open.remove(found)
        return found[1]

    def _take_turn(self, calls: list[dict[str, Any]]) -> Completion | None:
        names = [call["name"] for call in calls]
        near = [turn for turn in self._left if [call.name for call in turn.tool_calls] == names]
        same = (turn for turn in near if _has_same_args(turn, calls))
        found = next(same, near[0] if near else None)
        if found is not None:
            self._left = [turn for turn in self._left if turn is not found]
        return found


def _has_same_args(turn: Completion, calls: list[dict[str, Any]]) -> bool:
    pairs = zip(turn.tool_calls, calls, strict=True)
    return all(is_same_json(said["arguments"], call.arguments) for call, said in pairs)
