"""Causes in whose rows the call departs in the same way are one fault, told by what is due anyway.

Who asks for the answer too early behind any tool does so behind one that raised, too: whether that would be done
rightly is judged when the other is mended. A call that ends with an error is one with those that end with the same.
"""

import re
from collections.abc import Collection, Mapping, Sequence

from react_tck.judges.oracle.blame import is_due_anyway
from react_tck.model.requirement import DECLARED_OTHERWISE
from react_tck.results.symptoms import OUTCOMES, Symptom, Traced, collect_roots, join_wider, measure_cause

#: Of what an error says, all that is of the case: from the first quote, number or value on.
_OF_THE_CASE = re.compile(r"[\"'`\d{\[(<~].*", re.DOTALL)
_ENDS_WITH = "ends with "


def join_same_ways(
    traced: Sequence[Traced], by_row: Mapping[str, Sequence[Symptom]], sure: Collection[str]
) -> list[Traced]:
    """A cause that departs in one way alone is the wider one's that is sure and departs so, too.

    A departure that is seen only where something is declared otherwise is no second cause beside that.
    """
    roots = collect_roots(traced)
    ways = {id_: _sort_by_ways(mine, by_row) for id_, mine in roots.items()}
    joined: dict[str, str] = {}
    for id_, mine in roots.items():
        if DECLARED_OTHERWISE in {*roots} & {*sure} and all(_is_declared_otherwise(each, by_row) for each in mine):
            joined[id_] = DECLARED_OTHERWISE
            continue
        way = next(iter(ways[id_])) if len(ways[id_]) == 1 else ""
        alike = {other: found[way] for other, found in ways.items() if way and way in found}
        wider = [other for other in alike if other in sure and _may_tell(other, id_, way, alike)]
        joined |= {id_: max(wider, key=lambda other: _measure_way(other, way, alike[other]))} if wider else {}
    return [join_wider(each, joined, roots) for each in traced]


def _sort_by_ways(roots: Sequence[Symptom], by_row: Mapping[str, Sequence[Symptom]]) -> dict[str, list[Symptom]]:
    ways: dict[str, list[Symptom]] = {}
    for symptom in roots:
        ways.setdefault(_find_way(symptom, by_row[symptom.row]), []).append(symptom)
    return ways


def _is_declared_otherwise(departure: Symptom, by_row: Mapping[str, Sequence[Symptom]]) -> bool:
    """Whether the row shows no later that something is declared otherwise; what a sentence says stands by itself."""
    said = (each for each in by_row[departure.row] if each.is_contradiction and not departure.is_contradiction)
    return departure.is_departure and any(each.result.moment is None or each.precedes(departure) for each in said)


def _find_way(symptom: Symptom, found: Sequence[Symptom]) -> str:
    """How the call departed in the row, no later than what is seen there: what it did, or with what error it ended.

    Where nothing is predicted, it is that error, too.
    """
    departures = (each for each in found if each.is_departure and not each.is_contradiction)
    earlier = [each for each in departures if each is symptom or _may_be_first(each, symptom)]
    if not earlier:
        return "" if any(each.is_departure for each in found) else _describe_error(symptom)
    first = min(earlier, key=lambda each: each.result.moment or 0)
    return _describe_error(first) or ("" if first.result.kind in OUTCOMES else first.result.kind)


def _may_be_first(departure: Symptom, other: Symptom) -> bool:
    """Whether the other is seen no earlier; how a reply is taken that is declared otherwise, no later."""
    if other.is_contradiction:
        return other.result.moment is None or other.precedes(departure)
    return departure.precedes(other)


def _describe_error(seen: Symptom) -> str:
    """The error that the call ended with there, or at last if it is no event's, whatever it says of the case."""
    course = seen.result.course
    if course is None or not course.beats or (course.departure is None and course.after):
        return ""
    deed = course.beats[-1 if course.departure is None else course.departure].does
    return _OF_THE_CASE.sub("", deed).strip() if deed.startswith(_ENDS_WITH) else ""


def _may_tell(other: str, id_: str, way: str, alike: Mapping[str, Sequence[Symptom]]) -> bool:
    """Whether the other cause tells of what departs in that way: it is due anyway, and weighs as much.

    Of two that are due anyway, and of those that end with an error, it is the one that is seen in more events.
    """
    one, wider = alike[id_][0], alike[other][0]
    weighs_enough = one.is_contradiction or (wider.may_hide(one) and not wider.is_contradiction)
    may_tell = way.startswith(_ENDS_WITH) or is_due_anyway(other, way)
    is_wider = _measure_way(other, way, alike[other]) > _measure_way(id_, way, alike[id_])
    return weighs_enough and may_tell and is_wider


def _measure_way(id_: str, way: str, roots: Sequence[Symptom]) -> tuple[bool, int, bool, int, str]:
    is_plain = not way.startswith(_ENDS_WITH) and is_due_anyway(id_, way)
    return is_plain, *measure_cause(roots), roots[0].rank, id_
