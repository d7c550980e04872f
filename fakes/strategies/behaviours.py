"""What tools do when they are run."""

from hypothesis import strategies as st
from pydantic import JsonValue

from react_tck.fakes.strategies.texts import escapable_texts, injections, texts
from react_tck.model.tool import Behaviour, Mutates, Raises, Reports, Returns, ReturnsOddity

_VALUES: tuple[JsonValue, ...] = (None, 0, 828, 0.125, True, False, "", [], {}, ["Dubai", 828, None], {"a": {"b": 1}})


def behaviours() -> st.SearchStrategy[tuple[Behaviour, ...]]:
    """Up to two runs' behaviour; none is the default one."""
    return st.lists(_ONE, max_size=2).map(tuple)


_ONE: st.SearchStrategy[Behaviour] = st.one_of(
    st.just(Reports()),
    st.sampled_from(_VALUES).map(lambda value: Returns(value=value)),
    escapable_texts().map(lambda text: Returns(value=text)),
    injections().map(lambda text: Returns(value=text)),
    injections().map(lambda text: Returns(value=text)),
    texts().map(lambda message: Raises(message=message)),
    st.sampled_from([ReturnsOddity(oddity=oddity) for oddity in ("bytes", "object", "set", "nan")]),
    st.just(Mutates()),
)
