"""A stage for dspy programs: the scripted LM as dspy's. Import it behind `pytest.importorskip("dspy")`."""

from collections.abc import Iterator
from contextlib import contextmanager

import dspy

from react_tck.fakes.lm import EpisodeLM
from react_tck.model.intent import Answer, CallTool, Finish, Intent
from react_tck.model.record import Asked
from react_tck.subjects.adapted import make_lm
from react_tck.subjects.libraries.dspy.bridge import language_model
from tests.support.texts import Stage

ADD = CallTool(tool="add", args={"a": 2, "b": 3}, thought="add them")
DONE = Finish(thought="that's it")
FIVE = Answer(outputs={"answer": "5"}, reasoning="2 and 3 is 5")


def add(a: int, b: int) -> int:
    """Adds two whole numbers."""
    return a + b


class DspyStage(Stage):
    """A journal, and dspy set up to talk to an LM that writes to it."""

    @contextmanager
    def says(
        self, *steps: Intent, answers: tuple[Intent, ...] = (FIVE,), adapter: dspy.Adapter | None = None
    ) -> Iterator[EpisodeLM]:
        """Within, dspy's LM says these steps and answers, and nothing is left over in the end."""
        lm = self.lm(*steps, answers=answers)
        is_native = adapter is not None and adapter.use_native_function_calling
        with dspy.context(lm=language_model(make_lm(lm.complete), is_native), adapter=adapter):
            yield lm
        assert lm.left_over == ()

    @property
    def requests(self) -> tuple[Asked, ...]:
        """What the LM was asked."""
        return self.journal.read_record("a case").requests

    def spoken(self) -> list[tuple[str, str]]:
        """Phase and dialect of every request."""
        return [(asked.ask.phase, asked.ask.dialect) for asked in self.requests if asked.ask]
