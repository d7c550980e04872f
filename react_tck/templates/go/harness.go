// Connects a ReAct implementation to react-tck: JSON-RPC on stdin and stdout, one object a line (docs/PROTOCOL.md).
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
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
	"name":            "my-react",
	"version":         "0.1.0",
	"language":        "go",
	"dialects":        []string{"json"},
	"default_dialect": "json",
	"capabilities": []string{
		"arrow-signature", "value-signature", "call-max-steps", "trajectory", "extraction", "step-signature",
	},
	"default_max_steps": defaultMaxSteps,
}

// ---------------------------------------------------------------- replace me with your library: from here ...

type Field struct{ Name, Description string }

type Tool struct {
	Name, Prompt string
	Run          func(args object) (any, error)
}

// A struct, because the keys of a map have no order, and a step is told thought first.
type Step struct {
	Thought     string `json:"thought"`
	ToolName    string `json:"tool_name"`
	ToolArgs    any    `json:"tool_args"`
	Observation any    `json:"observation"`
}

type ToyReAct struct {
	Inputs, Outputs []Field
	Instructions    string
	Tools           []Tool
	MaxSteps        int
	LM              func(system, user string) (string, error)
}

func (r *ToyReAct) Validate() error {
	if len(r.Outputs) == 0 {
		return errors.New("the signature has no output fields")
	}
	fields, tools := []string{"trajectory", "reasoning"}, []string{"finish"}
	for _, field := range slices.Concat(r.Inputs, r.Outputs) {
		fields = append(fields, field.Name)
	}
	for _, tool := range r.Tools {
		tools = append(tools, tool.Name)
	}
	return errors.Join(refuseDuplicates("field", fields), refuseDuplicates("tool", tools))
}

func (r *ToyReAct) Call(inputs object, maxSteps int) (object, []Step, error) {
	if err := r.check(inputs); err != nil {
		return nil, nil, err
	}
	names, prompts := "", []string{"The tools are:"}
	for _, tool := range r.Tools {
		names += tool.Name + ", "
		prompts = append(prompts, tool.Prompt)
	}
	stepFields := []Field{
		{"next_thought", "what to do next, and why"},
		{"next_tool_name", "one of: " + names + "finish"},
		{"next_tool_args", "the arguments of the tool, a valid JSON object"},
	}
	trajectory := []Step{}
	for ; maxSteps > 0; maxSteps-- {
		step, err := r.ask(stepFields, inputs, trajectory, prompts)
		if err != nil {
			return nil, nil, err
		}
		thought, isThought := step["next_thought"].(string)
		name, isName := step["next_tool_name"].(string)
		if !isThought || !isName {
			return nil, nil, errors.New("next_thought and next_tool_name are texts")
		}
		args := step["next_tool_args"]
		if name == "finish" {
			break
		}
		trajectory = append(trajectory, Step{thought, name, args, r.observe(name, args)})
	}
	fields := slices.Concat([]Field{{"reasoning", "think step by step"}}, r.Outputs)
	outputs, err := r.ask(fields, inputs, trajectory, nil)
	delete(outputs, "reasoning")
	return outputs, trajectory, err
}

