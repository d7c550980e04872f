# The little of the JSON module of Elixir 1.18 that harness.exs uses, for older versions: it is loaded only there.
defmodule JSON.DecodeError do
  defexception [:message]
end

defmodule JSON do
  @escapes %{?n => "\n", ?t => "\t", ?r => "\r", ?b => "\b", ?f => "\f", ?" => "\"", ?\\ => "\\", ?/ => "/"}
  @short_forms for {letter, <<c>>} <- @escapes, letter != ?/, into: %{}, do: {c, <<?\\, letter>>}

  def decode!(text) do
    {value, rest} = value(blank(text))
    if blank(rest) == "", do: value, else: refuse(rest)
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
      case @short_forms do
        %{^c => short} -> short
        _ when c < 0x20 -> "\\u" <> String.pad_leading(Integer.to_string(c, 16), 4, "0")
        _ -> <<c::utf8>>
      end
    end
  end

  defp refuse(""), do: raise(JSON.DecodeError, "the JSON ends too early")
  defp refuse(rest), do: raise(JSON.DecodeError, "no JSON from here on: #{inspect(rest)}")

  defp blank(<<c, rest::binary>>) when c in ' \t\r\n', do: blank(rest)
  defp blank(text), do: text

  defp value("{" <> rest) do
    case blank(rest) do
      "}" <> rest -> {%{}, rest}
      rest -> members(rest, %{})
    end
  end

  defp value("[" <> rest) do
    case blank(rest) do
      "]" <> rest -> {[], rest}
      rest -> items(rest, [])
    end
  end

  defp value("\"" <> rest), do: string(rest, [])
  defp value("null" <> rest), do: {nil, rest}
  defp value("true" <> rest), do: {true, rest}
  defp value("false" <> rest), do: {false, rest}

  defp value(text) do
    case Regex.run(~r/^-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/, text) do
      nil -> refuse(text)
      [whole] -> {String.to_integer(whole), rest(text, whole)}
      [number, "" | _] -> {float(String.replace(number, ~r/[eE]/, ".0e"), text), rest(text, number)}
      [number | _] -> {float(number, text), rest(text, number)}
    end
  end

  # Beyond what a float holds: 1e999.
  defp float(number, text) do
    String.to_float(number)
  rescue
    ArgumentError -> refuse(text)
  end

  defp rest(text, start), do: binary_part(text, byte_size(start), byte_size(text) - byte_size(start))

  defp members("\"" <> rest, found) do
    {key, rest} = string(rest, [])
    {value, rest} = rest |> blank() |> after_colon() |> value()
    found = Map.put(found, key, value)

    case blank(rest) do
      "," <> rest -> members(blank(rest), found)
      "}" <> rest -> {found, rest}
      rest -> refuse(rest)
    end
  end

  defp members(text, _found), do: refuse(text)

  defp after_colon(":" <> rest), do: blank(rest)
  defp after_colon(text), do: refuse(text)

  defp items(text, found) do
    {value, rest} = value(text)

    case blank(rest) do
      "," <> rest -> items(blank(rest), [value | found])
      "]" <> rest -> {Enum.reverse([value | found]), rest}
      rest -> refuse(rest)
    end
  end

  defp string("\"" <> rest, found), do: {found |> Enum.reverse() |> IO.iodata_to_binary(), rest}
  defp string("\\u" <> rest, found), do: escape(rest, found)
  defp string(<<?\\, c, rest::binary>>, found) when is_map_key(@escapes, c), do: string(rest, [@escapes[c] | found])
  defp string(<<c::utf8, rest::binary>>, found) when c >= 0x20 and c != ?\\, do: string(rest, [<<c::utf8>> | found])
  defp string(text, _found), do: refuse(text)

  # Two escapes make one character here: \ud83d\ude00. One of them alone is none.
  defp escape(<<high::binary-4, "\\u", low::binary-4, rest::binary>> = text, found) do
    case {hex(high, text), hex(low, text)} do
      {high, low} when high in 0xD800..0xDBFF and low in 0xDC00..0xDFFF ->
        string(rest, [<<0x10000 + (high - 0xD800) * 0x400 + low - 0xDC00::utf8>> | found])

      {single, _} ->
        single(single, "\\u" <> binary_part(text, 6, byte_size(text) - 6), found)
    end
  end

  defp escape(<<code::binary-4, rest::binary>> = text, found), do: single(hex(code, text), rest, found)
  defp escape(text, _found), do: refuse(text)

  defp single(code, rest, _found) when code in 0xD800..0xDFFF, do: refuse(rest)
  defp single(code, rest, found), do: string(rest, [<<code::utf8>> | found])

  defp hex(digits, text) do
    if digits =~ ~r/^[0-9a-fA-F]{4}$/, do: String.to_integer(digits, 16), else: refuse(text)
  end
end
