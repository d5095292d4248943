"""scripts/docs: the site has no broken link, and requests nothing from other hosts."""
import html.parser
import os
import subprocess
import tempfile
import unittest
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets, self.loaded = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src"):
                (self.targets if tag == "a" else self.loaded).append(value)


@unittest.skipUnless((ROOT / ".deps/docs-venv/installed").exists(), "no generator: scripts/docs installs it")
class DocumentationTests(unittest.TestCase):
    def test_the_site_is_complete(self):
        with tempfile.TemporaryDirectory() as folder:
            # Without the C manual and the Swift API.
            done = subprocess.run([ROOT / "scripts/docs", "--out", folder], env={**os.environ, "PATH": "/nowhere"},
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            pages = list(Path(folder).rglob("*.html"))
            self.assertGreater(len(pages), 40)
            for page in pages:
                links = Links(page.read_text())
                self.assertEqual([target for target in links.loaded if "//" in target], [], page)
                for target in links.targets + links.loaded:
                    address = urllib.parse.urlsplit(target)
                    if address.path and not address.scheme:
                        self.assertTrue((page.parent / urllib.parse.unquote(address.path)).exists(), f"{page}: {target}")
