"""Connects a ReAct implementation to react-tck; docs/API.md has all that such a class can say."""

import json

import react_tck


# ---------------------------------------------------------------- replace me with your library: from here ...
class ToyReAct:
    def __init__(self, outputs, tools, prompt, lm):
        self.outputs, self.tools, self.prompt, self.lm = outputs, {tool.__name__: tool for tool in tools}, prompt, lm

    # The loop.
    def __call__(self, inputs, max_steps):
        step = ["next_thought", f"next_tool_name`: one of `{'`, `'.join([*self.tools, 'finish'])}", "next_tool_args"]
        trajectory = []
        for _ in range(max_steps):
            thought, name, args = self.ask(step, inputs, trajectory)
            if name == "finish":
                break
            try:
                seen = self.tools[name](**args)
            except Exception as error:
                seen = f"Error executing {name}: {error!r}"
            trajectory.append({"thought": thought, "tool_name": name, "tool_args": args, "observation": seen})
        _, *answer = self.ask(["reasoning", *self.outputs], inputs, trajectory)
        return dict(zip(self.outputs, answer, strict=True)), trajectory

    def ask(self, fields, inputs, trajectory):
        listed = "\n".join(f"{number}. `{field}`" for number, field in enumerate(fields, 1))
        system = f"{self.prompt}\nYour output fields are:\n{listed}\nReply with one JSON object of the output fields."
        user = json.dumps({**inputs, "trajectory": trajectory}, ensure_ascii=False)
        reply = self.lm.chat([{"role": "system", "content": system}, {"role": "user", "content": user}])
        values = json.loads(reply.text)
        return [values[field.partition("`")[0]] for field in fields]


# ---------------------------------------------------------------- ... to here

# What your library can do and the kit can't see in the class; what isn't declared is reported as unsupported.
CAPABILITIES = ["trajectory", "extraction", "step-signature"]


@react_tck.subject("my-react", version="0.1.0", dialects=["json"], capabilities=CAPABILITIES, default_max_steps=10)
class Mine:
    def build(self, task, tools, lm):
        self.task, self.max_steps = task, 10 if task.max_steps is None else task.max_steps
        prompt = f"{task.instructions}\nThe tools, and finish: {json.dumps(tools.as_schemas())}"
        self.agent = ToyReAct([field.name for field in task.outputs], tools.as_functions(), prompt, lm)

    def call(self, inputs, max_steps=None):  # with the keyword, it takes a limit for one call
        self.task.text(inputs)  # refuses what is missing or unknown
        outputs, trajectory = self.agent(inputs, self.max_steps if max_steps is None else max_steps)
        return react_tck.Done(outputs, steps=trajectory)


if __name__ == "__main__":
    react_tck.wire.serve(Mine)
