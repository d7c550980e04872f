"""`python -m benchmarks`: prints every measurement with the bound it is meant to keep."""

import statistics

from benchmarks import caching, commands, episodes, fuzzing, parsing, roundtrip, supervision
from benchmarks.pairs import Pair, pair
from benchmarks.prefix import together
from react_tck.suite.features import load_features

_ROUNDS = 60
_COMMAND_ROUNDS = 5


def main() -> None:
    """Measure and print."""
    print("An episode of three steps and extraction, median of", _ROUNDS, "rounds, milliseconds")
    for subject in ("reference", "dspy"):
        measured = pair(episodes.through_the_kit(subject), episodes.straight(subject), _ROUNDS)
        _print_pair(f"{subject}: kit / subject alone", measured, "1.5")
    calls = pair(episodes.call_only("reference"), episodes.call_only("dspy"), _ROUNDS)
    _print_pair("call: reference / dspy.ReAct", calls, "0.5")
    with roundtrip.on_one_processor(), roundtrip.through_the_client() as client, roundtrip.through_a_pipe() as pipe:
        _print_pair(f"{roundtrip.CALLS} calls: stdio client / bare pipe", pair(client, pipe, _ROUNDS), "1.5")
    _print_caching()
    _print_fuzzing()
    _print_parsing()
    print("\nWhole commands,", _COMMAND_ROUNDS, "rounds, seconds (minimum, median, maximum)")
    _print_command(["--help"], "0.25")
    _print_command(["smoke", "reference"], "2")
    median = _print_command(["run", "reference"], "6")
    scenarios = sum(sum(1 for _ in scenario.expanded()) for scenario in load_features())
    print("\n".join(supervision.rows()))
    print(f"scenarios per second of the core run, start-up included: {scenarios / median:.0f}")


def _print_parsing() -> None:
    rate = parsing.fuzzed_a_second()
    print(f"  {'texts of the chat parser fuzzed a second':<40} {rate:7.0f}   (at least 2000)")


def _print_fuzzing() -> None:
    measured = fuzzing.bare_and_fuzz()
    bare, kit = (fuzzing.EXAMPLES / statistics.median(times) for times in (measured.measured, measured.compared))
    print("\nFuzzing the reference, examples per second")
    name = "fuzz / a bare Hypothesis loop"
    print(f"  {name:<40} {kit:7.0f} / {bare:7.0f} = {measured.ratio:.2f}   (at least 0.60)")


def _print_caching() -> None:
    print(
        "\nPrompt-cache friendliness: the share of each request that repeats, byte for byte, how the one before began"
    )
    print(f"  {'two turns of four tool calls':<30} {'turn 1':>7} {'turn 2':>7} {'bytes':>9} {'not repeated':>13}")
    for row in caching.rows():
        print(f"  {row}" if isinstance(row, str) else f"  {_caching(row)}")


def _caching(row: caching.Row) -> str:
    second = f"{row.second_turn.share:.0%}" if row.second_turn else "–"
    whole = together(turn for turn in (row.first_turn, row.second_turn) if turn)
    return f"{row.name:<30} {row.first_turn.share:>7.0%} {second:>7} {whole.total:>9,} {whole.fresh:>13,}"


def _print_pair(name: str, measured: Pair, bound: str) -> None:
    one, other = (statistics.median(times) * 1000 for times in (measured.measured, measured.compared))
    print(f"  {name:<40} {one:7.2f} / {other:7.2f} = {measured.ratio:.2f}   (at most {bound})")


def _print_command(arguments: list[str], bound: str) -> float:
    times = commands.seconds(arguments, _COMMAND_ROUNDS)
    median = statistics.median(times)
    figures = f"{min(times):.2f}, {median:.2f}, {max(times):.2f}"
    print(f"  react-tck {' '.join(arguments):<30} {figures}   (at most {bound})")
    return median


if __name__ == "__main__":
    main()
