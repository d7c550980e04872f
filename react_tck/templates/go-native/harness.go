// Connects an agent that calls tools natively to react-tck: JSON-RPC on stdin and stdout (docs/PROTOCOL.md).
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

type object = map[string]any

const defaultMaxSteps = 10

// It waits less long than the kit waits for a call, so that an LM that never answers is this program's error.
var client = &http.Client{Timeout: 10 * time.Second}

// What may be asked of it. What isn't declared is reported as unsupported, not as failed.
var manifest = object{
	"name":            "my-agent",
	"version":         "0.1.0",
	"language":        "go",
	"dialects":        []string{"native"},
	"default_dialect": "native",
	"capabilities": []string{
		"arrow-signature", "value-signature", "call-max-steps", "trajectory", "parallel-tool-calls",
	},
	"default_max_steps": defaultMaxSteps,
}

// ---------------------------------------------------------------- replace me with your library: from here ...

type Tool struct {
	Name   string
	Schema object
	Run    func(args object) (any, error)
}

// A struct, because the keys of a map have no order, and a step is told thought first.
type Step struct {
	Thought     string `json:"thought"`
	ToolName    string `json:"tool_name"`
	ToolArgs    string `json:"tool_args"`
	Observation any    `json:"observation"`
}

// A reply of the LM's, which goes back to it as it came.
type Message struct {
	Role      string     `json:"role"`
	Content   string     `json:"content"`
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
}

type ToolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type ToyAgent struct {
	Tools    []Tool
	Prompt   string
	MaxSteps int
	LM       func(turns []any, tools []Tool) (Message, error)
}

var errExhausted = errors.New("the steps ran out without an answer")

// The loop: a step is a reply with tool calls, and the first reply without one is the answer.
func (a *ToyAgent) Call(task string, maxSteps int) (string, []Step, error) {
	turns := []any{object{"role": "system", "content": a.Prompt}, object{"role": "user", "content": task}}
	trajectory := []Step{}
	for ; maxSteps > 0; maxSteps-- {
		reply, err := a.LM(turns, a.Tools)
		if err != nil {
			return "", nil, err
		}
		if len(reply.ToolCalls) == 0 {
			return reply.Content, trajectory, nil
		}
		turns = append(turns, reply)
		for _, call := range reply.ToolCalls {
			name, args := call.Function.Name, call.Function.Arguments
			seen := a.observe(name, args)
			turns = append(turns, object{"role": "tool", "tool_call_id": call.ID, "content": write(seen)})
			trajectory = append(trajectory, Step{reply.Content, name, args, seen})
		}
	}
	return "", trajectory, errExhausted
}

func (a *ToyAgent) observe(name, text string) any {
	index := slices.IndexFunc(a.Tools, func(tool Tool) bool { return tool.Name == name })
	if index < 0 {
		return fmt.Sprintf("Error: there is no tool %s", name)
	}
	var args object
	if err := decode([]byte(text), &args); err != nil || args == nil {
		return fmt.Sprintf("Error: the args of %s are no JSON object", name)
	}
	result, err := a.Tools[index].Run(args)
	if err != nil {
		return fmt.Sprintf("Error executing %s: %s", name, err)
	}
	return result
}

func write(value any) string {
	if text, isText := value.(string); isText {
		return text
	}
	return string(encode(value))
}

// ---------------------------------------------------------------- ... to here

type Field struct{ Name, Description string }

func (f Field) describe() string {
	if f.Description == "" {
		return f.Name
	}
	return fmt.Sprintf("%s (%s)", f.Name, f.Description)
}

type Signature struct {
	Inputs, Outputs []Field
	Instructions    string
}

// What the kit describes of a case.
type Case struct {
	Signature Signature
	Tools     []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	Options  struct{ Max_steps int }
	LM       struct{ Base_url, Api_key, Model string }
	ToolsURL string `json:"tools_url"`
}

// An instance of the library, from what the kit describes, and what it is asked.
func construct(params json.RawMessage) (*ToyAgent, Signature, error) {
	var given Case
	given.Options.Max_steps = defaultMaxSteps // stays, where the kit says null
	must(decode(params, &given))
	agent := &ToyAgent{nil, given.Signature.Instructions, given.Options.Max_steps, nil}
	// A tool's run is the kit's: it is told of the call, and gives the result or the error.
	for _, tool := range given.Tools {
		url := given.ToolsURL + "/" + tool.Name
		run := func(args object) (any, error) {
			reply := object{}
			err := post(url, args, "", &reply)
			if message, failed := reply["error"]; failed {
				err = fmt.Errorf("%v", message)
			}
			return reply["result"], err
		}
		agent.Tools = append(agent.Tools, Tool{tool.Name, object{"type": "function", "function": tool}, run})
	}
	// The kit's LM: an OpenAI-compatible endpoint. Whatever it refuses must not be asked again.
	agent.LM = func(turns []any, tools []Tool) (Message, error) {
		body := object{"model": given.LM.Model, "messages": turns}
		if len(tools) > 0 {
			offered := []object{}
			for _, tool := range tools {
				offered = append(offered, tool.Schema)
			}
			body["tools"] = offered
		}
		var reply struct{ Choices []struct{ Message Message } }
		if err := post(given.LM.Base_url+"/chat/completions", body, given.LM.Api_key, &reply); err != nil {
			return Message{}, err
		}
		if len(reply.Choices) == 0 {
			return Message{}, errors.New("the LM's answer has no choices")
		}
		return reply.Choices[0].Message, nil
	}
	return agent, given.Signature, given.Signature.validate()
}

