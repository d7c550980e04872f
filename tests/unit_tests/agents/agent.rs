// A small agent: JSON replies, a request a step. `wrong` runs every tool twice. It finds in a reply what it looks for
// by the quotes around it, which a crate that reads JSON would do better.
use std::io::{Read, Write};
use std::net::TcpStream;

#[allow(dead_code)]
pub fn right(base_url: &str, _api_key: &str, _task: &str, tools: crate::Tools) -> crate::Call {
    agent(base_url, tools, 1)
}

#[allow(dead_code)]
pub fn wrong(base_url: &str, _api_key: &str, _task: &str, tools: crate::Tools) -> crate::Call {
    agent(base_url, tools, 2)
}

fn agent(base_url: &str, tools: crate::Tools, times: usize) -> crate::Call {
    let host = base_url.trim_start_matches("http://").trim_end_matches("/v1").to_string();
    Box::new(move |given| {
        let mut said = given.to_string();
        loop {
            let step = ask(&host, &said)?;
            let name = text_of(&step, "next_tool_name").ok_or("no tool is named")?;
            if name == "finish" {
                break;
            }
            let begun = step.split("\"next_tool_args\": ").nth(1).ok_or("there are no args")?;
            let args = &begun[..=begun.find('}').ok_or("the args don't end")?];
            for _ in 0..times {
                said += &tools(&name, args)?;
            }
        }
        let answer = text_of(&ask(&host, &said)?, "answer").ok_or("there is no answer")?;
        Ok(format!("{{\"answer\": \"{answer}\"}}"))
    })
}

fn text_of(step: &str, field: &str) -> Option<String> {
    let begun = step.split(&format!("\"{field}\": \"")).nth(1)?;
    Some(begun.split('"').next()?.to_string())
}

fn ask(host: &str, said: &str) -> Result<String, String> {
    let mut stream = TcpStream::connect(host).map_err(|error| error.to_string())?;
    let head = format!("POST /v1/chat/completions HTTP/1.1\r\ncontent-length: {}\r\n\r\n", said.len());
    stream.write_all(format!("{head}{said}").as_bytes()).map_err(|error| error.to_string())?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).map_err(|error| error.to_string())?;
    Ok(reply.replace("\\\"", "\""))
}
