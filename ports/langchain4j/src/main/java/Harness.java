// Connects langchain4j (AiServices) to react-tck: JSON-RPC on stdin and stdout, one object a line (docs/PROTOCOL.md).

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.exception.ToolArgumentsException;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.V;
import dev.langchain4j.service.tool.ToolExecutor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

public class Harness {
    static final ObjectMapper JSON =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
    static final HttpClient HTTP = HttpClient.newHttpClient();
    // Shorter than the kit waits for a call, so that an LM that never answers is this program's error.
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    // It steps by native tool calls and answers in the last step, as JSON.
    static final String MANIFEST = """
            {"name": "langchain4j", "version": "1.19.0", "language": "java", "homepage": "https://docs.langchain4j.dev",
             "dialects": ["native", "json"], "default_dialect": "native", "default_max_steps": 100,
             "capabilities": ["value-signature", "typed-fields", "nested-fields", "concurrent-calls",
                "parallel-tool-calls", "trajectory", "history"],
             "choices": {"unknown-tool": "error", "tool-name-matching": "exact", "malformed-args": "error",
                "args-notation": "JSON only", "empty-args": "error", "schema-mismatch": "passed as given",
                "malformed-reply": "retries 0, then error", "repeated-field": "last", "cut-off-answer": "refused, or returned",
                "lm-fault": "error", "tool-error": "observe", "steps-exhausted": "error",
                "trajectory-format": "list"}}""";

    /** An AI service, as one's own programs have them: a method with a memory. */
    interface Assistant {
        @UserMessage("{{inputs}}")
        String answer(@MemoryId String call, @V("inputs") String inputs);
    }

    /** Each call has a memory of its own; it is the trajectory. */
    final Map<Object, ChatMemory> memories = new ConcurrentHashMap<>();
    final Assistant assistant;
    final JsonNode signature;

    Harness(JsonNode given) {
        signature = given.path("signature");
        JsonNode lm = given.path("lm");
        ResponseFormat format = ResponseFormat.builder()
                .type(ResponseFormatType.JSON)
                .jsonSchema(JsonSchema.builder().name("answer").rootElement(outputs()).build())
                .build();
        OpenAiChatModel model = OpenAiChatModel.builder()
                .baseUrl(lm.path("base_url").asText())
                .apiKey(lm.path("api_key").asText())
                .modelName(lm.path("model").asText())
                .responseFormat(format)
                .maxRetries(0)
                .timeout(TIMEOUT)
                .build();
        Map<ToolSpecification, ToolExecutor> tools = new LinkedHashMap<>();
        for (JsonNode tool : given.path("tools")) {
            String url = given.path("tools_url").asText() + "/" + tool.path("name").asText();
            tools.put(specification(tool), (request, memory) -> run(url, request));
        }
        AiServices<Assistant> service = AiServices.builder(Assistant.class)
                .chatModel(model)
                .systemMessageProvider(memory -> system())
                .chatMemoryProvider(memories::get)
                .tools(tools);
        JsonNode limit = given.path("options").path("max_steps");
        if (!limit.isNull()) {
            service.maxToolCallingRoundTrips(limit.asInt());
        }
        assistant = service.build();
    }

    /** What the kit reads: the output fields by name, and that the answer is JSON. */
    String system() {
        return signature.path("instructions").asText()
                + "\nYour input fields are:" + listed("inputs")
                + "\nYour output fields are:" + listed("outputs")
                + "\nUse the tools as long as you need them. Then answer with one JSON object of the output fields.";
    }

    String listed(String fields) {
        StringBuilder text = new StringBuilder();
        int number = 0;
        for (JsonNode field : signature.path(fields)) {
            text.append("\n%d. `%s`: %s".formatted(
                    ++number, field.path("name").asText(), field.path("description").asText()));
        }
        return text.toString();
    }

    JsonObjectSchema outputs() {
        JsonObjectSchema.Builder schema = JsonObjectSchema.builder();
        List<String> names = new ArrayList<>();
        for (JsonNode field : signature.path("outputs")) {
            names.add(field.path("name").asText());
            schema.addProperty(names.get(names.size() - 1), JsonRawSchema.from(field.path("json_schema").toString()));
        }
        return schema.required(names).build();
    }

    static ToolSpecification specification(JsonNode tool) {
        JsonObjectSchema.Builder schema = JsonObjectSchema.builder();
        JsonNode parameters = tool.path("parameters");
        parameters.path("properties").properties().forEach(
                each -> schema.addProperty(each.getKey(), JsonRawSchema.from(each.getValue().toString())));
        List<String> required = new ArrayList<>();
        parameters.path("required").forEach(name -> required.add(name.asText()));
        Map<String, JsonRawSchema> definitions = new LinkedHashMap<>();
        parameters.path("$defs").properties().forEach(
                each -> definitions.put(each.getKey(), JsonRawSchema.from(each.getValue().toString())));
        if (!definitions.isEmpty()) {
            schema.definitions(new LinkedHashMap<>(definitions));
        }
        return ToolSpecification.builder()
                .name(tool.path("name").asText())
                .description(tool.path("description").asText())
                .parameters(schema.required(required).build())
                .build();
    }

