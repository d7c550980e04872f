"""Made-up packages of a library called toy-react, and places to install them from without a network.

Release 2 of it loses the thoughts of an agent's steps.
"""

import hashlib
import io
import json
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from zipfile import ZipFile

VERSIONS = ("1.0.0", "2.0.0")


def wheel(folder: Path, name: str, version: str, code: str) -> None:
    """A wheel with one module."""
    module = name.replace("-", "_")
    information = f"{module}-{version}.dist-info"
    with ZipFile(folder / f"{module}-{version}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{module}.py", code)
        archive.writestr(f"{information}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{information}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{information}/RECORD", "")


def tarball(version: str) -> bytes:
    """The package for Node."""
    files = {
        "package.json": json.dumps({"name": "toy-react", "version": version, "main": "index.js"}),
        "index.js": f"exports.kept = (thought) => {'thought' if version == VERSIONS[0] else repr('')};\n",
    }
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    return out.getvalue()


@contextmanager
def npm_registry() -> Iterator[str]:
    """The address of a registry that has the package, on this machine."""
    tarballs = {f"/toy-react-{version}.tgz": tarball(version) for version in VERSIONS}

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = tarballs.get(self.path) or (_packument(tarballs, f"http://{self.headers['Host']}"))
            self.send_response(200 if self.path in tarballs or self.path == "/toy-react" else 404)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _packument(tarballs: Mapping[str, bytes], address: str) -> bytes:
    versions = {
        version: {
            "name": "toy-react",
            "version": version,
            "dist": {"tarball": f"{address}{path}", "shasum": hashlib.sha1(content).hexdigest()},
        }
        for version, (path, content) in zip(VERSIONS, tarballs.items(), strict=True)
    }
    return json.dumps({"name": "toy-react", "dist-tags": {"latest": VERSIONS[-1]}, "versions": versions}).encode()
