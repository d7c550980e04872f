// Connects the ReAct agent of langchaingo (agents.NewOneShotAgent) to react-tck: JSON-RPC on stdin and stdout (docs/PROTOCOL.md).
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms/openai"
	"github.com/tmc/langchaingo/schema"
	"github.com/tmc/langchaingo/tools"
)

type object = map[string]any

// It steps by a text of thought, action and input, and ends with a text.
var manifest = object{
	"name":            "langchaingo OneShotZeroAgent",
	"version":         version("github.com/tmc/langchaingo"),
	"language":        "go",
	"homepage":        "https://github.com/tmc/langchaingo",
	"dialects":        []string{"react-text"},
	"default_dialect": "react-text",
	"capabilities": []string{"arrow-signature", "value-signature", "call-max-steps", "concurrent-calls", "trajectory",
		"step-signature"},
	"default_max_steps": 5,
}

type Field struct {
	Name, Description string
}

type Case struct {
	Signature struct {
		Inputs, Outputs []Field
		Instructions    string
	}
	Tools []struct {
		Name, Description string
		Parameters        json.RawMessage
	}
	Options struct {
		MaxSteps *int `json:"max_steps"`
	}
	LM struct {
		BaseURL string `json:"base_url"`
		APIKey  string `json:"api_key"`
		Model   string
	}
	ToolsURL string `json:"tools_url"`
}

// An agent as a program: fields go into the question, and come out of the final answer.
type program struct {
	Case
	agent agents.Agent
}

func construct(params json.RawMessage) (*program, error) {
	made := &program{}
	must(json.Unmarshal(params, &made.Case))
	if err := checkFields(made.Signature.Inputs, made.Signature.Outputs); err != nil {
		return nil, err
	}
	model, err := openai.New(openai.WithBaseURL(made.LM.BaseURL), openai.WithToken(made.LM.APIKey), openai.WithModel(made.LM.Model))
	if err != nil {
		return nil, err
	}
	given := []tools.Tool{}
	for _, each := range made.Tools {
		description := fmt.Sprintf("%s The input is a JSON object of this schema: %s", each.Description, each.Parameters)
		given = append(given, remoteTool{each.Name, description, made.ToolsURL + "/" + each.Name})
	}
	made.agent = agents.NewOneShotAgent(model, given)
	return made, nil
}

func checkFields(inputs, outputs []Field) error {
	if len(outputs) == 0 {
		return errors.New("the signature has no output fields")
	}
	names := map[string]bool{}
	for _, field := range slices.Concat(inputs, outputs) {
		if names[field.Name] {
			return fmt.Errorf("two fields are called %q", field.Name)
		}
		names[field.Name] = true
	}
	return nil
}

// A tool whose run is the kit's: it is told of the call, and gives the result or the error. As langchaingo's own calculator does,
// it answers an input that it can't read.
type remoteTool struct{ name, description, url string }

func (t remoteTool) Name() string        { return t.name }
func (t remoteTool) Description() string { return t.description }

func (t remoteTool) Call(_ context.Context, input string) (string, error) {
	args := object{}
	if err := json.Unmarshal([]byte(input), &args); err != nil {
		return fmt.Sprintf("the input is no JSON object: %s", err), nil
	}
	if args == nil { // what JSON's null is to Go
		return "the input is no JSON object: null", nil
	}
	response, err := http.Post(t.url, "application/json", strings.NewReader(input))
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	var reply struct {
		Result json.RawMessage
		Error  any
	}
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		return "", err
	}
	if reply.Error != nil {
		return "", fmt.Errorf("%v", reply.Error)
	}
	return asText(reply.Result), nil
}

// A text as it is, all else as JSON, with its numbers as they are written and its letters not escaped.
func asText(value json.RawMessage) string {
	var read any
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()
	must(decoder.Decode(&read))
	if text, is := read.(string); is {
		return text
	}
	return string(encode(read))
}

// What is asked: the instructions, each input by its name, and which outputs are wanted.
func (p *program) question(inputs map[string]json.RawMessage) (string, error) {
	lines := []string{}
	if p.Signature.Instructions != "" {
		lines = append(lines, p.Signature.Instructions)
	}
	for _, field := range p.Signature.Inputs {
		value, has := inputs[field.Name]
		if !has {
			return "", fmt.Errorf("missing input %q", field.Name)
		}
		delete(inputs, field.Name)
		lines = append(lines, described(field)+": "+asText(value))
	}
	for name := range inputs {
		return "", fmt.Errorf("unknown input %q", name)
	}
	lines = append(lines, "Answer with:")
	for _, field := range p.Signature.Outputs {
		lines = append(lines, "- "+described(field))
	}
	if len(p.Signature.Outputs) > 1 {
		lines = append(lines, "The final answer is one JSON object of these.")
	}
	return strings.Join(lines, "\n"), nil
}

