// A support agent that shows its answer while it comes; OpenAI's client runs the tools.
import OpenAI from "openai";

const states = { 17: "sent on Monday" };
const parameters = { type: "object", properties: { number: { type: "integer" } }, required: ["number"] };

const runner = new OpenAI().chat.completions.runTools({
  model: "any",
  stream: true,
  messages: [
    { role: "system", content: "You answer questions about orders." },
    { role: "user", content: process.argv[2] },
  ],
  tools: [
    {
      type: "function",
      function: {
        name: "lookup_order",
        description: "Tells where an order is.",
        parameters,
        parse: JSON.parse,
        function: ({ number }) => states[number] ?? "there is no such order",
      },
    },
  ],
});
runner.on("content", (piece) => process.stdout.write(piece));
await runner.done();
