import importlib.util
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest

from support import BINDING, OTHER, PORTRAIT, SELFIE, engine, faceverify, needs_samples

KEY = bytes(range(32))
BINARY = os.environ.get("FACEVERIFY_BINARY", "no such file")
HAS_RAY = importlib.util.find_spec("ray") is not None
needs_ray = unittest.skipUnless(
    HAS_RAY, "not installed: ray (scripts/setup --tests puts it into .deps/ray-venv, if PyPI answers)"
)


def contents(path):
    """Returns everything that a gallery holds on its photos."""
    with sqlite3.connect(path) as database:
        columns = "path, sha256, quality, policy, failure, message, vector"
        rows = database.execute(f"SELECT {columns} FROM entry LEFT JOIN template USING (slot) ORDER BY path").fetchall()
    database.close()
    return rows


class ImportTests(unittest.TestCase):
    def test_without_ray_the_message_names_the_package(self):
        program = "import sys; sys.modules['ray'] = None; import faceverify.ray"
        process = subprocess.run([sys.executable, "-c", program], cwd=BINDING, stderr=subprocess.PIPE)
        self.assertEqual(process.returncode, 1)
        self.assertIn("pip install faceverify[ray]", process.stderr.decode().splitlines()[-1])


@needs_ray
@needs_samples
class RayTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Workers run at low priority, and take minutes to start while tests in other languages run.
        os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_worker_niceness="0")
        os.environ["PYTHONPATH"] = str(BINDING)  # for the workers
        import ray

        cls.ray = ray
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        cls.addClassCleanup(ray.shutdown)
        global scale
        scale = importlib.import_module("faceverify.ray")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def photos(self, copies=1):
        """Photos of two people, each in a folder, and files that are not photos of a face."""
        for person, photos in {"one": (SELFIE, PORTRAIT), "other": (OTHER,)}.items():
            (self.folder / "photos" / person).mkdir(parents=True)
            for photo in photos:
                for i in range(copies):
                    copy = self.folder / "photos" / person / f"{i} {photo.name}"
                    copy.write_bytes(photo.read_bytes() + bytes(i))  # a different file each
        (self.folder / "photos" / "other" / "cut.jpg").write_bytes(OTHER.read_bytes()[:9000])
        (self.folder / "photos" / "other" / "text.jpg").write_text("text")
        return sorted(str(path) for path in (self.folder / "photos").rglob("*.jpg"))

    def built_by_one(self, paths, policy="selfie"):
        path = self.folder / "one.fvg"
        with faceverify.Gallery(path, engine()) as gallery:
            for photo in paths:
                gallery.enrol(photo, faceverify.QualityPolicy(policy))
        return contents(path)

    def test_embedding_gives_the_records_of_a_gallery(self):
        paths = [*self.photos(), "/nowhere.jpg"]
        rows = [{"path": path, "person": i} for i, path in enumerate(paths)]
        found = scale.embed(self.ray.data.from_items(rows), workers=2).take_all()
        found.sort(key=lambda row: row["path"])
        expected = self.built_by_one(paths)
        self.assertEqual(
            [tuple(row[name] for name in ("path", "sha256", "quality", "code", "message")) for row in found],
            [(path, sha256, quality, code, message) for path, sha256, quality, _, code, message, _ in expected],
        )
        for row, (path, *_, vector) in zip(found, expected):
            self.assertEqual((row["person"], row["template"] is None), (paths.index(path), vector is None))
            if vector is not None:
                with engine().sample(path) as sample:
                    self.assertEqual(row["template"], bytes(sample.template))

    def test_embedding_of_bytes(self):
        embedder = scale.Embedder(column="file")
        import pyarrow

        files = [SELFIE.read_bytes(), b"text", b"", None]
        batch = pyarrow.table({"id": range(4), "file": pyarrow.array(files, "binary")})
        found = embedder(batch).to_pylist()
        self.assertNotIn("file", found[0])
        self.assertEqual([row["code"] for row in found], [None, "unknown-format", "unknown-format", "unreadable"])
        with engine().sample(SELFIE) as sample:
            self.assertEqual(found[0]["template"], bytes(sample.template))
        refused = scale.Embedder(precision="f32")
        refused._policy.require("inter-eye-distance", refused_below=100000)
        (record,) = refused(pyarrow.table({"path": [str(SELFIE)]})).to_pylist()
        self.assertEqual((record["code"], record["template"]), ("refused", None))
        self.assertGreater(len(record["message"]), 10)

    @unittest.skipUnless(os.path.exists(BINARY), "FACEVERIFY_BINARY names no faceverify")
    def test_an_evaluation_of_embedded_records_is_identical(self):
        paths, work = self.photos(3), self.folder / "work.fvg"
        scale.build_gallery(paths, work, workers=2, policy="any")

        def report(*options):
            command = [BINARY, "eval", "match", str(self.folder / "photos"), "--json", *options]
            process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(process.returncode, 0, process.stderr.decode())
            return process.stdout

        before = contents(work)
        self.assertEqual(report("--work", str(work)), report())
        self.assertEqual(contents(work), before)

    def test_a_killed_worker_changes_nothing(self):
        paths, output, killed = self.photos(14), self.folder / "people.fvg", []

        def kill():  # a worker that has started
            while not killed:
                for shard in (self.folder / "people.fvg.shards").glob("0.fvg"):
                    users = [pid for pid in filter(str.isdigit, os.listdir("/proc")) if has_open(pid, shard)]
                    if shard.stat().st_size > 40000 and users:
                        os.kill(int(users[0]), signal.SIGKILL)
                        killed.append(users[0])
                stop.wait(0.02)
                if stop.is_set():
                    return

        def has_open(pid, file):
            try:
                return int(pid) != os.getpid() and any(
                    os.path.realpath(f"/proc/{pid}/fd/{fd}") == str(file) for fd in os.listdir(f"/proc/{pid}/fd")
                )
            except OSError:
                return False

        stop, told = threading.Event(), []
        thread = threading.Thread(target=kill)
        thread.start()
        try:
            scale.build_gallery(paths, output, workers=2, progress=lambda *done: told.append(done))
        finally:
            stop.set()
            thread.join()
        self.assertEqual(len(killed), 1)
        self.assertEqual(told[-1], (len(paths), len(paths)))
        self.assertEqual(contents(output), self.built_by_one(paths))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["one.fvg", "people.fvg", "photos"])

    def test_building_resumes(self):
        paths, output = self.photos(2), self.folder / "people.fvg"
        shards = self.folder / "people.fvg.shards"
        scale.build_gallery(paths[:3], output, workers=1, key=KEY)
        # As left by a killed run: a shard that was not merged, and one just started.
        shards.mkdir()
        with faceverify.Gallery(shards / "0.fvg", engine(), KEY) as shard:
            shard.enrol(paths[3])
        (shards / "1.fvg").touch()
        scale.build_gallery(paths[:2], output, key=KEY)
        before = {row[0]: row for row in contents(output)}
        self.assertEqual(set(before), set(paths[:4]))
        os.replace(paths[0], paths[1])
        shutil.copy(paths[1], paths[0])
        scale.build_gallery([*paths, paths[0]], output, workers=2, key=KEY)
        after = {row[0]: row for row in contents(output)}
        self.assertEqual(set(after), set(paths))
        # Newly encrypted entries differ, unchanged ones do not.
        self.assertEqual([path for path in paths[:4] if after[path] == before[path]], [paths[0], *paths[2:4]])
        with self.assertRaises(faceverify.BadArgumentError):
            scale.build_gallery(paths, output)

    def test_one_build_at_a_time(self):
        import fcntl

        shards = self.folder / "people.fvg.shards"
        shards.mkdir()
        with open(shards / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with self.assertRaisesRegex(faceverify.WrongStateError, "another process is building"):
                scale.build_gallery([], self.folder / "people.fvg")

    def test_a_sharded_search_equals_that_of_one_gallery(self):
        # 40 people with the same two faces, many with equal scores, and entries without a template.
        path = self.folder / "people.fvg"
        photos = [(str(i), [SELFIE, OTHER, PORTRAIT][i % 3]) for i in range(40)]
        forms = {}
        for photo in (SELFIE, OTHER, PORTRAIT):
            with engine().sample(photo) as sample:
                forms[photo] = bytes(sample.template)
        templates = {name: forms[photo] for name, photo in photos}
        probe = faceverify.Template.from_bytes(forms[PORTRAIT])
        with faceverify.Gallery(path, engine(), KEY) as gallery:
            for name, form in templates.items():
                gallery.add(name, faceverify.Template.from_bytes(form))
            gallery.enrol("/nowhere.jpg")
            gallery.remove("7")
            del templates["7"]
            for source, key in (path, KEY), (templates, None):
                with scale.ShardedGallery(source, shards=2, key=key) as sharded:
                    self.assertEqual(len(sharded), 39)
                    for count, rate in (10, 1e-2), (1, 1e-3), (39, 1e-3), (1000, 0.5):
                        with self.subTest(type(source), count=count, rate=rate):
                            one, found = gallery.search(probe, count, rate), sharded.search(probe, count, rate)
                            self.assertEqual(list(found.candidates), list(one))
                            for name in ("template_count", "rate", "comparison_rate", "threshold", "note"):
                                self.assertEqual(getattr(found, name), getattr(one, name), name)
                    found = sharded.search(bytes(probe), rate=1e-9)
                    self.assertIsNone(found.threshold)
                    self.assertIn("no candidate can be a match", found.note)
                    self.assertFalse(any(one.is_match for one in found.candidates))
                    for wrong in ({"count": 0}, {"rate": 0}, {"rate": 1}):
                        with self.assertRaises(faceverify.BadArgumentError):
                            sharded.search(probe, **wrong)

    def test_a_lost_shard_is_recreated(self):
        paths = [self.folder / "a", self.folder / "b"]
        for path, photo in zip(paths, (PORTRAIT, OTHER)):
            with faceverify.Gallery(path, engine()) as gallery:
                gallery.enrol(photo)
        with engine().sample(SELFIE) as sample, scale.ShardedGallery(paths, shards=2) as sharded:
            before = sharded.search(sample.template)
            self.assertEqual([one.name for one in before.candidates], [str(PORTRAIT), str(OTHER)])
            self.ray.kill(sharded._actors[0], no_restart=False)
            self.assertEqual(sharded.search(sample.template), before)

    def test_shards_of_other_files(self):
        for source, kind in ("/nowhere", faceverify.UnreadableError), (SELFIE, faceverify.UnknownFormatError):
            with self.assertRaises(kind) as caught:
                scale.ShardedGallery(source)
            self.assertNotIn("Traceback", str(caught.exception))
        with self.assertRaises(faceverify.BadArgumentError):
            scale.ShardedGallery({}, shards=0)
        with scale.ShardedGallery({}) as empty, engine().sample(SELFIE) as sample:
            self.assertEqual(empty.search(sample.template).candidates, ())