func (r *ToyReAct) check(inputs object) error {
	for _, field := range r.Inputs {
		if _, given := inputs[field.Name]; !given {
			return fmt.Errorf("missing input '%s'", field.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		if !slices.ContainsFunc(r.Inputs, func(field Field) bool { return field.Name == name }) {
			return fmt.Errorf("unknown input '%s'", name)
		}
	}
	return nil
}

func (r *ToyReAct) observe(name string, args any) any {
	index := slices.IndexFunc(r.Tools, func(tool Tool) bool { return tool.Name == name })
	if index < 0 {
		return fmt.Sprintf("Error: there is no tool %s", name)
	}
	given, isObject := args.(object)
	if !isObject {
		return fmt.Sprintf("Error: the args of %s are no JSON object", name)
	}
	result, err := r.Tools[index].Run(given)
	if err != nil {
		return fmt.Sprintf("Error executing %s: %s", name, err)
	}
	return result
}

func (r *ToyReAct) ask(fields []Field, inputs object, trajectory []Step, prompts []string) (object, error) {
	shown := slices.Concat(r.Inputs, []Field{{"trajectory", "the steps so far"}})
	asked := []string{"Your input fields are:", numbered(shown), "Your output fields are:", numbered(fields)}
	reminder := []string{"Reply with one JSON object of the output fields."}
	system := slices.Concat(asked, reminder, prompts, []string{r.Instructions})
	user := maps.Clone(inputs)
	user["trajectory"] = trajectory
	content, err := r.LM(strings.Join(system, "\n"), string(encode(user)))
	if err != nil {
		return nil, err
	}
	reply, values := object{}, object{}
	if err := decode([]byte(content), &reply); err != nil {
		return nil, fmt.Errorf("the LM's reply is not JSON: %w", err)
	}
	for _, field := range fields {
		value, given := reply[field.Name]
		if !given {
			return nil, fmt.Errorf("the LM's reply has no field '%s'", field.Name)
		}
		values[field.Name] = value
	}
	return values, nil
}

func numbered(fields []Field) string {
	lines := []string{}
	for index, field := range fields {
		lines = append(lines, fmt.Sprintf("%d. `%s`: %s", index+1, field.Name, field.Description))
	}
	return strings.Join(lines, "\n")
}

func refuseDuplicates(kind string, names []string) error {
	for index, name := range names {
		if slices.Contains(names[:index], name) {
			return fmt.Errorf("two %ss are called '%s'", kind, name)
		}
	}
	return nil
}

// ---------------------------------------------------------------- ... to here

// What the kit describes of a case.
type Case struct {
	Signature struct {
		Inputs, Outputs []Field
		Instructions    string
	}
	Tools []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	Options  struct{ Max_steps int }
	LM       struct{ Base_url, Api_key, Model string }
	ToolsURL string `json:"tools_url"`
}

// An instance of the library, from what the kit describes.
func construct(params json.RawMessage) (*ToyReAct, error) {
	var given Case
	given.Options.Max_steps = defaultMaxSteps // stays, where the kit says null
	must(decode(params, &given))
	signature, maxSteps := given.Signature, given.Options.Max_steps
	agent := &ToyReAct{signature.Inputs, signature.Outputs, signature.Instructions, nil, maxSteps, nil}
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
		agent.Tools = append(agent.Tools, Tool{tool.Name, string(encode(tool)), run})
	}
	// The kit's LM: an OpenAI-compatible endpoint. Whatever it refuses must not be asked again.
	agent.LM = func(system, user string) (string, error) {
		messages := []object{{"role": "system", "content": system}, {"role": "user", "content": user}}
		var reply struct {
			Choices []struct{ Message struct{ Content string } }
		}
		body := object{"model": given.LM.Model, "messages": messages}
		if err := post(given.LM.Base_url+"/chat/completions", body, given.LM.Api_key, &reply); err != nil {
			return "", err
		}
		if len(reply.Choices) == 0 {
			return "", errors.New("the LM's answer has no choices")
		}
		return reply.Choices[0].Message.Content, nil
	}
	return agent, agent.Validate()
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
func call(agent *ToyReAct, params json.RawMessage) object {
	var given struct {
		Inputs    object
		Max_steps int
	}
	given.Max_steps = agent.MaxSteps
	must(decode(params, &given))
	outputs, trajectory, err := agent.Call(given.Inputs, given.Max_steps)
	if err != nil {
		return object{"status": "error", "error": object{"type": "error", "message": err.Error()}}
	}
	return object{"status": "ok", "outputs": outputs, "trajectory": trajectory, "trajectory_format": "list"}
}

func main() {
	var agent *ToyReAct
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
			answer["result"] = call(agent, request.Params)
		default:
			if agent, err = construct(request.Params); err != nil {
				answer["error"] = object{"code": -32001, "message": err.Error()}
			} else {
				answer["result"] = object{"instance": "1"}
			}
		}
		fmt.Println(string(encode(answer)))
	}
}
