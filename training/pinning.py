"""Writes trained networks and pins them in models/manifest.json."""
import hashlib
import re


def save(network, model, xml, half=False):
    """Writes an OpenVINO network made from a torch model: the .xml and its .bin, with weights of 16 bits if `half`."""
    import openvino

    # Compiled models are cached under the hash of the .xml, which must therefore change with the weights.
    weights = b"".join(value.numpy().tobytes() for value in model.state_dict().values())
    network.set_rt_info(hashlib.sha256(weights).hexdigest(), "weights")
    openvino.save_model(network, xml, compress_to_fp16=half)


def export(model, name, shape, examples, models, limit=1e-4, ports=(), half=False):
    """Writes a torch model to a folder with a manifest, and pins it.

    The exported network may differ by `limit` from the model on each of `examples`. `ports` are the names of its input
    and its output. With `half`, weights are stored in 16 bits, and computed with in 32.
    """
    import numpy as np
    import openvino
    import torch

    network = openvino.convert_model(model, example_input=torch.zeros(shape), input=[shape])
    for port, title in zip((network.inputs[0], network.outputs[0]), ports):
        port.get_tensor().set_names({title})
    network.friendly_name = name
    xml = models / f"{name}.xml"
    save(network, model, xml, half)
    compiled = openvino.Core().compile_model(xml, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    worst, count = 0.0, 0
    for x in examples:
        with torch.no_grad():
            expected = model(x).numpy()
        worst = max(worst, float(np.abs(expected - compiled([x.numpy()])[0]).max()))
        count += 1
    print(f"{name}: largest difference on {count} examples {worst:.1e}")
    if worst > limit:
        raise SystemExit("the exported network is another one")
    for path in (xml, xml.with_suffix(".bin")):
        pin(models / "manifest.json", path)


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
