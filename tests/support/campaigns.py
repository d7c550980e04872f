"""Small campaigns, and what they say: the same for all workers."""

import re
from typing import Any

from react_tck.fuzz.campaign import Campaign, SilentSearchListener
from react_tck.fuzz.parser_search import ParserCampaign, introduce_parser
from react_tck.fuzz.shards import Budget, NamedSubject, SearchScope
from react_tck.fuzz.state import CampaignState
from react_tck.processes.workers.workers import Workers

#: Four shards; no more attempts than show that findings get smaller.
BUDGET = Budget(examples=24, shard=6, attempts=8)
#: Ids of confirmations, which are other ones whenever a call is suspended (CNF-007).
_ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")


def said(name: str, workers: Workers, state: CampaignState | None = None, budget: Budget = BUDGET, **scope: Any) -> str:
    """All that a campaign says of the subject."""
    hunted = SearchScope(**{"profiles": ("robustness",), **scope})
    campaign = Campaign(
        NamedSubject(name),
        budget,
        SilentSearchListener(),
        hunted,
        workers=workers,
        state=state,
    )
    found = [(each.requirement_id, each.sighting.model_dump(mode="json")) for each in campaign.find_violations()]
    return _ID.sub("an id", ascii((found, campaign.examples, sorted(campaign.in_play.items()))))


def read(name: str, workers: Workers) -> str:
    """All that a campaign says of the parser, of three shards."""
    manifest = next(workers.map(introduce_parser, [NamedSubject(name)]))
    campaign = ParserCampaign(NamedSubject(name), Budget(120, shard=50), manifest=manifest, workers=workers)
    return ascii((campaign.find_differences(), campaign.shown))
