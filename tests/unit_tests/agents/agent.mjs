// A small agent: JSON replies, a request a step. `wrong` runs every tool twice.
export const right = (baseURL, apiKey, task, tools) => (given) => call(baseURL, given, (name, args) => tools[name](args));

export const wrong = (baseURL, apiKey, task, tools) => (given) =>
  call(baseURL, given, async (name, args) => {
    await tools[name](args);
    return tools[name](args);
  });

async function call(baseURL, { inputs }, run) {
  const messages = [{ role: "user", content: JSON.stringify(inputs) }];
  for (;;) {
    const step = await ask(baseURL, messages);
    if (step.next_tool_name === "finish") break;
    messages.push({ role: "user", content: String(await run(step.next_tool_name, step.next_tool_args)) });
  }
  const { answer } = await ask(baseURL, messages);
  return { answer };
}

async function ask(baseURL, messages) {
  const reply = await fetch(`${baseURL}/chat/completions`, { method: "POST", body: JSON.stringify({ messages }) });
  if (!reply.ok) throw new Error(`the LM answered ${reply.status}`);
  return JSON.parse((await reply.json()).choices[0].message.content);
}
