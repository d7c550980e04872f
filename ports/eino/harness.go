// Connects cloudwego/eino (flow/agent/react) to react-tck: JSON-RPC on stdin and stdout (docs/PROTOCOL.md).
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
	"time"

	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"
)

type object = map[string]any

// Shorter than the kit waits for a call, so that an LM that never answers is this program's error.
const timeout = 10 * time.Second

// eino counts the nodes of its graph that run: the model is one, the tools are another.
const nodesPerStep = 2

// It steps by native tool calls and answers in the last step, as JSON.
var manifest = object{
	"name":            "eino",
	"version":         version("github.com/cloudwego/eino"),
	"language":        "go",
	"homepage":        "https://github.com/cloudwego/eino",
	"dialects":        []string{"native", "json"},
	"default_dialect": "native",
	"capabilities": []string{"value-signature", "typed-fields", "nested-fields", "call-max-steps", "concurrent-calls",
		"parallel-tool-calls", "trajectory", "history"},
	"choices": map[string]string{
		"unknown-tool": "error", "tool-name-matching": "exact", "malformed-args": "error", "args-notation": "JSON only",
		"empty-args": "empty object, or error", "schema-mismatch": "passed as given",
		"malformed-reply": "retries 0, then error", "repeated-field": "last", "cut-off-answer": "refused, or returned",
		"lm-fault": "error", "tool-error": "error", "steps-exhausted": "error", "max-steps-default": "7", "max-steps-zero": "default",
		"trajectory-format": "list", "integer-range": "53 bits",
	},
	"default_max_steps": 7,
}

type Field struct {
	Name, Description string
	Schema            json.RawMessage `json:"json_schema"`
}

type Case struct {
	Signature struct {
		Inputs, Outputs []Field
		Instructions    string
	}
	Tools []struct {
		Name, Description string
		Parameters        *jsonschema.Schema
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

// An agent of eino's as a program: fields go into the prompt, and come out of the last message.
type program struct {
	Case
	agent *react.Agent
}

func construct(params json.RawMessage) (*program, error) {
	made := &program{}
	must(json.Unmarshal(params, &made.Case))
	ctx := context.Background()
	properties, required := object{}, []string{}
	for _, field := range made.Signature.Outputs {
		properties[field.Name] = field.Schema
		required = append(required, field.Name)
	}
	answer := &jsonschema.Schema{}
	must(json.Unmarshal(encode(object{"type": "object", "properties": properties, "required": required}), answer))
	model, err := openai.NewChatModel(ctx, &openai.ChatModelConfig{
		BaseURL: made.LM.BaseURL, APIKey: made.LM.APIKey, Model: made.LM.Model, Timeout: timeout,
		ResponseFormat: &openai.ChatCompletionResponseFormat{
			Type:       openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: "answer", JSONSchema: answer},
		},
	})
	if err != nil {
		return nil, err
	}
	config := &react.AgentConfig{ToolCallingModel: model}
	if made.Options.MaxSteps != nil {
		config.MaxStep = nodesPerStep * *made.Options.MaxSteps
	}
	for _, each := range made.Tools {
		info := &schema.ToolInfo{Name: each.Name, Desc: each.Description,
			ParamsOneOf: schema.NewParamsOneOfByJSONSchema(each.Parameters)}
		config.ToolsConfig.Tools = append(config.ToolsConfig.Tools, makeTool(info, made.ToolsURL+"/"+each.Name))
	}
	made.agent, err = react.NewAgent(ctx, config)
	return made, err
}

// A tool whose run is the kit's: it is told of the call, and gives the result or the error. What isn't a text it gives as
// JSON: eino writes a map in another order of its keys each time.
func makeTool(info *schema.ToolInfo, url string) tool.BaseTool {
	return utils.NewTool(info, func(ctx context.Context, args object) (any, error) {
		if args == nil { // what JSON's null is to Go
			args = object{}
		}
		response, err := http.Post(url, "application/json", bytes.NewReader(encode(args)))
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		var reply struct{ Result, Error any }
		if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
			return nil, err
		}
		if reply.Error != nil {
			return nil, fmt.Errorf("%v", reply.Error)
		}
		if text, is := reply.Result.(string); is {
			return text, nil
		}
		return json.RawMessage(encode(reply.Result)), nil
	})
}

