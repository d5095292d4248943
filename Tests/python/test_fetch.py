"""Tests of models/fetch.py. They use no network: packages are from a folder or a stub of pip, single files from a local
server."""

import contextlib
import hashlib
import http.server
import importlib.util
import io
import json
import os
import platform
import shutil
import signal
import subprocess
import socket
import sys
import tarfile
import tempfile
import threading
import time
import unittest
import zipfile
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
FETCH = ROOT / "models" / "fetch.py"

NEAR = b"near model " * 2000
MESH = b"mesh model " * 1000
BETTER = b"better model " * 3000
PHOTO = b"photo"
LIBRARY = b"library"

# A stub of pip: its behaviour is set by the variable FAKE_PIP.
FAKE_PIP = '''
import os, shutil, sys, time
folder = next(word[len("--dest="):] for word in sys.argv if word.startswith("--dest="))
pinned = next(word[len("--requirement="):] for word in sys.argv if word.startswith("--requirement="))
line = open(pinned).read()
with open(os.environ["FAKE_PIP_CALLS"], "a") as calls:
    calls.write(line)
what = os.environ["FAKE_PIP"]
if what == "slow":
    open(os.path.join(os.environ["TMPDIR"], "half"), "wb").write(b"half")
    time.sleep(60)
elif what == "offline":
    print("WARNING: Retrying after connection broken by NewConnectionError: name resolution")
    sys.exit("ERROR: No matching distribution found")
elif what == "full":
    sys.exit("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device")
elif what == "other":
    sys.exit("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES\\n  Expected sha256 aa\\n       Got        " + "b" * 64)
else:
    for name in os.listdir(what):
        if name.startswith(line.split("==")[0] + "-"):
            shutil.copy(os.path.join(what, name), folder)
'''


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def load_fetch():
    spec = importlib.util.spec_from_file_location("fetch", FETCH)
    module = importlib.util.module_from_spec(spec)
    sys.modules["fetch"] = module  # dataclasses look up their module
    spec.loader.exec_module(module)
    return module


