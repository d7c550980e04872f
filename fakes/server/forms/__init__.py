"""Forms of API: each reads requests into the words of chat completions, and writes completions in its own."""
