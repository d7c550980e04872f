package agent

// A small agent: JSON replies, a request a step. `wrong` runs every tool twice.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
)

type tools = map[string]func(map[string]any) (any, error)
type call = func(map[string]any) (map[string]any, error)

func right(baseURL, _ string, _ map[string]any, tools tools) (call, error) {
	return func(given map[string]any) (map[string]any, error) { return run(baseURL, given, tools, 1) }, nil
}

func wrong(baseURL, _ string, _ map[string]any, tools tools) (call, error) {
	return func(given map[string]any) (map[string]any, error) { return run(baseURL, given, tools, 2) }, nil
}

func run(baseURL string, given map[string]any, tools tools, times int) (map[string]any, error) {
	messages := []string{fmt.Sprint(given["inputs"])}
	for {
		step, err := ask(baseURL, messages)
		if err != nil {
			return nil, err
		}
		if step["next_tool_name"] == "finish" {
			break
		}
		var observation any
		for range times {
			if observation, err = tools[step["next_tool_name"].(string)](step["next_tool_args"].(map[string]any)); err != nil {
				return nil, err
			}
		}
		messages = append(messages, fmt.Sprint(observation))
	}
	answer, err := ask(baseURL, messages)
	return map[string]any{"answer": answer["answer"]}, err
}

func ask(baseURL string, messages []string) (map[string]any, error) {
	body, _ := json.Marshal(messages)
	response, err := http.Post(baseURL+"/chat/completions", "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var reply struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		return nil, err
	}
	if len(reply.Choices) == 0 {
		return nil, fmt.Errorf("the LM answered %s", response.Status)
	}
	var step map[string]any
	err = json.Unmarshal([]byte(reply.Choices[0].Message.Content), &step)
	return step, err
}