class FetchTests(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="fetch test "))  # the space is part of the test
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.packages = self.folder / "packages"
        self.packages.mkdir()
        self.models = self.folder / "models"
        self.write_packages()
        self.write_manifest()

    def write_packages(self):
        with zipfile.ZipFile(self.packages / "nets-1.0-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
            wheel.writestr("nets/near.bin", NEAR)
            wheel.writestr("nets/mesh.bin", MESH)
            wheel.writestr("../outside", b"never unpacked")
            wheel.writestr("nets/libs/libx.so.1", LIBRARY)
        with tarfile.open(self.packages / "photos-2.0.tar.gz", "w:gz") as tar:
            for name, data in {"../outside": b"never unpacked", "photos-2.0/a.jpg": PHOTO}.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(data)
                tar.addfile(entry, io.BytesIO(data))
            link = tarfile.TarInfo("photos-2.0/link.jpg")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            tar.addfile(link)

    def write_manifest(self, **changes):
        def package(name, version, file, kind):
            data = (self.packages / file).read_bytes()
            return dict(name=name, version=version, file=file, kind=kind, sha256=sha256(data), size=len(data))

        def entry(file, data, package, path):
            return dict(file=file, sha256=sha256(data), size=len(data), source=dict(package=package, path=path))

        self.manifest = {
            "schema": 1,
            "packages": [
                package("nets", "1.0", "nets-1.0-py3-none-any.whl", "wheel"),
                package("photos", "2.0", "photos-2.0.tar.gz", "sdist"),
            ],
            "models": [
                entry("near.bin", NEAR, "nets", "nets/near.bin"),
                entry("mesh.bin", MESH, "nets", "nets/mesh.bin"),
                dict(file="made.bin", sha256="", size=0, source=dict(madeBy="training")),
            ],
            "samples": [entry("a.jpg", PHOTO, "photos", "photos-2.0/a.jpg")],
            "runtime": {
                "package": "nets",
                "files": [
                    dict(file="lib/libx.so.1", sha256=sha256(LIBRARY), size=len(LIBRARY), path="nets/libs/libx.so.1")
                ],
                "links": [dict(file="lib/libx.so", target="libx.so.1")],
            },
            **changes,
        }
        (self.folder / "manifest.json").write_text(json.dumps(self.manifest))

    def command(self, *arguments, python=(sys.executable,)):
        return [
            *(*python, str(FETCH), "--manifest", str(self.folder / "manifest.json")),
            *("--cache", str(self.folder / "cache"), *map(str, arguments)),
        ]

    def run_fetch(self, *arguments, environment=None, **options):
        return subprocess.run(
            self.command(*arguments, **options),
            env={**os.environ, "no_proxy": "*", **(environment or {})},
            capture_output=True,
            text=True,
            timeout=60,
        )

    def fake_pip(self, what):
        module = self.folder / "python" / "pip"
        module.mkdir(parents=True, exist_ok=True)
        (module / "__init__.py").touch()
        (module / "__main__.py").write_text(FAKE_PIP)
        return {
            "PYTHONPATH": str(module.parent),
            "FAKE_PIP": str(what),
            "FAKE_PIP_CALLS": str(self.folder / "pip calls"),
        }

    def pip_calls(self):
        calls = self.folder / "pip calls"
        return calls.read_text().splitlines() if calls.exists() else []

    def assert_fails(self, result, *words):
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        last = result.stderr.splitlines()[-1]
        for word in words:
            self.assertIn(str(word), last)
        self.assert_no_partial_file()

    def assert_no_partial_file(self):
        self.assertEqual([*self.folder.rglob("*.part"), *self.folder.rglob("partial")], [])

    # From a folder

    def test_only_the_named_files_are_unpacked(self):
        openvino, samples = self.folder / "openvino", self.folder / "samples"
        result = self.run_fetch(
            *("--models", self.models, "--openvino", openvino, "--samples", samples, "--from", self.packages)
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.models / "near.bin").read_bytes(), NEAR)
        self.assertEqual((self.models / "mesh.bin").read_bytes(), MESH)
        self.assertEqual((samples / "a.jpg").read_bytes(), PHOTO)
        self.assertEqual(os.readlink(openvino / "lib/libx.so"), "libx.so.1")
        self.assertEqual((openvino / "lib/libx.so").read_bytes(), LIBRARY)
        self.assertEqual(sorted(os.listdir(self.models)), ["mesh.bin", "near.bin"])
        self.assertFalse((self.folder / "outside").exists())

    def test_a_library_package_is_kept_whole(self):
        self.write_manifest(sources=[dict(file="photos.tar.gz", package="photos")])
        libraries = self.folder / "libraries"
        for _ in range(2):
            result = self.run_fetch("--libraries", libraries, "--from", self.packages)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 of them from before", result.stderr)
        self.assertEqual(
            (libraries / "photos.tar.gz").read_bytes(), (self.packages / "photos-2.0.tar.gz").read_bytes()
        )
        (libraries / "photos.tar.gz").write_bytes(b"other")
        result = self.run_fetch("--libraries", libraries, environment=self.fake_pip(self.packages))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sha256((libraries / "photos.tar.gz").read_bytes()), self.manifest["packages"][1]["sha256"])

    def test_files_of_other_architectures_are_not_fetched(self):
        package, files = self.manifest["packages"][0], self.manifest["runtime"]["files"]
        other = dict(package, architecture="other", file="none.whl")
        self.write_manifest(
            packages=[dict(package, architecture=platform.machine()), other, self.manifest["packages"][1]],
            runtime=dict(
                self.manifest["runtime"],
                files=[dict(files[0], architecture=platform.machine()), dict(files[0], architecture="other", file="other")],
            ),
        )
        result = self.run_fetch("--openvino", self.folder / "openvino", "--from", self.packages)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / "openvino/lib/libx.so.1").read_bytes(), LIBRARY)
        self.assertFalse((self.folder / "openvino/other").exists())

    def test_pip_is_asked_for_the_platform_of_the_pinned_wheel(self):
        fetch = load_fetch()
        package = fetch.Package("net", "1", "net-1-cp311-cp311-manylinux_2_17_aarch64.manylinux2014_aarch64.whl", "", 0, "wheel")
        tags = [word for word in fetch.wheel_tags(package) if word.startswith("--platform=")]
        self.assertEqual(tags, ["--platform=manylinux_2_17_aarch64", "--platform=manylinux2014_aarch64"])

    def test_correct_files_are_skipped_and_others_replaced(self):
        self.run_fetch("--models", self.models, "--from", self.packages)
        before = (self.models / "near.bin").stat().st_ino
        (self.models / "mesh.bin").write_bytes(MESH[:-1] + b"?")
        result = self.run_fetch("--models", self.models, "--from", self.packages)
        self.assertIn("1 of them from before", result.stderr)
        self.assertEqual((self.models / "near.bin").stat().st_ino, before)
        self.assertEqual((self.models / "mesh.bin").read_bytes(), MESH)

    def test_complete_files_need_no_network(self):
        self.run_fetch("--models", self.models, "--from", self.packages)
        result = self.run_fetch("--models", self.models, python=(sys.executable, "-S"))  # no pip, no folder
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_unpacked_files_are_accepted(self):
        files = self.folder / "files"
        files.mkdir()
        (files / "near.bin").write_bytes(NEAR)
        self.assert_fails(
            self.run_fetch("--models", self.models, "--from", files), "nets-1.0-py3-none-any.whl", "mesh.bin"
        )
        (files / "mesh.bin").write_bytes(MESH)
        self.assertEqual(self.run_fetch("--models", self.models, "--from", files).returncode, 0)
        self.assertEqual((self.models / "mesh.bin").read_bytes(), MESH)

    # Rows: J10
    def test_wrong_file_names_both_hashes(self):
        files = self.folder / "files"
        files.mkdir()
        (files / "near.bin").write_bytes(b"other")
        (files / "mesh.bin").write_bytes(MESH)
        result = self.run_fetch("--models", self.models, "--from", files)
        self.assert_fails(result, files / "near.bin", sha256(NEAR), sha256(b"other"))
        self.assertFalse((self.models / "near.bin").exists())

    def test_wrong_package_names_both_hashes(self):
        package = self.packages / "nets-1.0-py3-none-any.whl"
        data = package.read_bytes() + b"!"
        package.write_bytes(data)
        result = self.run_fetch("--models", self.models, "--from", self.packages)
        self.assert_fails(result, package.name, self.manifest["packages"][0]["sha256"], sha256(data))
        self.assertEqual(os.listdir(self.models), [])

    def test_wrong_member_names_both_hashes(self):
        self.manifest["models"][0]["sha256"] = "0" * 64
        self.write_manifest(models=self.manifest["models"])
        result = self.run_fetch("--models", self.models, "--from", self.packages)
        self.assert_fails(result, "nets/near.bin", "0" * 64)
        self.assertFalse((self.models / "near.bin").exists())

    def test_a_member_longer_than_announced_is_rejected(self):
        self.manifest["models"][0]["size"] = 10
        self.write_manifest(models=self.manifest["models"])
        self.assert_fails(self.run_fetch("--models", self.models, "--from", self.packages), "nets/near.bin")

    def test_a_link_in_a_package_is_rejected(self):
        self.manifest["samples"][0]["source"]["path"] = "photos-2.0/link.jpg"
        self.write_manifest(samples=self.manifest["samples"])
        result = self.run_fetch("--samples", self.folder / "samples", "--from", self.packages)
        self.assert_fails(result, "holds no file photos-2.0/link.jpg")

    def test_manifest_cannot_name_files_outside(self):
        for name in ("../near.bin", "/tmp/near.bin", ""):
            self.manifest["models"][0]["file"] = name
            self.write_manifest(models=self.manifest["models"])
            self.assert_fails(self.run_fetch("--models", self.models, "--from", self.packages), "outside")

    def test_a_damaged_manifest_is_reported(self):
        for text in ("{", "[]", '{"schema": 1}', '{"schema": 2}'):
            (self.folder / "manifest.json").write_text(text)
            self.assert_fails(self.run_fetch("--models", self.models, "--from", self.packages), "manifest.json")

    def test_a_target_that_is_not_a_folder_is_reported(self):
        self.models.write_text("a file")
        self.assert_fails(self.run_fetch("--models", self.models, "--from", self.packages), self.models)

    def test_usage_errors_are_reported(self):
        self.assertEqual(self.run_fetch().returncode, 2)
        self.assertEqual(self.run_fetch("--models", self.models, "--from", self.folder / "none").returncode, 2)

    # With pip

    def test_downloads_and_removes_the_package(self):
        result = self.run_fetch("--models", self.models, environment=self.fake_pip(self.packages))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.pip_calls(), [f"nets==1.0 --hash=sha256:{self.manifest['packages'][0]['sha256']}"])
        self.assertEqual((self.models / "near.bin").read_bytes(), NEAR)
        self.assertEqual(os.listdir(self.folder / "cache"), [])

    def test_a_finished_download_is_reused(self):
        cache = self.folder / "cache"
        cache.mkdir()
        shutil.copy(self.packages / "nets-1.0-py3-none-any.whl", cache)
        (cache / "partial").mkdir()  # left by a killed run
        result = self.run_fetch("--models", self.models, environment=self.fake_pip("offline"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.pip_calls(), [])

    def test_a_damaged_download_is_repeated(self):
        (self.folder / "cache").mkdir()
        (self.folder / "cache" / "nets-1.0-py3-none-any.whl").write_bytes(b"half")
        result = self.run_fetch("--models", self.models, environment=self.fake_pip(self.packages))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(self.pip_calls()), 1)

    def test_a_missing_network_is_reported(self):
        result = self.run_fetch("--models", self.models, environment=self.fake_pip("offline"))
        self.assert_fails(result, "no network", "nets 1.0", "nets-1.0-py3-none-any.whl", "--from")

    def test_missing_space_for_pip_is_reported(self):
        result = self.run_fetch("--models", self.models, environment=self.fake_pip("full"))
        self.assert_fails(result, "no space", "nets 1.0")

    def test_a_download_with_another_hash_is_rejected(self):
        result = self.run_fetch("--models", self.models, environment=self.fake_pip("other"))
        self.assert_fails(result, self.manifest["packages"][0]["sha256"], "b" * 64)

    def test_a_missing_pip_is_reported(self):
        result = self.run_fetch(
            *("--models", self.models), python=(sys.executable, "-S"), environment={"PYTHONPATH": ""}
        )
        self.assert_fails(result, "apt-get install python3-pip", "--from")

    def test_interrupt_leaves_no_partial_file(self):
        for sent in (signal.SIGINT, signal.SIGTERM):
            environment = {**os.environ, **self.fake_pip("slow")}
            process = subprocess.Popen(
                self.command("--models", self.models), env=environment, stderr=subprocess.PIPE, text=True,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored in a shell's background
            )
            deadline = time.monotonic() + 30
            while not list(self.folder.glob("cache/partial/tmp/half")) and time.monotonic() < deadline:
                time.sleep(0.02)
            process.send_signal(sent)
            _, errors = process.communicate(timeout=30)
            self.assertEqual(process.returncode, 130, errors)
            self.assertIn("interrupted", errors.splitlines()[-1])
            self.assertNotIn("Traceback", errors)
            self.assert_no_partial_file()
        result = self.run_fetch("--models", self.models, environment=self.fake_pip(self.packages))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_concurrent_runs_succeed(self):
        environment = {**os.environ, **self.fake_pip(self.packages)}
        runs = [
            subprocess.Popen(
                self.command("--models", self.models), env=environment, stderr=subprocess.PIPE, text=True
            )
            for _ in range(4)
        ]
        for run in runs:
            _, errors = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 0, errors)
        self.assertEqual(len(self.pip_calls()), 1)

    # From an address

    def publish(self, content=BETTER, answer=None):
        """Adds a set `better` to the manifest, whose file has the URL of a server that runs until the test ends.

        - answer: the server's handler of a request, instead of sending `content`.
        """

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(handler):
                self.requests.append(handler.path)
                if answer:
                    return answer(handler)
                handler.send_response(200)
                handler.send_header("Content-Length", str(len(BETTER)))
                handler.end_headers()
                handler.wfile.write(content)

            def log_message(handler, *_):
                pass

        self.requests = []
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        self.name_address(f"http://127.0.0.1:{server.server_address[1]}/better.bin")

    def name_address(self, url):
        source = dict(url=url, sha384=hashlib.sha384(BETTER).hexdigest())
        models = [dict(model, id=model["file"][:-4]) for model in self.manifest["models"] if model.get("id") != "better"]
        models.append(dict(id="better", file="better.bin", sha256=sha256(BETTER), size=len(BETTER), source=source))
        self.write_manifest(models=models, sets={"better": ["better", "made"], "mesh": ["mesh"]})

    def test_a_url_is_unused_unless_its_set_is_named(self):
        self.publish()
        result = self.run_fetch("--models", self.models, "--from", self.packages)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((sorted(os.listdir(self.models)), self.requests), (["mesh.bin", "near.bin"], []))

    def test_a_set_is_fetched_and_nothing_else(self):
        self.publish()
        environment = self.fake_pip(self.packages)
        result = self.run_fetch("--models", self.models, "--set", "better", environment=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.models / "better.bin").read_bytes(), BETTER)
        self.assertEqual(sorted(os.listdir(self.models)), ["better.bin"])
        result = self.run_fetch("--models", self.models, "--set", "better", "--set", "mesh", environment=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(os.listdir(self.models)), ["better.bin", "mesh.bin"])
        self.assertEqual(self.requests, ["/better.bin"])  # once

    def test_an_unknown_set_names_the_known_ones(self):
        self.publish()
        self.assert_fails(self.run_fetch("--models", self.models, "--set", "best"), "'best'", "better, mesh")

    def fetch_better(self, *arguments):
        return self.run_fetch("--models", self.models, "--set", "better", *arguments, environment=self.fake_pip(
            self.packages))

    def test_a_downloaded_file_with_another_hash_or_size_is_rejected(self):
        other = BETTER[:-1] + b"?"
        self.publish(other)
        self.assert_fails(self.fetch_better(), "better.bin", sha256(BETTER), sha256(other))
        self.publish(BETTER[:100])
        self.assert_fails(self.fetch_better(), "better.bin", "100 bytes", len(BETTER))
        self.publish(BETTER, lambda handler: handler.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n" + BETTER + b"!"))
        self.assert_fails(self.fetch_better(), "better.bin", sha256(BETTER))
        self.assertNotIn("better.bin", os.listdir(self.models))

    def test_the_publishers_hash_is_verified_too(self):
        self.publish()
        self.manifest["models"][-1]["source"]["sha384"] = "0" * 96
        self.write_manifest(models=self.manifest["models"], sets=self.manifest["sets"])
        self.assert_fails(self.fetch_better(), "SHA-384", "0" * 96, hashlib.sha384(BETTER).hexdigest())

    def test_an_unreachable_url_has_a_remedy(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.name_address(f"http://127.0.0.1:{port}/better.bin")
        self.assert_fails(self.fetch_better(), f"127.0.0.1:{port}", "Connection refused", "better.bin", "--from")
        self.publish(answer=lambda handler: handler.send_error(404))
        self.assert_fails(self.fetch_better(), "404", "--from")

    def test_a_silent_url_times_out(self):
        ended = threading.Event()
        self.addCleanup(ended.set)
        self.publish(answer=lambda handler: ended.wait(30))
        with mock.patch.dict(os.environ, {**self.fake_pip(self.packages), "no_proxy": "*"}):
            result = self.call_main("--models", self.models, "--set", "better", PATIENCE=0.2)
        self.assert_fails(result, "timed out", "--from")

    def test_a_folder_replaces_a_download(self):
        self.publish()
        files = self.folder / "files"
        files.mkdir()
        (files / "near.bin").write_bytes(NEAR)
        self.assert_fails(self.fetch_better("--from", files), files, "better.bin", "published at http://127.0.0.1")
        (files / "better.bin").write_bytes(BETTER)
        result = self.fetch_better("--from", files)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(((self.models / "better.bin").read_bytes(), self.requests), (BETTER, []))

    # In this process, for states that cannot be caused from outside

    def call_main(self, *arguments, **constants):
        errors, module = io.StringIO(), load_fetch()
        vars(module).update(constants)
        with contextlib.redirect_stderr(errors):
            code = module.main(self.command(*arguments)[2:])
        return subprocess.CompletedProcess([], code, "", errors.getvalue())

    def test_interrupted_write_leaves_no_partial_file(self):
        with mock.patch("os.fsync", side_effect=KeyboardInterrupt):
            result = self.call_main("--models", self.models, "--from", self.packages)
        self.assertEqual(result.returncode, 130)
        self.assertEqual(os.listdir(self.models), [])

    def test_space_is_checked_first(self):
        with mock.patch("shutil.disk_usage", return_value=shutil._ntuple_diskusage(1 << 30, 1 << 30, 1000)):
            result = self.call_main("--models", self.models, "--from", self.packages)
        self.assert_fails(result, "not enough space", "needed", "free")

    @contextlib.contextmanager
    def small_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = os.geteuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk], capture_output=True
        )
        if not mounted or mounted.returncode != 0:
            self.skipTest("a small disk can be mounted by root only")
        try:
            yield disk
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_a_full_disk_is_reported(self):
        with self.small_disk() as disk:
            result = self.call_main("--models", disk / "models", "--from", self.packages)
            self.assert_fails(result, "not enough space", disk)
            with mock.patch("shutil.disk_usage", return_value=shutil._ntuple_diskusage(1 << 30, 0, 1 << 30)):
                result = self.call_main("--models", disk / "models", "--from", self.packages)
            self.assert_fails(result, "no space left")
            self.assertNotIn("near.bin", os.listdir(disk / "models"))


