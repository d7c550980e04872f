//! Connects a ReAct implementation to react-tck: JSON-RPC on stdin and stdout, one object a line (docs/PROTOCOL.md).

use serde_json::{json, Map, Value};
use std::collections::HashSet;
use std::io::{stdin, BufRead};
use std::time::Duration;

type Object = Map<String, Value>;
type Result<T> = std::result::Result<T, String>;

const DEFAULT_MAX_STEPS: u64 = 10;

/// Shorter than the kit waits for a call, so that an LM that never answers is this program's error.
const TIMEOUT: Duration = Duration::from_secs(10);

/// What may be asked of it. What isn't declared is reported as unsupported, not as failed.
fn manifest() -> Value {
    json!({
        "name": "my-react",
        "version": "0.1.0",
        "language": "rust",
        "dialects": ["json"],
        "default_dialect": "json",
        "capabilities": [
            "arrow-signature", "value-signature", "call-max-steps", "trajectory", "extraction", "step-signature"
        ],
        "default_max_steps": DEFAULT_MAX_STEPS,
    })
}

// ---------------------------------------------------------------- replace me with your library: from here ...

/// Name and description.
type Field = (String, String);
type Run = Box<dyn Fn(&Value) -> Result<Value>>;
type Lm = Box<dyn Fn(String, String) -> Result<String>>;

struct Tool {
    name: String,
    prompt: String,
    run: Run,
}

struct ToyReAct {
    inputs: Vec<Field>,
    outputs: Vec<Field>,
    instructions: String,
    tools: Vec<Tool>,
    max_steps: u64,
    lm: Lm,
}

impl ToyReAct {
    fn validated(self) -> Result<Self> {
        if self.outputs.is_empty() {
            return Err("the signature has no output fields".into());
        }
        let fields = self.inputs.iter().chain(&self.outputs).map(|field| field.0.as_str());
        refuse_duplicates("field", fields.chain(["trajectory", "reasoning"]))?;
        refuse_duplicates("tool", self.tools.iter().map(|tool| tool.name.as_str()).chain(["finish"]))?;
        Ok(self)
    }

    fn call(&self, inputs: &Object, max_steps: u64) -> Result<(Object, Vec<Value>)> {
        if let Some((name, _)) = self.inputs.iter().find(|(name, _)| !inputs.contains_key(name)) {
            return Err(format!("missing input '{name}'"));
        }
        if let Some(name) = inputs.keys().find(|name| self.inputs.iter().all(|field| field.0 != **name)) {
            return Err(format!("unknown input '{name}'"));
        }
        let names: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).chain(["finish"]).collect();
        let step_fields = [
            field("next_thought", "what to do next, and why"),
            field("next_tool_name", &format!("one of: {}", names.join(", "))),
            field("next_tool_args", "the arguments of the tool, a valid JSON object"),
        ];
        let prompts: Vec<&str> = self.tools.iter().map(|tool| tool.prompt.as_str()).collect();
        let prompts = format!("The tools are:\n{}\n", prompts.join("\n"));
        let mut trajectory = Vec::new();
        for _ in 0..max_steps {
            let step = self.ask(&step_fields, inputs, &trajectory, &prompts)?;
            let (Value::String(thought), Value::String(name)) = (&step["next_thought"], &step["next_tool_name"]) else {
                return Err("next_thought and next_tool_name are texts".into());
            };
            if name == "finish" {
                break;
            }
            let args = &step["next_tool_args"];
            let observation = self.observe(name, args);
            let step = json!({"thought": thought, "tool_name": name, "tool_args": args, "observation": observation});
            trajectory.push(step);
        }
        let mut fields = vec![field("reasoning", "think step by step")];
        fields.extend(self.outputs.iter().cloned());
        let mut outputs = self.ask(&fields, inputs, &trajectory, "")?;
        outputs.shift_remove("reasoning");
        Ok((outputs, trajectory))
    }

    fn observe(&self, name: &str, args: &Value) -> Value {
        let tool = self.tools.iter().find(|tool| tool.name == name).ok_or("there is no such tool".to_string());
        let result = match args {
            Value::Object(_) => tool.and_then(|tool| (tool.run)(args)),
            _ => tool.and(Err("the args are no JSON object".to_string())),
        };
        result.unwrap_or_else(|error| format!("Error executing {name}: {error}").into())
    }

    fn ask(&self, fields: &[Field], inputs: &Object, trajectory: &[Value], prompts: &str) -> Result<Object> {
        let shown = [self.inputs.as_slice(), &[field("trajectory", "the steps so far")]].concat();
        let (shown, asked) = (numbered(&shown), numbered(fields));
        let system = format!(
            "Your input fields are:\n{shown}Your output fields are:\n{asked}\
             Reply with one JSON object of the output fields.\n{prompts}{}",
            self.instructions
        );
        let mut user = inputs.clone();
        user.insert("trajectory".into(), trajectory.into());
        let reply: Object = parse(&(self.lm)(system, Value::Object(user).to_string())?)?;
        let value = |name: &String| reply.get(name).cloned().ok_or(format!("the LM's reply has no field '{name}'"));
        fields.iter().map(|(name, _)| Ok((name.clone(), value(name)?))).collect()
    }
}

