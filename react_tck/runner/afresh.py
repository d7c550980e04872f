"""`python -m react_tck.runner.afresh SUBJECT`: an episode as JSON in, its record as JSON out."""

import json
import sys

from react_tck.model.episode import Episode
from react_tck.runner.session import play
from react_tck.subjects.catalogue import resolve


def main() -> None:
    """Play the episode of the standard input."""
    episode = Episode.model_validate_json(sys.stdin.read())
    output, sys.stdout = sys.stdout, sys.stderr  # a subject may print
    # In ASCII, which can say half a surrogate pair.
    json.dump(play(resolve(sys.argv[1]), episode).model_dump(mode="json"), output)


if __name__ == "__main__":
    main()
