"""`python -m docs_site`: the site, in build/docs/site."""

import sys

from docs_site.site import ROOT, BrokenSite, build, list_pages

_FOLDER = ROOT / "build" / "docs"

if __name__ == "__main__":
    try:
        build(list_pages(), _FOLDER)
    except BrokenSite as error:
        sys.exit(str(error))
    print(f"The site is {_FOLDER / 'site' / 'index.html'}; with its search, after")
    print(f"python3 -m http.server -d {_FOLDER / 'site'}, at http://127.0.0.1:8000")
