import gc
import math
import os
import unittest

from support import DOCUMENTS, SELFIE, SPECIMEN, decision, engine, faceverify, grey, needs_documents, needs_samples

from faceverify import (
    DOCUMENT_FIELDS,
    QUALITY_MEASURES,
    Cancellation,
    Chip,
    ComparisonPolicy,
    Image,
    LivenessRequestStore,
    LivenessSession,
    QualityPolicy,
    Template,
    TrustStore,
    parse_mrz,
    verify_document,
)
from faceverify._generated import lib


def resident():
    """Returns the memory use of this process in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class MemoryTests(unittest.TestCase):
    MOST_GROWTH = 128 << 10

    def check(self, cycle, times):
        cycle()
        gc.collect()
        objects, sizes = lib.fv_live_objects(), [resident()]
        for _ in range(4):
            for _ in range(times // 4):
                cycle()
            gc.collect()
            self.assertEqual(lib.fv_live_objects(), objects)
            sizes.append(resident())
        # A leak grows in every quarter, a filling cache does not.
        self.assertLess(min(after - before for before, after in zip(sizes, sizes[1:])), self.MOST_GROWTH, sizes)

    def test_images_policies_and_cancellations_do_not_leak(self):
        pixels = memoryview(bytes(64 * 64)).cast("B", (64, 64))

        def cycle():
            with Image.from_pixels(pixels) as image, QualityPolicy("selfie") as policy:
                self.assertEqual((image.width, len(image.sha256)), (64, 64))
                policy.require("sharpness", minimum=0.3)
                with Cancellation() as cancellation:
                    cancellation.cancel()
                    with self.assertRaises(faceverify.CallCancelledError):
                        engine().detect(image, cancellation=cancellation)
                self.assertEqual(len(image.encode("png")), len(image.encode("png")))
                engine().threshold(1e-3)

        self.check(cycle, 10_000)

    def test_failing_calls(self):
        def cycle():
            for call in (
                lambda: Image.from_bytes(b"no picture"),
                lambda: Image.from_file("/nowhere"),
                lambda: Image.from_pixels(memoryview(b"12")),
                lambda: Template.from_bytes(b"no template"),
                lambda: QualityPolicy("none"),
                lambda: engine().threshold(0.5),
                lambda: engine().compare("/nowhere", "/nowhere", ComparisonPolicy(false_match_rate=0)),
            ):
                with self.assertRaises(faceverify.FaceVerifyError):
                    call()

        self.check(cycle, 4_000)

    @needs_samples
    def test_templates_and_comparisons_do_not_leak(self):
        data = bytes(decision().selfie.template)

        def cycle():
            with Template.from_bytes(data) as one, Template.from_bytes(bytes(one)) as other:
                self.assertTrue(engine().compare_templates(one, other).is_match)
                self.assertTrue(all(found.is_match for found in engine().compare_many(one, [other, one])))
                self.assertEqual(len(one.sha256), 64)

        self.check(cycle, 10_000)

    @needs_samples
    def test_reading_a_decision(self):
        def cycle():
            selfie = decision().selfie
            self.assertEqual((len(selfie.faces[0].mesh), len(selfie.checks)), (468, len(QUALITY_MEASURES)))
            self.assertEqual(len(bytes(selfie.template)), 580)
            self.assertTrue(decision().comparison.is_match)

        self.check(cycle, 4_000)

    def test_sessions_do_not_leak(self):
        store, blank = LivenessRequestStore(), grey()

        def cycle():
            request = store.issue()
            self.assertEqual(len(request.script), 3)
            with LivenessSession(engine(), request) as session:
                with self.assertRaises(faceverify.BadArgumentError):
                    session.add(blank, math.nan)
                store.accept(session.finish())

        self.check(cycle, 4_000)

    @needs_samples
    def test_reading_a_liveness_decision(self):
        image = Image.from_file(SELFIE)

        def cycle():
            with LivenessSession(engine(), policy="photo") as session:
                session.add(image, 0)
                decision = session.finish()
            self.assertEqual((decision.selfie.width, len(bytes(decision.template))), (910, 580))
            self.assertEqual((len(decision.quality), decision.evidence.frame_count), (len(QUALITY_MEASURES), 1))
            self.assertTrue(decision.checks and decision.json_text and decision.reasons is not None)

        self.check(cycle, 60)

    def test_zones_do_not_leak(self):
        def cycle():
            with parse_mrz("".join(SPECIMEN), "2010-01-01") as document, TrustStore() as trust, Chip() as chip:
                self.assertEqual(len(document.fields), len(DOCUMENT_FIELDS))
                self.assertTrue(document.json_text and document.checks and  document.mrz_lines)
                verify_document(None, document.data_sha256, b"photo", document.data_json_text)
                chip.add(b"\x61\x00", "EF.DG1")
                with self.assertRaises(faceverify.UnknownFormatError):
                    trust.add(b"no certificate", "name")
                self.assertTrue(trust.json_text)

        self.check(cycle, 2_000)

    @needs_documents
    def test_chips_do_not_leak(self):
        def cycle():
            with Chip(DOCUMENTS / "no-sod") as chip, engine().read_document(chip=chip, date="2026-06-01") as document:
                self.assertTrue(document.portrait and document.steps and document.sample.checks)

        self.check(cycle, 200)

    @needs_samples
    def test_faces_and_samples_do_not_leak(self):
        blank = grey()
        image = Image.from_file(SELFIE)

        def cycle():
            self.assertEqual(len(engine().detect(blank)), 0)
            with self.assertRaises(faceverify.NoFaceError):
                engine().sample(blank)
            self.assertTrue(engine().assess(image).is_accepted)

        self.check(cycle, 200)
