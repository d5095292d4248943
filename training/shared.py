"""What the programs of several folders share: their arguments, pinned files, and the product's C++ in Python."""
import argparse
import hashlib
import importlib.machinery
import importlib.util
import inspect
import re
import shlex
import subprocess
import sys
import typing
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
MODELS = ROOT / "models"


def command(main, doc):
    """Runs `main` with the arguments of the command line. Its parameters are positional arguments, those that are
    keyword-only are options; one of type list takes several values, one of type bool none."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, parameter in inspect.signature(main).parameters.items():
        kind, settings = parameter.annotation, {}
        is_optional = parameter.default is not inspect.Parameter.empty
        if is_optional:
            settings["default"] = parameter.default
        if kind is bool:
            settings["action"] = "store_true"
        elif typing.get_origin(kind) is list:
            settings |= {"type": typing.get_args(kind)[0], "nargs": "*" if is_optional else "+"}
        elif typing.get_origin(kind) is typing.Literal:
            settings["choices"] = typing.get_args(kind)
        else:
            settings["type"] = kind
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            parser.add_argument(f"--{name}", required=not is_optional, **settings)
        else:
            parser.add_argument(name, **{"nargs": "?"} if is_optional and "nargs" not in settings else {}, **settings)
    main(**vars(parser.parse_args()))


def auc(higher, lower):
    """The probability that a score of the first is above one of the second, ties halved."""
    lower = np.sort(lower)
    return float(np.mean((np.searchsorted(lower, higher) + np.searchsorted(lower, higher, "right")) / 2 / len(lower)))


def pin(path):
    """Updates the hash and size of a file in the manifest of its folder."""
    manifest, data = path.with_name("manifest.json"), path.read_bytes()
    entry = re.compile(r'("file": "%s",\s*"sha256": ")[0-9a-f]*(",\s*"size": )\d+' % re.escape(path.name))
    text, count = entry.subn(rf"\g<1>{hashlib.sha256(data).hexdigest()}\g<2>{len(data)}", manifest.read_text())
    if count != 1:
        raise SystemExit(f"{manifest} has no entry for {path.name}: add one")
    manifest.write_text(text)
    print(f"wrote {path}, {len(data)} bytes")


def saved(network, name, weights, models, half):
    """Writes an OpenVINO network, its weights in 16 bits if `half`. Compiled models are cached under the hash of the .xml,
    which must therefore change with the weights, an iterable of arrays."""
    import openvino

    network.friendly_name = name
    network.set_rt_info(hashlib.sha256(b"".join(value.tobytes() for value in weights)).hexdigest(), "weights")
    xml = models / f"{name}.xml"
    openvino.save_model(network, xml, compress_to_fp16=half)
    return xml


def drawing(name):
    """Loads a program of Tests/documents, which draws documents, as a module."""
    sys.path.append(str(ROOT / "Tests/documents"))
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "Tests/documents" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def built(source, names, folder):
    """Compiles a program in C++ with the sources `names` of Sources/CVision, and returns its path."""
    environment = {"PKG_CONFIG_PATH": str(ROOT / ".deps/pkgconfig"), "PATH": "/usr/bin:/bin"}
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "faceverify-deps"], env=environment, check=True, capture_output=True, text=True)
    vision, program = ROOT / "Sources/CVision", Path(folder) / source.stem
    subprocess.run(
        ["g++", "-std=c++17", "-O2", "-ffunction-sections", "-Wl,--gc-sections", f"-I{vision}", f"-I{vision / 'include'}", "-o",
         program, source, *(vision / f"{name}.cpp" for name in names), *shlex.split(flags.stdout)], check=True)
    return program