// What the kit reads: the output fields by name, and that the answer is JSON.
func (p *program) system() string {
	lines := []string{p.Signature.Instructions, "Your input fields are:"}
	lines = append(append(lines, listed(p.Signature.Inputs)...), "Your output fields are:")
	lines = append(lines, listed(p.Signature.Outputs)...)
	return strings.Join(append(lines, "Use the tools as long as you need them, then answer with one JSON object."), "\n")
}

func listed(fields []Field) (lines []string) {
	for index, field := range fields {
		lines = append(lines, fmt.Sprintf("%d. `%s`: %s", index+1, field.Name, field.Description))
	}
	return lines
}

func only(turn object, fields []Field) string {
	found := object{}
	for _, field := range fields {
		if value, has := turn[field.Name]; has {
			found[field.Name] = value
		}
	}
	return string(encode(found))
}

// Call it and say how that ended. Whatever goes wrong in the library is an outcome too.
func (p *program) call(params json.RawMessage) object {
	var given struct {
		Inputs   object
		History  []object
		MaxSteps *int `json:"max_steps"`
	}
	must(json.Unmarshal(params, &given))
	messages := []*schema.Message{schema.SystemMessage(p.system())}
	for _, turn := range given.History {
		messages = append(messages, schema.UserMessage(only(turn, p.Signature.Inputs)),
			schema.AssistantMessage(only(turn, p.Signature.Outputs), nil))
	}
	messages = append(messages, schema.UserMessage(string(encode(given.Inputs))))
	option, future := react.WithMessageFuture()
	options := []agent.AgentOption{option}
	if given.MaxSteps != nil {
		options = append(options, agent.WithComposeOptions(compose.WithRuntimeMaxSteps(nodesPerStep**given.MaxSteps)))
	}
	ctx := context.Background()
	last, err := p.agent.Generate(ctx, messages, options...)
	outcome := object{"trajectory": trajectory(future.GetMessages()), "trajectory_format": "list"}
	var outputs object
	if err == nil {
		outputs, err = p.answer(last)
	}
	if err != nil {
		outcome["status"], outcome["error"] = "error", object{"type": errorType(err), "message": err.Error()}
	} else {
		outcome["status"], outcome["outputs"] = "ok", outputs
	}
	return outcome
}

// The outputs, as eino's own parser reads them: what is missing is a user's affair, what is more isn't asked for.
func (p *program) answer(last *schema.Message) (object, error) {
	read, err := schema.NewMessageJSONParser[object](nil).Parse(context.Background(), last)
	outputs := object{}
	for _, field := range p.Signature.Outputs {
		value, has := read[field.Name]
		if !has && err == nil {
			err = fmt.Errorf("the answer has no %q", field.Name)
		}
		outputs[field.Name] = value
	}
	return outputs, err
}

// The messages of the run: a call a step, beside the text that the model gave with it, in the order of the calls, which
// end in any order where one reply has several.
func trajectory(messages *react.Iterator[*schema.Message]) []object {
	steps, byID := []object{}, map[string]object{}
	for {
		message, more, err := messages.Next()
		if !more || err != nil {
			return slices.DeleteFunc(steps, func(step object) bool { return step["observation"] == nil })
		}
		for _, call := range message.ToolCalls {
			step := object{"thought": message.Content, "tool_name": call.Function.Name,
				"tool_args": call.Function.Arguments}
			steps, byID[call.ID] = append(steps, step), step
		}
		if step, is := byID[message.ToolCallID]; is && message.Role == schema.Tool {
			step["observation"] = message.Content
		}
	}
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
