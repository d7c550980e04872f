"""What all values of the model share."""

from pydantic import BaseModel, ConfigDict, JsonValue

JsonObject = dict[str, JsonValue]


class Value(BaseModel):
    """A frozen value that refuses unknown keys, so that a typo in a message is an error, not a default."""

    model_config = ConfigDict(frozen=True, extra="forbid")
