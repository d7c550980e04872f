"""`python -m docs_site`: the site, in build/docs/site."""

import sys

from docs_site.places import ROOT, Unplaced
from docs_site.requirements import read_reports
from docs_site.site import BrokenSite, build, pages

#: Where `make conformance` leaves the reports of the subjects.
_REPORTS = ROOT / "build" / "conformance"
_FOLDER = ROOT / "build" / "docs"

if __name__ == "__main__":
    try:
        build(pages(read_reports(_REPORTS)), _FOLDER)
    except (Unplaced, BrokenSite) as error:
        sys.exit(str(error))
    print(f"The site is {_FOLDER / 'site' / 'index.html'}; with its search, after")
    print(f"python3 -m http.server -d {_FOLDER / 'site'}, at http://127.0.0.1:8000")
