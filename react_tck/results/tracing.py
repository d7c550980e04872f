"""What made each symptom of a row: looked for in that row, and held against what the other rows show."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from react_tck.model.requirement import DECLARED_OTHERWISE
from react_tck.results.known_faults import Known
from react_tck.results.symptoms import OUTCOMES, Symptom, Traced, collect_roots, join_wider, measure_cause
from react_tck.results.ways import join_same_ways


def trace_symptoms(by_row: Mapping[str, Sequence[Symptom]], known: Known) -> list[Traced]:
    """Every symptom, and the one that made it."""
    sure = frozenset(id_ for found in by_row.values() for id_ in _find_sure(found, known))
    traced = [each for found in by_row.values() for each in _trace_row(found, sure, known)]
    joined = _join_same_events(_join_parts(_part_what_several_made(traced), by_row, sure), by_row, sure)
    return join_same_ways(joined, by_row, sure)


def _find_sure(found: Sequence[Symptom], known: Known) -> Iterator[str]:
    """The requirements of which the row alone says that they are violated."""
    sentence = next((symptom for symptom in found if symptom.is_own), None)
    if sentence is None:
        yield from (each.symptom.requirement_id for each in _trace_row(found, (), known) if each.is_root)
    elif not any(_find_makers(sentence, found, known)):
        yield sentence.requirement_id


def _trace_row(found: Sequence[Symptom], sure: Collection[str], known: Known) -> Iterator[Traced]:
    """What made each symptom of a row: what its sentence says, and else what was seen first."""
    sentence = next((symptom for symptom in found if symptom.is_own), None)
    if sentence is None:
        seen = sorted(found, key=_place_in_row)
        for symptom in found:
            yield Traced(symptom, next(each for each in seen if each is symptom or _leads_to(each, symptom)))
        return
    makers = _find_makers(sentence, found, known)
    known_to_be = {*sure, DECLARED_OTHERWISE}
    first = next((m for m in makers if known_to_be & {m.requirement_id, *m.result.part_of}), sentence)
    for symptom in found:
        is_second = symptom.is_own or not symptom.is_invariant or _brings(first, symptom, found)
        yield Traced(symptom, first if is_second else symptom)


def _brings(root: Symptom, invariant: Symptom, found: Sequence[Symptom]) -> bool:
    """Whether what broke the invariant is what made the row's sentence fail, or came of it.

    Where the oracle saw either, it says when. What is declared otherwise is no event's.
    """
    begun = (root, *_list_departures(root, found))
    ended = _list_departures(invariant, found) or [invariant]
    is_later = any(first.precedes(other) for first in begun for other in ended)
    return is_later or invariant.requirement_id == DECLARED_OTHERWISE


def _list_departures(symptom: Symptom, found: Sequence[Symptom]) -> list[Symptom]:
    return [each for each in found if each.requirement_id == symptom.requirement_id and each.is_departure]


def _find_makers(sentence: Symptom, found: Sequence[Symptom], known: Known) -> Iterator[Symptom]:
    """What judges saw of other requirements that may have made the sentence fail, the first first.

    Where a judge says the same as the sentence, that is only an earlier departure.
    """
    seen = sorted((symptom for symptom in found if not symptom.is_own), key=_place_in_row)
    same = next((each for each in seen if each.requirement_id == sentence.requirement_id), None)
    for each in seen:
        if each is same:
            return
        is_earlier = each.is_departure and (each.is_contradiction or _place_in_row(each) != _place_in_row(same or each))
        if _is_made(sentence, each, known) and (same is None or is_earlier):
            yield each


def _place_in_row(symptom: Symptom) -> tuple[bool, int, int]:
    """What no event shows comes last; of what one event shows, that the call departs comes first.

    Of what is wrong with an outcome, an invariant says more than that another end was due.
    """
    moment = symptom.result.moment
    is_end = symptom.result.kind in OUTCOMES
    return moment is None or is_end, moment or 0, 2 if is_end else 0 if symptom.is_departure else 1


def _leads_to(first: Symptom, other: Symptom) -> bool:
    """Whether what judges saw first in a row explains what they saw next."""
    if first.is_invariant and other.result.kind in OUTCOMES:
        return first.may_hide(other) and first.result.moment in (None, other.result.moment)
    return first.is_departure and first.may_explain(other)


def _is_made(sentence: Symptom, seen: Symptom, known: Known) -> bool:
    """Whether what a judge saw made the sentence fail.

    That is: a departure no later, something wrong in the very event, a fault that is known to make it fail, or that the
    same choice isn't as declared. What is a part of what the sentence says makes it not fail.
    """
    if not seen.may_hide(sentence) or sentence.requirement_id in seen.result.part_of:
        return False
    if seen.is_departure:
        return seen.may_explain(sentence)
    is_same_event = seen.result.moment is not None and seen.result.moment == sentence.result.moment
    is_same_choice = seen.requirement_id == DECLARED_OTHERWISE and seen.result.kind == sentence.result.kind
    return is_same_event or is_same_choice or known.fails_sentence(seen.requirement_id, sentence)


def _part_what_several_made(traced: Sequence[Traced]) -> list[Traced]:
    """An invariant that isn't met stands beside one lighter cause, which made all that is held of it, or is its own.

    What a heavier one made elsewhere is held against nobody else.
    """
    roots: dict[str, set[str]] = {}
    for each in traced:
        if each.is_held or each.is_root:
            roots.setdefault(each.symptom.requirement_id, set()).add(each.root.requirement_id)
    return [
        Traced(each.symptom, each.symptom) if each.is_held and len(roots[each.symptom.requirement_id]) > 1 else each
        for each in traced
    ]


def _join_parts(
    traced: Sequence[Traced], by_row: Mapping[str, Sequence[Symptom]], sure: Collection[str]
) -> list[Traced]:
    """A cause that is a part of another wherever it is seen is that one's, if the other is sure.

    Of a lighter one only an invariant is a part, which stands beside it.
    """
    roots = collect_roots(traced)
    wholes: dict[str, str] = {}
    for id_, mine in roots.items():
        common = set.intersection(*({*_list_wholes(symptom, by_row)} for symptom in mine)) & {*sure} & roots.keys()
        fitting = [whole for whole in common - {id_} if mine[0].is_invariant or roots[whole][0].may_hide(mine[0])]
        wholes |= {id_: max(fitting, key=lambda whole: (measure_cause(roots[whole]), whole))} if fitting else {}
    return [join_wider(each, wholes, roots) for each in traced]


def _list_wholes(symptom: Symptom, by_row: Mapping[str, Sequence[Symptom]]) -> Iterator[str]:
    """Of what the symptom is a part.

    A sentence is of what judges saw of its requirement no later, or of what was departed from then.
    """
    yield from symptom.result.part_of
    for each in by_row[symptom.row] if symptom.is_own else ():
        is_about_it = each.requirement_id == symptom.requirement_id or each.is_departure
        yield from each.result.part_of if is_about_it and not each.is_own and each.precedes(symptom) else ()


def _join_same_events(
    traced: Sequence[Traced], by_row: Mapping[str, Sequence[Symptom]], sure: Collection[str]
) -> list[Traced]:
    """What is seen only in events in which another cause is seen, which is seen in more of them, is that cause's.

    Of as many events it is a sentence's rather than an invariant's, and what is declared otherwise is by itself.
    """
    roots = collect_roots(traced)
    joined: dict[str, str] = {}
    largest_first = sorted(roots, key=lambda id_: measure_cause(roots[id_]), reverse=True)
    for number, id_ in enumerate(largest_first):
        larger = [other for other in largest_first[:number] if other in {*sure} - {*joined, DECLARED_OTHERWISE}]
        if any(symptom.is_contradiction for symptom in roots[id_]):
            larger = [other for other in larger if _may_make(other, traced)]
        wider = next((other for other in larger if all(_find_same(s, other, by_row) for s in roots[id_])), None)
        joined |= {id_: wider} if wider else {}
    return [_join_symptom(each, joined, by_row) for each in traced]


def _may_make(requirement_id: str, traced: Sequence[Traced]) -> bool:
    """Whether a cause is seen in more events than what is declared otherwise, and weighs what that made."""
    seen = [each.symptom for each in traced if each.symptom.requirement_id == requirement_id]
    said = [each.symptom for each in traced if each.symptom.is_contradiction]
    made = [each.symptom for each in traced if each.root.is_contradiction and not each.symptom.is_contradiction]
    is_wider = measure_cause(seen)[0] > measure_cause(said)[0]
    return is_wider and all(seen[0].may_hide(symptom) for symptom in made)


def _find_same(symptom: Symptom, requirement_id: str, by_row: Mapping[str, Sequence[Symptom]]) -> Symptom | None:
    """What is seen of another requirement, as heavy, in the symptom's event or the end that it is about."""
    others = (each for each in by_row[symptom.row] if each.requirement_id == requirement_id)
    if symptom.is_contradiction:
        return next((each for each in others if symptom.result.moment is None or each.precedes(symptom)), None)
    return next((each for each in others if each.may_hide(symptom) and _is_same_event(symptom, each)), None)


def _is_same_event(one: Symptom, other: Symptom) -> bool:
    if one.is_invariant and (other.result.kind in OUTCOMES or (one.result.kind in OUTCOMES and other.is_own)):
        return True
    return one.result.moment is not None and one.result.moment == other.result.moment


def _join_symptom(each: Traced, joined: Mapping[str, str], by_row: Mapping[str, Sequence[Symptom]]) -> Traced:
    wider = joined.get(each.root.requirement_id)
    found = _find_same(each.root, wider, by_row) if wider else None
    return Traced(each.symptom, found) if found else each