    /** A tool whose run is the kit's: it is told of the call, and gives the result or the error. */
    static String run(String url, ToolExecutionRequest request) {
        JsonNode args;
        try {
            args = JSON.readTree(request.arguments());
        } catch (IOException error) {
            throw new ToolArgumentsException(error);
        }
        if (!args.isObject()) {
            throw new ToolArgumentsException("the arguments are no JSON object: " + request.arguments());
        }
        try {
            HttpRequest post = HttpRequest.newBuilder(URI.create(url))
                    .POST(HttpRequest.BodyPublishers.ofString(args.toString()))
                    .build();
            JsonNode reply = JSON.readTree(HTTP.send(post, HttpResponse.BodyHandlers.ofString()).body());
            if (reply.has("error")) {
                throw new IllegalStateException(reply.path("error").asText());
            }
            JsonNode result = reply.path("result");
            return result.isTextual() ? result.asText() : result.toString();
        } catch (IOException | InterruptedException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Call it and say how that ended. Whatever the library throws is an outcome too. */
    ObjectNode call(JsonNode params) {
        ObjectNode outcome = JSON.createObjectNode();
        String call = UUID.randomUUID().toString();
        ChatMemory memory = MessageWindowChatMemory.withMaxMessages(10_000);
        params.path("history").forEach(turn -> {
            memory.add(dev.langchain4j.data.message.UserMessage.from(only("inputs", turn)));
            memory.add(AiMessage.from(only("outputs", turn)));
        });
        memories.put(call, memory);
        try {
            JsonNode answer = JSON.readTree(assistant.answer(call, params.path("inputs").toString()));
            ObjectNode outputs = JSON.createObjectNode();
            for (JsonNode field : signature.path("outputs")) {
                outputs.set(field.path("name").asText(), answer.required(field.path("name").asText()));
            }
            outcome.put("status", "ok").set("outputs", outputs);
        } catch (Exception error) {
            outcome.put("status", "error").putObject("error")
                    .put("type", error.getClass().getName()).put("message", String.valueOf(error.getMessage()));
        }
        outcome.put("trajectory_format", "list").set("trajectory", trajectory(memory));
        return outcome;
    }

    String only(String fields, JsonNode turn) {
        ObjectNode found = JSON.createObjectNode();
        signature.path(fields).forEach(field -> {
            String name = field.path("name").asText();
            if (turn.has(name)) {
                found.set(name, turn.path(name));
            }
        });
        return found.toString();
    }

    /** The tools that ran, each beside what the model said with the call. */
    static ArrayNode trajectory(ChatMemory memory) {
        ArrayNode steps = JSON.createArrayNode();
        Map<String, ObjectNode> waiting = new LinkedHashMap<>();
        for (ChatMessage message : memory.messages()) {
            if (message instanceof AiMessage said) {
                said.toolExecutionRequests().forEach(request -> waiting.put(request.id(), JSON.createObjectNode()
                        .put("thought", said.text())
                        .put("tool_name", request.name())
                        .put("tool_args", request.arguments())));
            } else if (message instanceof ToolExecutionResultMessage result) {
                steps.add(waiting.get(result.id()).put("observation", result.text()));
            }
        }
        return steps;
    }

    public static void main(String[] unused) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Harness harness = null;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonNode request = JSON.readTree(line);
            JsonNode params = request.path("params");
            ObjectNode answer = JSON.createObjectNode().put("jsonrpc", "2.0");
            answer.set("id", request.path("id"));
            switch (request.path("method").asText()) {
                case "initialize" -> answer.set("result", JSON.readTree(MANIFEST));
                case "call" -> answer.set("result", harness.call(params));
                case "calls" -> answer.putObject("result").set("outcomes", together(harness, params.path("calls")));
                default -> {
                    try {
                        harness = new Harness(params);
                        answer.putObject("result").put("instance", "1");
                    } catch (RuntimeException error) {
                        answer.putObject("error").put("code", -32001).put("message", String.valueOf(error.getMessage()));
                    }
                }
            }
            out.println(answer);
        }
    }

    static ArrayNode together(Harness harness, JsonNode calls) {
        List<CompletableFuture<ObjectNode>> running = new ArrayList<>();
        var threads = Executors.newFixedThreadPool(calls.size());
        calls.forEach(each -> running.add(CompletableFuture.supplyAsync(() -> harness.call(each), threads)));
        ArrayNode outcomes = JSON.createArrayNode();
        running.forEach(each -> outcomes.add(each.join()));
        threads.shutdown();
        return outcomes;
    }
}