class ManifestTests(unittest.TestCase):
    """The manifest of the repository."""

    # Rows: J12
    def test_the_manifest_is_consistent(self):
        manifest = json.loads((ROOT / "models" / "manifest.json").read_text())
        packages = {package["name"] for package in manifest["packages"]}
        ids = [model["id"] for model in manifest["models"]]
        self.assertEqual(len(ids), len(set(ids)))
        source = {"package": manifest["runtime"]["package"]}
        runtime = [dict(entry, source=source) for entry in manifest["runtime"]["files"]]
        for entry in manifest["packages"] + manifest["models"] + manifest["samples"] + runtime:
            self.assertRegex(entry["sha256"], "^[0-9a-f]{64}$")
            self.assertGreater(entry["size"], 0)
            self.assertIn(entry.get("source", {}).get("package"), packages | {None})
        for model in manifest["models"]:
            self.assertTrue(model["licence"])
            self.assertEqual(len(set(model["source"]) & {"package", "madeBy", "url"}), 1, model["id"])
            if "url" in model["source"]:
                self.assertRegex(model["source"]["url"], "^https://")
                self.assertRegex(model["source"]["sha384"], "^[0-9a-f]{96}$")
        self.assertLessEqual({*manifest["preferred"], *manifest["gains"]}, set(manifest["sets"]))
        for name, models in manifest["sets"].items():
            self.assertLessEqual(set(models), set(ids), name)
        self.assertNotIn("dlib", manifest["preferred"])

    def test_the_architectures_have_the_same_libraries(self):
        runtime = json.loads((ROOT / "models" / "manifest.json").read_text())["runtime"]
        names = {"x86_64": [], "aarch64": []}
        for entry in runtime["files"]:
            if entry["file"].startswith("lib/"):
                names[entry["architecture"]].append(entry["file"].replace("_arm_", "_intel_"))
        self.assertEqual(names["x86_64"], names["aarch64"])
        self.assertEqual(len(names["x86_64"]), 7)

    def test_the_networks_are_those_of_their_publisher(self):
        published = Path(os.environ.get("FACEVERIFY_SHARED", ROOT.parent / "shared")) / "teachers"
        folder = published / "face-reidentification-retail-0095"
        if not folder.is_dir():
            self.skipTest("the published files of the set retail are not here: name their folder in FACEVERIFY_SHARED")
        manifest = json.loads((ROOT / "models" / "manifest.json").read_text())
        models = [model for model in manifest["models"] if "url" in model["source"]]
        self.assertEqual(len(models), 2)
        for model in models:
            data = (folder / model["file"]).read_bytes()
            self.assertEqual((len(data), sha256(data)), (model["size"], model["sha256"]))
            self.assertEqual(hashlib.sha384(data).hexdigest(), model["source"]["sha384"])


if __name__ == "__main__":
    unittest.main()
