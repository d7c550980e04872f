"""Connects an agent that calls tools natively to react-tck; docs/API.md has all that such a class can say."""

import json

import react_tck


# ---------------------------------------------------------------- replace me with your library: from here ...
class ToyAgent:
    def __init__(self, tools, offered, prompt, lm):
        self.tools, self.offered, self.prompt, self.lm = {tool.__name__: tool for tool in tools}, offered, prompt, lm

    # The loop: a step is a reply with tool calls, and the first reply without one is the answer.
    def __call__(self, task, max_steps):
        turns, trajectory = [{"role": "system", "content": self.prompt}, {"role": "user", "content": task}], []
        for _ in range(max_steps):
            reply = self.lm.chat(turns, tools=self.offered or None)
            if not reply.tool_calls:
                return reply.text, trajectory
            turns.append(reply.message)
            for call in reply.tool_calls:
                seen = self.observe(call.name, call.arguments)
                turns.append({"role": "tool", "tool_call_id": call.id, "content": seen})
                step = {"thought": reply.text, "tool_name": call.name, "tool_args": call.arguments, "observation": seen}
                trajectory.append(step)
        return None, trajectory

    def observe(self, name, arguments):
        try:
            args = json.loads(arguments, parse_constant=int)  # NaN is no JSON, and no int either
            return str(self.tools[name](**args))
        except Exception as error:
            return f"Error executing {name}: {error!r}"


# ---------------------------------------------------------------- ... to here

# What your library can do and the kit can't see in the class; what isn't declared is reported as unsupported.
CAPABILITIES = ["trajectory", "parallel-tool-calls"]


@react_tck.subject("my-agent", version="0.1.0", dialects=["native"], capabilities=CAPABILITIES, default_max_steps=10)
class Mine:
    def build(self, task, tools, lm):
        task.check()  # refuses no outputs, and two fields of one name
        self.task, self.max_steps = task, 10 if task.max_steps is None else task.max_steps
        self.agent = ToyAgent(tools.as_functions(), tools.as_schemas(), task.instructions, lm)

    def call(self, inputs, max_steps=None):  # with the keyword, it takes a limit for one call
        limit = self.max_steps if max_steps is None else max_steps
        answer, trajectory = self.agent(self.task.text(inputs), limit)  # the text refuses what is missing or unknown
        if answer is None:
            return react_tck.Exhausted(steps=trajectory)
        return react_tck.Done(self.task.answer(answer), steps=trajectory)


if __name__ == "__main__":
    react_tck.wire.serve(Mine)