func (s Signature) validate() error {
	if len(s.Outputs) == 0 {
		return errors.New("the signature has no output fields")
	}
	fields := slices.Concat(s.Inputs, s.Outputs)
	for index, field := range fields {
		if slices.ContainsFunc(fields[:index], func(other Field) bool { return other.Name == field.Name }) {
			return fmt.Errorf("two fields are called '%s'", field.Name)
		}
	}
	return nil
}

// The task as a text: the inputs, and which outputs are wanted.
func (s Signature) describe(given object) (string, error) {
	lines := []string{}
	for _, field := range s.Inputs {
		value, isGiven := given[field.Name]
		if !isGiven {
			return "", fmt.Errorf("missing input '%s'", field.Name)
		}
		lines = append(lines, field.describe()+": "+write(value))
	}
	for name := range given {
		if !slices.ContainsFunc(s.Inputs, func(field Field) bool { return field.Name == name }) {
			return "", fmt.Errorf("unknown input '%s'", name)
		}
	}
	lines = append(lines, "", "Answer with:")
	for _, field := range s.Outputs {
		lines = append(lines, "- "+field.describe())
	}
	return strings.Join(lines, "\n"), nil
}

// The answer by the names of the outputs: several are a JSON object.
func (s Signature) read(text string) (object, error) {
	if len(s.Outputs) == 1 {
		return object{s.Outputs[0].Name: text}, nil
	}
	said := object{}
	err := decode([]byte(text), &said)
	for _, field := range s.Outputs {
		if _, given := said[field.Name]; !given || len(said) != len(s.Outputs) {
			err = errors.Join(err, fmt.Errorf("the answer isn't made of the outputs: %s", text))
		}
	}
	return said, err
}

func post(url string, body any, key string, reply any) error {
	request, err := http.NewRequest("POST", url, bytes.NewReader(encode(body)))
	must(err)
	request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + key}}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%d: %s", response.StatusCode, text)
	}
	return errors.Join(err, decode(text, reply))
}

// Numbers stay as they were written, and texts unescaped.
func decode(text []byte, value any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(value); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	return nil
}

func encode(value any) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	must(encoder.Encode(value))
	return bytes.TrimSpace(text.Bytes())
}

// For what only the kit or this file can have got wrong: the harness ends, and the kit shows why.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Call it and say how that ended. Whatever goes wrong in the library is an outcome too.
func call(agent *ToyAgent, signature Signature, params json.RawMessage) object {
	var given struct {
		Inputs    object
		Max_steps int
	}
	given.Max_steps = agent.MaxSteps
	must(decode(params, &given))
	task, err := signature.describe(given.Inputs)
	if err != nil {
		return object{"status": "error", "error": object{"type": "error", "message": err.Error()}}
	}
	answer, trajectory, err := agent.Call(task, given.Max_steps)
	outcome := object{"status": "ok", "trajectory": trajectory, "trajectory_format": "list"}
	if err == nil {
		outcome["outputs"], err = signature.read(answer)
	}
	if err != nil {
		delete(outcome, "outputs")
		outcome["status"], outcome["error"] = "error", object{"type": "error", "message": err.Error()}
	}
	return outcome
}

func main() {
	var agent *ToyAgent
	var signature Signature
	// Not a bufio.Scanner, whose lines are short.
	lines := bufio.NewReader(os.Stdin)
	for line, err := lines.ReadBytes('\n'); err == nil; line, err = lines.ReadBytes('\n') {
		var request struct {
			ID     int
			Method string
			Params json.RawMessage
		}
		must(decode(line, &request))
		answer := object{"jsonrpc": "2.0", "id": request.ID}
		switch request.Method {
		case "initialize":
			answer["result"] = manifest
		case "call":
			answer["result"] = call(agent, signature, request.Params)
		default:
			if agent, signature, err = construct(request.Params); err != nil {
				answer["error"] = object{"code": -32001, "message": err.Error()}
			} else {
				answer["result"] = object{"instance": "1"}
			}
		}
		fmt.Println(string(encode(answer)))
	}
}
