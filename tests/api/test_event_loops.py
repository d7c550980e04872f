"""A run where an event loop runs already, as in a notebook or under Playwright, says what it says elsewhere."""

import asyncio
from contextvars import ContextVar
from pathlib import Path

import react_tck

OWN_LOOP = '''
import asyncio
import json

import react_tck
from mine_settings import SETTING


@react_tck.subject("own-loop", version="1.0", dialects=["json"], capabilities=["extraction"], default_max_steps=10)
class Mine:
    """A library whose synchronous call begins a loop of its own, as udspy's and pydantic-ai's do."""

    def build(self, task, tools, lm):
        assert SETTING.get() == "the caller's"
        self.fields, self.lm = [field.name for field in task.outputs], lm
        self.described = json.dumps(tools.as_schemas())
        self.tools = {function.__name__: function for function in tools.as_functions()}

    def call(self, inputs):
        return asyncio.run(self.called(inputs))

    async def called(self, inputs):
        seen = []
        while (step := self.ask(["next_thought", "next_tool_name", "next_tool_args"], inputs, seen)) is not None:
            if step["next_tool_name"] == "finish":
                return react_tck.Done(self.ask(self.fields, inputs, seen))
            seen.append([step, self.tools[step["next_tool_name"]](**step["next_tool_args"])])

    def ask(self, fields, inputs, seen):
        listed = "\\n".join(f"{number}. `{name}`" for number, name in enumerate(fields, 1))
        system = f"Tools: {self.described}\\nYour output fields are:\\n{listed}\\nAnswer with a JSON object of them."
        user = json.dumps([inputs, seen])
        reply = self.lm.chat([{"role": "system", "content": system}, {"role": "user", "content": user}])
        return json.loads(reply.text)
'''
SETTINGS = "from contextvars import ContextVar\n\nSETTING = ContextVar('SETTING', default='')\n"


def test_library_that_begins_a_loop_of_its_own_can(folder: Path) -> None:
    (folder / "mine.py").write_text(OWN_LOOP, encoding="utf-8")
    (folder / "mine_settings.py").write_text(SETTINGS, encoding="utf-8")
    from mine import Mine  # type: ignore[import-not-found]
    from mine_settings import SETTING  # type: ignore[import-not-found]

    setting: ContextVar[str] = SETTING
    setting.set("the caller's")

    async def in_a_notebook() -> react_tck.Report:
        return react_tck.run(Mine, tags="@LOOP-001")

    ledger = asyncio.run(in_a_notebook()).ledger
    assert (ledger.failed, ledger.errors) == (0, 0)
    assert ledger.passed > 0