func described(field Field) string {
	if field.Description == "" {
		return field.Name
	}
	return fmt.Sprintf("%s (%s)", field.Name, field.Description)
}

// Call it and say how that ended. Whatever goes wrong in the library is an outcome too.
func (p *program) call(params json.RawMessage) object {
	var given struct {
		Inputs   map[string]json.RawMessage
		MaxSteps *int `json:"max_steps"`
	}
	must(json.Unmarshal(params, &given))
	outcome := object{"trajectory": []object{}, "trajectory_format": "list"}
	asked, err := p.question(given.Inputs)
	var outputs object
	if err == nil {
		var ended object
		ended, err = chains.Call(context.Background(), p.executor(given.MaxSteps), object{"input": asked})
		steps, _ := ended["intermediateSteps"].([]schema.AgentStep)
		outcome["trajectory"] = trajectory(steps)
		if err == nil {
			outputs, err = p.answer(ended["output"].(string))
		}
	}
	if err != nil {
		outcome["status"], outcome["error"] = "error", object{"type": errorType(err), "message": err.Error()}
	} else {
		outcome["status"], outcome["outputs"] = "ok", outputs
	}
	return outcome
}

func (p *program) executor(maxSteps *int) *agents.Executor {
	options := []agents.Option{agents.WithReturnIntermediateSteps()}
	if maxSteps == nil {
		maxSteps = p.Options.MaxSteps
	}
	if maxSteps != nil {
		options = append(options, agents.WithMaxIterations(*maxSteps))
	}
	return agents.NewExecutor(p.agent, options...)
}

// The only output is the text; several are a JSON object.
func (p *program) answer(text string) (object, error) {
	if len(p.Signature.Outputs) == 1 {
		return object{p.Signature.Outputs[0].Name: text}, nil
	}
	read, outputs := object{}, object{}
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		return nil, err
	}
	for _, field := range p.Signature.Outputs {
		value, has := read[field.Name]
		if !has {
			return nil, fmt.Errorf("the answer has no %q", field.Name)
		}
		outputs[field.Name] = value
	}
	return outputs, nil
}

// The intermediate steps: their log is the LM's whole reply, which the thought stands in.
func trajectory(steps []schema.AgentStep) []object {
	told := []object{}
	for _, step := range steps {
		told = append(told, object{"thought": step.Action.Log, "tool_name": step.Action.Tool, "tool_args": step.Action.ToolInput,
			"observation": step.Observation})
	}
	return told
}

// The type of the error at the bottom.
func errorType(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return fmt.Sprintf("%T", err)
}

func version(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, each := range info.Deps {
		if each.Path == module {
			return each.Version
		}
	}
	return ""
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

func main() {
	var current *program
	lines := bufio.NewReader(os.Stdin)
	for line, err := lines.ReadBytes('\n'); err == nil; line, err = lines.ReadBytes('\n') {
		var request struct {
			ID     int
			Method string
			Params json.RawMessage
		}
		must(json.Unmarshal(line, &request))
		answer := object{"jsonrpc": "2.0", "id": request.ID}
		switch request.Method {
		case "initialize":
			answer["result"] = manifest
		case "call":
			answer["result"] = current.call(request.Params)
		case "calls":
			answer["result"] = object{"outcomes": together(current, request.Params)}
		default:
			if current, err = construct(request.Params); err != nil {
				answer["error"], err = object{"code": -32001, "message": err.Error()}, nil
			} else {
				answer["result"] = object{"instance": "1"}
			}
		}
		fmt.Println(string(encode(answer)))
	}
}

func together(p *program, params json.RawMessage) []object {
	var given struct{ Calls []json.RawMessage }
	must(json.Unmarshal(params, &given))
	outcomes := make([]object, len(given.Calls))
	var all sync.WaitGroup
	for index, each := range given.Calls {
		all.Add(1)
		go func() { defer all.Done(); outcomes[index] = p.call(each) }()
	}
	all.Wait()
	return outcomes
}
