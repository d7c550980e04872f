"""What the chat example talks about: two tools, and an LM that plays along without a model."""

from collections.abc import Iterable

from react_tck.model.intent import Answer, CallTool, Finish, Intent, Script, Submit

WEATHER = {"Paris": "18 °C, sunny", "London": "12 °C, rain", "Tokyo": "24 °C, humid", "New York": "20 °C, windy"}


def list_weather_cities() -> str:
    """List the cities whose weather is known."""
    return f"Available cities for weather: {', '.join(WEATHER)}"


def get_weather(city: str) -> str:
    """Report the current weather of a city."""
    return f"Weather in {city}: {WEATHER[city]}"


def script(question: str, max_steps: int, spoilt: int | None = None, *, submits: bool = False) -> Script:
    """Return what the scripted LM says to a question: it looks up the cities named, or lists them all if none is.

    A step that will be `spoilt` is meant a second time. Who `submits` needs no other end.
    """
    cities = [city for city in WEATHER if city.lower() in question.lower()]
    steps = _spoilt([*_lookups(cities), Finish(thought="Everything asked for is known.")], spoilt)[:max_steps]
    answer = _answer(steps)
    if submits:
        calls = [each for each in steps if isinstance(each, CallTool)]
        return Script(steps=(*calls, Submit(outputs=answer.outputs, thought=answer.reasoning)))
    return Script(steps=tuple(steps), answers=(answer,))


def _lookups(cities: list[str]) -> Iterable[CallTool]:
    if not cities:
        yield CallTool(tool="list_weather_cities", thought="No city is named: I need to list all there are.")
    for city in cities:
        yield CallTool(tool="get_weather", args={"city": city}, thought=f"I look up {city}.")


def _spoilt(steps: list[Intent], number: int | None) -> list[Intent]:
    return steps if number is None else [*steps[:number], *steps[number - 1 :]]


def _answer(steps: list[Intent]) -> Answer:
    """From what the steps gathered, saying so if they were too few."""
    cities = dict.fromkeys(str(step.args["city"]) for step in steps if isinstance(step, CallTool) and step.args)
    told = [get_weather(city) for city in cities] or [list_weather_cities()]
    if not isinstance(steps[-1], Finish):
        told.append("I was interrupted; ask me to go on if you like")
    return Answer(outputs={"answer": ". ".join(told)}, reasoning="The tools say so.")
