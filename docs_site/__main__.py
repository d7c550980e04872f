"""`python -m docs_site`: the site, in build/docs/site."""

import sys

from docs_site.kept_results import gather_results
from docs_site.places import ROOT, Unplaced
from docs_site.site import BrokenSite, build, pages

_FOLDER = ROOT / "build" / "docs"

if __name__ == "__main__":
    results = gather_results(ROOT)
    try:
        build(pages(results), _FOLDER)
    except (Unplaced, BrokenSite) as error:
        sys.exit(str(error))
    for how in dict.fromkeys(results.missing.values()):
        print(f"Without results of {', '.join(name for name, said in results.missing.items() if said == how)}: {how}")
    print(f"The site is {_FOLDER / 'site' / 'index.html'}; with its search, after")
    print(f"python3 -m http.server -d {_FOLDER / 'site'}, at http://127.0.0.1:8000")
