//! Connects rig's agent to react-tck: JSON-RPC on stdin and stdout, one object a line (docs/PROTOCOL.md).

use std::io::{BufRead, Write};
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt, join_all};
use rig::agent::{Agent, AgentBuilder};
use rig::completion::PromptError;
use rig::completion::message::{
    AssistantContent, Message, ToolCall, ToolName, ToolResult, ToolResultContent, UserContent,
};
use rig::http_client::ReqwestClient;
use rig::providers::openai::OpenAIConfig;
use rig::rig_reqwest::reqwest;
use rig::tool::{DynamicTool, ToolExecutionError, ToolOutput};
use serde_json::{Map, Value, json};

/// Shorter than the kit waits for a call, so that an LM that never answers is this program's error.
const TIMEOUT: Duration = Duration::from_secs(10);
/// rig's default is one request, of which no tool's result would ever be seen: its users say how many.
const MAX_STEPS: usize = 10;

/// It steps by native tool calls and answers in the last step, as JSON.
fn manifest() -> Value {
    json!({
        "name": "rig",
        "version": "0.44.0",
        "language": "rust",
        "homepage": "https://rig.rs",
        "dialects": ["native", "json"],
        "default_dialect": "native",
        "capabilities": ["value-signature", "typed-fields", "nested-fields", "call-max-steps", "concurrent-calls",
            "parallel-tool-calls", "trajectory", "history"],
        "choices": {
            "tool-name-matching": "exact", "unknown-tool": "error", "malformed-args": "observe",
            "args-notation": "JSON only", "empty-args": "empty object, or observe", "schema-mismatch": "passed as given",
            "malformed-reply": "retries 0, then error, or retries 0, then observe", "repeated-field": "last",
            "cut-off-answer": "returned", "lm-fault": "error", "tool-error": "observe", "steps-exhausted": "error",
            "max-steps-zero": "refuse", "max-steps-default": MAX_STEPS.to_string(), "trajectory-format": "list", "integer-range": "53 bits, or any",
        },
        "default_max_steps": MAX_STEPS,
    })
}

/// An agent as a program: fields go into the prompt, and come out of the last message.
struct Program {
    agent: Agent,
    inputs: Vec<Value>,
    outputs: Vec<Value>,
}

impl Program {
    fn new(params: &Value) -> Result<Self, String> {
        let http = reqwest::Client::builder().timeout(TIMEOUT).build().map_err(|error| error.to_string())?;
        let (lm, signature) = (&params["lm"], &params["signature"]);
        let [inputs, outputs] = ["inputs", "outputs"].map(|key| list(&signature[key]).to_vec());
        let model = OpenAIConfig::new(text(&lm["api_key"]))
            .with_base_url(text(&lm["base_url"]))
            .connect(ReqwestClient::from(http.clone()))
            .chat(text(&lm["model"]));
        let properties: Map<String, Value> =
            outputs.iter().map(|field| (text(&field["name"]).to_owned(), field["json_schema"].clone())).collect();
        let required: Vec<&String> = properties.keys().collect();
        let schema = json!({"title": "answer", "type": "object", "required": required, "properties": properties});
        let tools = list(&params["tools"]).iter().map(|tool| make_tool(tool, text(&params["tools_url"]), &http));
        let agent = AgentBuilder::new(model)
            .preamble(system(text(&signature["instructions"]), &inputs, &outputs))
            .output_schema_raw(schema.try_into().map_err(|error| format!("{error}"))?)
            .default_max_turns(params["options"]["max_steps"].as_u64().map_or(MAX_STEPS, |steps| steps as usize))
            .dynamic_tools(tools.collect::<Result<_, _>>()?)
            .build();
        Ok(Self { agent, inputs, outputs })
    }
}

