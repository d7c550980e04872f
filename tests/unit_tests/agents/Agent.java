// A small agent: JSON replies, a request a step. `wrong` runs every tool twice. It finds in a reply what it looks for
// by the quotes around it, which a library that reads JSON would do better.

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.function.BiFunction;
import java.util.function.Function;

class Agent {
    static Function<String, String> right(String url, String key, String task, BiFunction<String, String, String> tools) {
        return given -> call(url, given, tools);
    }

    static Function<String, String> wrong(String url, String key, String task, BiFunction<String, String, String> tools) {
        return given -> call(url, given, (name, args) -> {
            tools.apply(name, args);
            return tools.apply(name, args);
        });
    }

    static String call(String url, String given, BiFunction<String, String, String> tools) {
        String said = given;
        while (true) {
            String step = ask(url, said);
            String name = after(step, "\"next_tool_name\": \"").split("\"")[0];
            if (name.equals("finish")) {
                break;
            }
            String args = after(step, "\"next_tool_args\": ").split("}")[0] + "}";
            said += tools.apply(name, args);
        }
        return "{\"answer\": \"" + after(ask(url, said), "\"answer\": \"").split("\"")[0] + "\"}";
    }

    static String after(String text, String what) {
        int at = text.indexOf(what);
        if (at < 0) {
            throw new IllegalStateException("the LM gave no " + what);
        }
        return text.substring(at + what.length());
    }

    static String ask(String url, String said) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/chat/completions"))
                .POST(HttpRequest.BodyPublishers.ofString(said)).build();
        try {
            String reply = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
            return reply.replace("\\\"", "\"");
        } catch (java.io.IOException | InterruptedException error) {
            throw new IllegalStateException(error);
        }
    }
}
