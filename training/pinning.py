"""Writes trained networks and pins them in models/manifest.json."""
import hashlib
import re


def save(network, model, xml):
    """Writes an OpenVINO network made from a torch model: the .xml and its .bin."""
    import openvino

    # Compiled models are cached under the hash of the .xml, which must therefore change with the weights.
    weights = b"".join(value.numpy().tobytes() for value in model.state_dict().values())
    network.set_rt_info(hashlib.sha256(weights).hexdigest(), "weights")
    openvino.save_model(network, xml, compress_to_fp16=False)


def pin(manifest, path):
    """Updates the hash and size of a file in the manifest."""
    data = path.read_bytes()
    text = manifest.read_text()
    entry = re.compile(r'("file": "%s",\s*"sha256": ")[0-9a-f]*(",\s*"size": )\d+' % re.escape(path.name))
    text, count = entry.subn(rf"\g<1>{hashlib.sha256(data).hexdigest()}\g<2>{len(data)}", text)
    if count != 1:
        raise SystemExit(f"{manifest} has no entry for {path.name}: add one")
    manifest.write_text(text)
    print(f"wrote {path}, {len(data)} bytes")
