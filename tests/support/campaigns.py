"""Small campaigns, and what they say: the same for all workers."""

from typing import Any

from react_tck.fuzz.campaign import Campaign
from react_tck.fuzz.parser.campaign import ParserCampaign
from react_tck.fuzz.parser.shards import introduce_parser
from react_tck.fuzz.progress import UnheardSearch
from react_tck.fuzz.shards import Budget, Named, Quarry
from react_tck.fuzz.state import CampaignState
from react_tck.processes.workers.workers import Workers

#: Four shards; no more attempts than show that findings get smaller.
BUDGET = Budget(examples=24, shard=6, attempts=8)


def said(
    name: str, workers: Workers, state: CampaignState | None = None, budget: Budget = BUDGET, **quarry: Any
) -> str:
    """All that a campaign says of the subject."""
    hunted = Quarry(**{"profiles": ("robustness",), **quarry})
    campaign = Campaign(Named(name), budget, UnheardSearch(), hunted, workers=workers, state=state, is_charted=True)
    found = [(each.requirement_id, each.sighting.model_dump(mode="json")) for each in campaign.findings()]
    charted = [behaviour.model_dump() for behaviour in campaign.behaviours]
    return ascii((found, campaign.examples, sorted(campaign.in_play.items()), charted))


def read(name: str, workers: Workers) -> str:
    """All that a campaign says of the parser, of three shards."""
    manifest = next(workers.map(introduce_parser, [Named(name)]))
    campaign = ParserCampaign(Named(name), Budget(120, shard=50), manifest=manifest, workers=workers)
    return ascii((campaign.findings(), campaign.shown))
