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
            if not (isinstance(thought, str) and isinstance(name, str)):
                raise ValueError("next_thought and next_tool_name are texts")
            if name == "finish":
                break
            try:
                seen = self.tools[name](**args)
            except Exception as error:
                seen = f"Error executing {name}: {error!r}"
            trajectory.append({"thought": thought, "tool_name": name, "tool_args": args, "observation": seen})
        _, *answer = self.ask(["reasoning", *self.outputs], inputs, trajectory)
        return dict(zip(self.outputs, answer, strict=True)), trajectory

    # What it refuses of what the LM says.
    def ask(self, fields, inputs, trajectory):
        listed = "\n".join(f"{number}. `{field}`" for number, field in enumerate(fields, 1))
        system = f"{self.prompt}\nYour output fields are:\n{listed}\nReply with one JSON object of the output fields."
        user = json.dumps({**inputs, "trajectory": trajectory}, ensure_ascii=False)
        reply = self.lm.chat([{"role": "system", "content": system}, {"role": "user", "content": user}])
        values = json.loads(reply.text, parse_constant=int)  # NaN is no JSON, and no int either
        names = [field.partition("`")[0] for field in fields]
        if not isinstance(values, dict) or not values.keys() >= set(names):
            raise ValueError(f"the LM's reply is no JSON object with {', '.join(names)}")
        return [values[name] for name in names]


# ---------------------------------------------------------------- ... to here

# What your library can do and the kit can't see in the class; what isn't declared is reported as unsupported.
CAPABILITIES = ["trajectory", "extraction", "step-signature"]


@react_tck.subject("my-react", version="0.1.0", dialects=["json"], capabilities=CAPABILITIES, default_max_steps=10)
class Mine:
    def build(self, task, tools, lm):
        task.check()  # refuses no outputs, and two fields of one name
        if "trajectory" in [field.name for field in task.inputs] or "finish" in [tool.name for tool in tools]:
            raise ValueError("trajectory and finish are the agent's own names")
        self.task, self.max_steps = task, 10 if task.max_steps is None else task.max_steps
        prompt = f"{task.instructions}\nThe tools, and finish: {json.dumps(tools.as_schemas())}"
        self.agent = ToyReAct([field.name for field in task.outputs], tools.as_functions(), prompt, lm)

    def call(self, inputs, max_steps=None):  # with the keyword, it takes a limit for one call
        self.task.text(inputs)  # refuses what is missing or unknown
        outputs, trajectory = self.agent(inputs, self.max_steps if max_steps is None else max_steps)
        return react_tck.Done(outputs, steps=trajectory)


if __name__ == "__main__":
    react_tck.wire.serve(Mine)
