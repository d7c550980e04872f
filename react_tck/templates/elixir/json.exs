# The little of the JSON module of Elixir 1.18 that harness.exs uses, for older versions: it is loaded only there.
defmodule JSON do
  def decode!(text) do
    {value, rest} = value(blank(text))
    if blank(rest) == "", do: value, else: raise("more than one JSON value: #{inspect(rest)}")
  end

  def encode!(value) when is_binary(value), do: "\"" <> escaped(value) <> "\""
  def encode!(value) when value in [nil, true, false], do: if(value == nil, do: "null", else: to_string(value))
  def encode!(value) when is_atom(value), do: encode!(Atom.to_string(value))
  def encode!(value) when is_number(value), do: to_string(value)
  def encode!(value) when is_list(value), do: "[" <> Enum.map_join(value, ",", &encode!/1) <> "]"

  def encode!(value) when is_map(value) do
    "{" <> Enum.map_join(value, ",", fn {key, item} -> encode!(to_string(key)) <> ":" <> encode!(item) end) <> "}"
  end

  defp escaped(text) do
    for <<c::utf8 <- text>>, into: "" do
      cond do
        c in [?", ?\\] -> <<?\\, c>>
        c < 0x20 -> "\\u" <> String.pad_leading(Integer.to_string(c, 16), 4, "0")
        true -> <<c::utf8>>
      end
    end
  end

  defp blank(text), do: String.trim_leading(text)

  defp value("{" <> rest), do: members(blank(rest), %{})
  defp value("[" <> rest), do: items(blank(rest), [])
  defp value("\"" <> rest), do: string(rest, [])
  defp value("null" <> rest), do: {nil, rest}
  defp value("true" <> rest), do: {true, rest}
  defp value("false" <> rest), do: {false, rest}

  defp value(text) do
    case Regex.run(~r/^-?\d+(\.\d+)?([eE][-+]?\d+)?/, text) do
      nil -> raise "no JSON value: #{inspect(text)}"
      [whole] -> {String.to_integer(whole), rest(text, whole)}
      [number, "" | _] -> {String.to_float(String.replace(number, ~r/[eE]/, ".0e")), rest(text, number)}
      [number | _] -> {String.to_float(number), rest(text, number)}
    end
  end

  defp rest(text, start), do: binary_part(text, byte_size(start), byte_size(text) - byte_size(start))

  defp members("}" <> rest, found), do: {found, rest}

  defp members("\"" <> rest, found) do
    {key, rest} = string(rest, [])
    ":" <> rest = blank(rest)
    {value, rest} = value(blank(rest))
    found = Map.put(found, key, value)

    case blank(rest) do
      "," <> rest -> members(blank(rest), found)
      "}" <> rest -> {found, rest}
    end
  end

  defp items("]" <> rest, found), do: {Enum.reverse(found), rest}

  defp items(text, found) do
    {value, rest} = value(text)

    case blank(rest) do
      "," <> rest -> items(blank(rest), [value | found])
      "]" <> rest -> {Enum.reverse([value | found]), rest}
    end
  end

  @escapes %{?n => "\n", ?t => "\t", ?r => "\r", ?b => "\b", ?f => "\f"}

  defp string("\"" <> rest, found), do: {found |> Enum.reverse() |> IO.iodata_to_binary(), rest}

  # Two escapes make one character here: \ud83d\ude00.
  defp string(<<"\\u", d, h::binary-3, "\\u", low::binary-4, rest::binary>>, found)
       when d in [?d, ?D] and binary_part(h, 0, 1) in ["8", "9", "a", "b", "A", "B"] do
    code = 0x10000 + (hex(<<d>> <> h) - 0xD800) * 0x400 + hex(low) - 0xDC00
    string(rest, [<<code::utf8>> | found])
  end

  defp string(<<"\\u", code::binary-4, rest::binary>>, found), do: string(rest, [<<hex(code)::utf8>> | found])
  defp string(<<?\\, c, rest::binary>>, found), do: string(rest, [Map.get(@escapes, c, <<c>>) | found])
  defp string(<<c, rest::binary>>, found), do: string(rest, [c | found])

  defp hex(text), do: String.to_integer(text, 16)
end