fn field(name: &str, description: &str) -> Field {
    (name.into(), description.into())
}

fn numbered(fields: &[Field]) -> String {
    let line = |(index, (name, text)): (usize, &Field)| format!("{}. `{name}`: {text}\n", index + 1);
    fields.iter().enumerate().map(line).collect()
}

fn refuse_duplicates<'a>(kind: &str, mut names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut seen = HashSet::new();
    let twice = names.find(|name| !seen.insert(*name));
    twice.map_or(Ok(()), |name| Err(format!("two {kind}s are called '{name}'")))
}

// ---------------------------------------------------------------- ... to here

/// An instance of the library, from what the kit describes.
fn construct(case: &Value) -> Result<ToyReAct> {
    let fields = |side: &Value| items(side).map(|it| field(&text(&it["name"]), &text(&it["description"]))).collect();
    let signature = &case["signature"];
    let agent = ToyReAct {
        inputs: fields(&signature["inputs"]),
        outputs: fields(&signature["outputs"]),
        instructions: text(&signature["instructions"]),
        tools: items(&case["tools"]).map(|tool| make_tool(tool, &text(&case["tools_url"]))).collect(),
        max_steps: case["options"]["max_steps"].as_u64().unwrap_or(DEFAULT_MAX_STEPS),
        lm: make_lm(case["lm"].clone()),
    };
    agent.validated()
}

/// A tool whose run is the kit's: it is told of the call, and gives the result or the error.
fn make_tool(tool: &Value, tools_url: &str) -> Tool {
    let (name, description, parameters) = (&tool["name"], &tool["description"], &tool["parameters"]);
    let url = format!("{tools_url}/{}", text(name));
    let run = move |args: &Value| {
        let reply = post(&url, args, "")?;
        reply.get("error").map_or(Ok(reply["result"].clone()), |error| Err(text(error)))
    };
    let prompt = json!({"name": name, "description": description, "parameters": parameters}).to_string();
    Tool { name: text(name), prompt, run: Box::new(run) }
}

/// The kit's LM: an OpenAI-compatible endpoint. Whatever it refuses must not be asked again.
fn make_lm(endpoint: Value) -> Lm {
    Box::new(move |system, user| {
        let messages = json!([{"role": "system", "content": system}, {"role": "user", "content": user}]);
        let body = json!({"model": endpoint["model"], "messages": messages});
        let url = format!("{}/chat/completions", text(&endpoint["base_url"]));
        Ok(text(&post(&url, &body, &text(&endpoint["api_key"]))?["choices"][0]["message"]["content"]))
    })
}

fn post(url: &str, body: &Value, key: &str) -> Result<Value> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .proxy(None)
        .timeout_global(Some(TIMEOUT))
        .build()
        .into();
    let request = agent.post(url).header("Authorization", &format!("Bearer {key}"));
    let mut response = request.send_json(body).map_err(|error| error.to_string())?;
    let reply = response.body_mut().read_to_string().map_err(|error| error.to_string())?;
    match response.status().as_u16() {
        200 => parse(&reply),
        status => Err(format!("{status}: {reply}")),
    }
}

/// Call it and say how that ended. Whatever goes wrong in the library is an outcome too.
fn call(agent: &ToyReAct, params: &Value) -> Value {
    let inputs = params["inputs"].as_object().cloned().unwrap_or_default();
    match agent.call(&inputs, params["max_steps"].as_u64().unwrap_or(agent.max_steps)) {
        Ok((outputs, trajectory)) => {
            json!({"status": "ok", "outputs": outputs, "trajectory": trajectory, "trajectory_format": "list"})
        }
        Err(error) => json!({"status": "error", "error": {"type": "Error", "message": error}}),
    }
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn parse<T: serde::de::DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn main() {
    let mut agent = None;
    for line in stdin().lock().lines() {
        let request: Value = parse(&line.expect("UTF-8")).expect("JSON");
        let mut answer = json!({"jsonrpc": "2.0", "id": request["id"]});
        match request["method"].as_str() {
            Some("initialize") => answer["result"] = manifest(),
            Some("call") => answer["result"] = call(agent.as_ref().expect("an instance"), &request["params"]),
            _ => match construct(&request["params"]) {
                Ok(made) => {
                    agent = Some(made);
                    answer["result"] = json!({"instance": "1"});
                }
                Err(message) => answer["error"] = json!({"code": -32001, "message": message}),
            },
        }
        println!("{answer}");
    }
}