impl Program {
    /// Call it and say how that ended. Whatever rig refuses is an outcome too.
    async fn call(&self, params: &Value) -> Value {
        let turns = list(&params["history"])
            .iter()
            .flat_map(|turn| [Message::user(only(turn, &self.inputs)), Message::assistant(only(turn, &self.outputs))]);
        let mut run = self.agent.prompt(params["inputs"].to_string()).history(turns);
        if let Some(steps) = params["max_steps"].as_u64() {
            run = run.max_turns(steps as usize);
        }
        let (ended, messages) = match run.await {
            Ok(response) => (self.answer(&response.output()), response.messages),
            Err(error) => (Err(failure(kind_of(&error), &error)), history_of(error)),
        };
        let trajectory = trajectory(&messages);
        match ended {
            Ok(outputs) => {
                json!({"status": "ok", "outputs": outputs, "trajectory": trajectory, "trajectory_format": "list"})
            }
            Err(error) => {
                json!({"status": "error", "error": error, "trajectory": trajectory, "trajectory_format": "list"})
            }
        }
    }

    /// The outputs, of the text that rig hands on: it leaves reading it to its users.
    fn answer(&self, said: &str) -> Result<Value, Value> {
        let read: Map<String, Value> = serde_json::from_str(said).map_err(|error| failure("JSON", &error))?;
        let outputs = self.outputs.iter().map(|field| {
            let name = text(&field["name"]);
            let value = read.get(name).ok_or_else(|| failure("Missing", &format!("the answer has no '{name}'")))?;
            Ok((name.to_owned(), value.clone()))
        });
        outputs.collect::<Result<Map<_, _>, _>>().map(Value::Object)
    }
}

/// A tool whose run is the kit's: it is told of the call, and gives the result or the error.
fn make_tool(tool: &Value, tools_url: &str, http: &reqwest::Client) -> Result<DynamicTool, String> {
    let name = text(&tool["name"]);
    let (url, http) = (format!("{tools_url}/{name}"), http.clone());
    let run = move |args: Value| -> BoxFuture<'static, Result<ToolOutput, ToolExecutionError>> {
        let request = http.post(&url).json(&args);
        async move {
            let body = async { request.send().await?.text().await }.await.map_err(ToolExecutionError::from_error)?;
            let reply: Value = serde_json::from_str(&encodable(&body)).map_err(ToolExecutionError::from_error)?;
            match &reply["error"] {
                Value::Null => Ok(output(reply["result"].clone())),
                error => Err(ToolExecutionError::other(text(error))),
            }
        }
        .boxed()
    };
    let name = ToolName::try_from(name).map_err(|error| error.to_string())?;
    Ok(DynamicTool::new(name, text(&tool["description"]), tool["parameters"].clone(), run))
}

/// The JSON without half surrogate pairs, which no text of Rust's holds: what stands for the unreadable is in their place.
fn encodable(json: &str) -> String {
    let (mut text, mut rest) = (String::new(), json);
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let size = match (surrogate(rest), rest.get(6..).and_then(surrogate)) {
            (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => 12,
            (Some(_), _) => {
                text.push('\u{FFFD}');
                rest = &rest[6..];
                continue;
            }
            (None, _) => 2,
        };
        text.push_str(&rest[..size]);
        rest = &rest[size..];
    }
    text + rest
}

/// The half of a pair that the text begins with as an escape.
fn surrogate(text: &str) -> Option<u32> {
    let code = u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()?;
    (0xD800..0xE000).contains(&code).then_some(code)
}

fn output(result: Value) -> ToolOutput {
    match result {
        Value::String(text) => ToolOutput::text(text),
        value => ToolOutput::json(value),
    }
}

/// What the kit reads: the output fields by name, and that the answer is JSON.
fn system(instructions: &str, inputs: &[Value], outputs: &[Value]) -> String {
    let listed = |fields: &[Value]| -> String {
        let lines = fields.iter().enumerate().map(|(index, field)| {
            format!("{}. `{}`: {}\n", index + 1, text(&field["name"]), text(&field["description"]))
        });
        lines.collect()
    };
    format!(
        "{instructions}\nYour input fields are:\n{}Your output fields are:\n{}\
         Use the tools as long as you need them. Then answer with one JSON object of the output fields.",
        listed(inputs),
        listed(outputs)
    )
}

