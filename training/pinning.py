"""Pinning of what was trained in models/manifest.json."""
import hashlib
import re


def pin(manifest, path):
    """Writes a file's new hash and size into its entry of the manifest."""
    data = path.read_bytes()
    text = manifest.read_text()
    entry = re.compile(r'("file": "%s",\s*"sha256": ")[0-9a-f]*(",\s*"size": )\d+' % re.escape(path.name))
    text, count = entry.subn(rf"\g<1>{hashlib.sha256(data).hexdigest()}\g<2>{len(data)}", text)
    if count != 1:
        raise SystemExit(f"{manifest} has no entry for {path.name}: add one")
    manifest.write_text(text)
    print(f"wrote {path}, {len(data)} bytes")
