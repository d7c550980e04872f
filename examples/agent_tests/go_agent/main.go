// A support agent: it looks orders up as often as the LM asks it to, and prints the answer.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/sashabaranov/go-openai"
)

var tools = []openai.Tool{{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
	Name:        "lookup_order",
	Description: "Tells where an order is.",
	Parameters:  json.RawMessage(`{"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}`),
}}}

func lookUp(number int) string {
	if number == 17 {
		return "sent on Monday"
	}
	return "there is no such order"
}

// ask waits out a busy provider, which the client leaves to whoever has it.
func ask(client *openai.Client, request openai.ChatCompletionRequest) (openai.ChatCompletionResponse, error) {
	for try := 1; ; try++ {
		reply, err := client.CreateChatCompletion(context.Background(), request)
		var refused *openai.APIError
		if try == 3 || !errors.As(err, &refused) || refused.HTTPStatusCode != 429 {
			return reply, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func answer(client *openai.Client, question string) (string, error) {
	messages := []openai.ChatCompletionMessage{
		{Role: openai.ChatMessageRoleSystem, Content: "You answer questions about orders."},
		{Role: openai.ChatMessageRoleUser, Content: question},
	}
	for {
		reply, err := ask(client, openai.ChatCompletionRequest{Model: "any", Messages: messages, Tools: tools})
		if err != nil {
			return "", err
		}
		said := reply.Choices[0].Message
		if len(said.ToolCalls) == 0 {
			return said.Content, nil
		}
		messages = append(messages, said)
		for _, call := range said.ToolCalls {
			var args struct{ Number int }
			if err := json.Unmarshal([]byte(call.Function.Arguments), &args); err != nil {
				return "", err
			}
			messages = append(messages, openai.ChatCompletionMessage{
				Role: openai.ChatMessageRoleTool, ToolCallID: call.ID, Content: lookUp(args.Number),
			})
		}
	}
}

func main() {
	config := openai.DefaultConfig(os.Getenv("OPENAI_API_KEY"))
	config.BaseURL = os.Getenv("OPENAI_BASE_URL")
	said, err := answer(openai.NewClientWithConfig(config), os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(said)
}