fn only(turn: &Value, fields: &[Value]) -> String {
    let named = fields.iter().map(|field| text(&field["name"]));
    let found: Map<_, _> = named.filter_map(|name| Some((name.to_owned(), turn.get(name)?.clone()))).collect();
    Value::Object(found).to_string()
}

/// The messages of a run as a list: a call a step, beside the text that the model gave with it.
fn trajectory(messages: &[Message]) -> Vec<Value> {
    let (mut steps, mut waiting) = (Vec::new(), Vec::new());
    for message in messages {
        match message {
            Message::Assistant(turn) => {
                let thought: String = turn.content.iter().filter_map(said).collect();
                waiting.extend(turn.content.iter().filter_map(called).map(|call| (call.clone(), thought.clone())));
            }
            Message::User { content } => {
                for result in content.iter().filter_map(resulted) {
                    if let Some((call, thought)) = waiting.iter().find(|(call, _)| call.id == result.call) {
                        steps.push(json!({
                            "thought": thought, "tool_name": call.function.name,
                            "tool_args": call.function.arguments, "observation": observation(&result.content),
                        }));
                    }
                }
            }
            Message::System { .. } => {}
        }
    }
    steps
}

fn said(block: &AssistantContent) -> Option<&str> {
    if let AssistantContent::Text(text) = block { Some(&text.text) } else { None }
}

fn called(block: &AssistantContent) -> Option<&ToolCall> {
    if let AssistantContent::ToolCall(call) = block { Some(call) } else { None }
}

fn resulted(part: &UserContent) -> Option<&ToolResult> {
    if let UserContent::ToolResult(result) = part { Some(result) } else { None }
}

fn observation(content: &[ToolResultContent]) -> Value {
    match content {
        [ToolResultContent::Json { value }] => value.clone(),
        parts => parts.iter().filter_map(ToolResultContent::as_text).collect::<String>().into(),
    }
}

fn kind_of(error: &PromptError) -> &'static str {
    match error {
        PromptError::MaxTurns { .. } => "MaxTurns",
        PromptError::Cancelled { .. } => "Cancelled",
        PromptError::UnknownToolCall { .. } => "UnknownToolCall",
        PromptError::Memory(_) => "Memory",
        _ => "Provider",
    }
}

/// The run so far, of those errors that tell it.
fn history_of(error: PromptError) -> Vec<Message> {
    match error {
        PromptError::MaxTurns { chat_history, .. }
        | PromptError::Cancelled { chat_history, .. }
        | PromptError::UnknownToolCall { chat_history, .. } => chat_history,
        _ => Vec::new(),
    }
}

fn failure(kind: &str, error: &dyn std::fmt::Display) -> Value {
    json!({"type": kind, "message": error.to_string()})
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let mut program = None;
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.expect("UTF-8")).expect("JSON");
        let params = &request["params"];
        let answer = match (text(&request["method"]), &program) {
            ("initialize", _) => ("result", manifest()),
            ("call", Some(program)) => ("result", runtime.block_on(Program::call(program, params))),
            ("calls", Some(program)) => {
                let calls = list(&params["calls"]).iter().map(|each| Program::call(program, each));
                ("result", json!({"outcomes": runtime.block_on(join_all(calls))}))
            }
            _ => match Program::new(params) {
                Ok(made) => {
                    program = Some(made);
                    ("result", json!({"instance": "1"}))
                }
                Err(message) => ("error", json!({"code": -32001, "message": message})),
            },
        };
        println!("{}", json!({"jsonrpc": "2.0", "id": request["id"], answer.0: answer.1}));
        std::io::stdout().flush().expect("an open standard output");
    }
}
