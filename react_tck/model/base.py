"""What all values of the model share."""

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

JsonObject = dict[str, JsonValue]


class Value(BaseModel):
    """A frozen value that refuses unknown keys, so that a typo in a message is an error, not a default."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def mistakes(error: ValidationError) -> list[str]:
    """What is wrong in a value, a sentence each, with the place where it is."""
    said = ((".".join(map(str, each["loc"])), each["msg"].removeprefix("Value error, ")) for each in error.errors())
    return [f"{place}: {message}" if place else message for place, message in said]
