"""The caller's objects as the kit sees them, before a call and after."""

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict

from react_tck.fakes.caller_objects import portray_value


class Letters(BaseModel):
    model_config = ConfigDict(extra="allow")

    text: str

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]
        return iter(self.text)


def test_a_model_is_its_fields_however_it_is_iterated() -> None:
    assert portray_value({"history": [Letters(text="ab", more=1)]}) == {"history": [{"text": "ab", "more": 1}]}
