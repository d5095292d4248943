"""Codes, tested on drawn ones, whose contents are in codes.csv."""

import csv
import unittest

from support import ROOT, SELFIE, engine, grey, needs_samples

import faceverify
from faceverify import (
    BadArgumentError,
    Cancellation,
    CallCancelledError,
    CheckStatus,
    CodeFault,
    CodeFormat,
    CodeReport,
    CodeScanner,
    CodeState,
    DamagedError,
    DocumentType,
    Journey,
    TrustStore,
    UnknownFormatError,
    read_codes,
)

FOLDER = ROOT / "Tests" / "DocumentImagingTests" / "Fixtures" / "codes"
SEALS = FOLDER.parent / "seals"
QR = FOLDER / "qr.png"
KEY = """-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAg2SethwxXEIINqeyA4sEX2G2TFccRaKR/3Yv7KNJXr0=
-----END PUBLIC KEY-----
"""


def drawn():
    with open(FOLDER / "codes.csv", newline="") as file:
        return list(csv.DictReader(file))


def licence():
    return read_codes(FOLDER / "pdf417.png", [CodeFormat.PDF417])[0].data


class CodeTests(unittest.TestCase):
    def test_each_format_is_read(self):
        for row in drawn():
            with self.subTest(row["file"]), read_codes(FOLDER / row["file"]) as codes:
                self.assertEqual((len(codes), codes.fault), (1, None))
                self.assertEqual(codes[0].data, bytes.fromhex(row["hex"]))
                self.assertEqual(codes[0].encoding or "", row["encoding"])
                self.assertEqual(codes[0].text is None, row["file"] == "qr-bytes.png")
        self.assertLessEqual({row["format"] for row in drawn()} - {"upc-a"}, {str(one) for one in CodeFormat})

    def test_one_format_is_selected(self):
        codes = read_codes(QR, ["qr"])
        self.assertEqual(codes[0].format, CodeFormat.QR)
        self.assertEqual((codes[0].text, codes[0].purpose), ("https://example.org/a?b=1", "link"))
        self.assertLess(codes[0].upper_left.x, codes[0].upper_right.x)
        self.assertIn('"gs1"', codes.json_text)
        self.assertEqual(codes, read_codes(QR, [CodeFormat.QR]))

    def test_a_failure_has_its_reason(self):
        codes = read_codes(grey())
        self.assertEqual((len(codes), codes.fault), (0, CodeFault.NONE_THERE))
        self.assertTrue(all(fault.text for fault in CodeFault))
        self.assertIsNotNone(read_codes(QR, [CodeFormat.PDF417], is_frame=True).fault)

    def test_invalid_arguments(self):
        for formats in ([], ["barcode"]):
            with self.assertRaises(BadArgumentError):
                read_codes(QR, formats)
        with self.assertRaises(UnknownFormatError):
            read_codes(b"no picture")
        cancellation = Cancellation()
        cancellation.cancel()
        with self.assertRaises(CallCancelledError):
            read_codes(QR, cancellation=cancellation)


class ScannerTests(unittest.TestCase):
    def scan(self, frame=QR, **options):
        with CodeScanner(**options) as scanner:
            scanner.start()
            scan = scanner.process(frame)
            return str(scan.report), str(scan.state)

    def test_good_frames_confirm_a_code(self):
        with CodeScanner(prefix="https://example.org/", frames_to_confirm=2, specimen_side=64, has_torch=True) as scanner:
            self.assertIsNone(scanner.process(QR))
            self.assertIsNone(scanner.codes)
            scanner.start()
            scanner.set_torch(True)
            self.assertTrue(scanner.is_source_wanted and scanner.is_processing and scanner.is_torch_wanted)
            self.assertEqual(scanner.process(QR).report, CodeReport.IN_PROGRESS)
            self.assertIsNone(scanner.specimen)
            scan = scanner.process(QR)
            self.assertEqual((scan.report, scan.state, scan.is_final), (CodeReport.COMPLETED, CodeState.OK, True))
            self.assertGreater(scan.contrast, 200)
            self.assertEqual(scanner.codes[0].data, b"https://example.org/a?b=1")
            self.assertEqual((scanner.specimen.width, scanner.specimen.height), (64, 64))
            self.assertIsNone(scanner.zone)
            self.assertIsNone(scanner.process(QR))
            scanner.resume()
            self.assertFalse(scanner.process(QR).is_final)
            scanner.pause()
            self.assertFalse(scanner.is_source_wanted or scanner.is_processing)

    def test_a_frame_has_its_state(self):
        self.assertEqual(self.scan(pattern="mdoc:*"), ("completed", "not-proprietary"))
        self.assertEqual(self.scan(public_key=KEY, separator="&s="), ("completed", "not-proprietary"))
        self.assertEqual(self.scan(zone=(1.1, 0, 1, 1)), ("in-progress", "zone-not-in-frame"))
        self.assertEqual(self.scan(least_side=1000), ("in-progress", "too-small"))
        self.assertEqual(self.scan(most_edge=0.01), ("in-progress", "blurry"))
        self.assertEqual(self.scan(is_camera_unsupported=True), ("unsupported", "ok"))
        self.assertEqual(self.scan(is_limited=True), ("completed", "ok"))
        self.assertEqual(self.scan(grey()), ("in-progress", "unreadable"))

    def test_invalid_arguments(self):
        for options in (
            {"prefix": "a", "pattern": "b"}, {"public_key": KEY}, {"frames_to_confirm": 0}, {"zone": (0, 0, 0, 1)},
            {"specimen_side": 5000}, {"least_side": -1},
        ):  # fmt: skip
            with self.subTest(options), self.assertRaises(BadArgumentError):
                CodeScanner(**options)
        with self.assertRaises(UnknownFormatError):
            CodeScanner(public_key="no key", separator="&s=")
        with CodeScanner() as scanner, self.assertRaises(BadArgumentError):
            scanner.set_torch(True)


class SealTests(unittest.TestCase):
    def test_a_visible_digital_seal_is_verified(self):
        seal = read_codes(SEALS / "visa-data-matrix.png", [CodeFormat.DATA_MATRIX])[0].data

        def read(data, trust):
            document = engine().read_document(code=data, trust=trust, date="2026-06-01")
            return document, document.json()["seal"]

        with TrustStore(SEALS / "trust") as trust:
            document, result = read(seal, trust)
            self.assertEqual((result["verdict"], result["content"]["profile"]), ("authentic", "visa"))
            self.assertEqual((document.type, document.fields["surname"].value), (DocumentType.VISA, "ERIKSSON"))
            forged, result = read(seal[:-1] + bytes([seal[-1] ^ 1]), trust)
            self.assertEqual((forged.result, result["verdict"]), (CheckStatus.FAILED, "invalid"))
        with TrustStore() as trust:
            trust.add((SEALS / "trust" / "signer.cer").read_bytes(), "signer.cer")
            self.assertEqual((trust.anchor_count, read(seal, trust)[1]["verdict"]), (0, "valid-without-anchor"))


class LicenceTests(unittest.TestCase):
    def test_a_licence_without_its_front_is_read(self):
        document = engine().read_document(code=licence(), date="2024-01-01")
        self.assertEqual(document.type, DocumentType.DRIVING_LICENCE)
        self.assertEqual(document.fields["surname"].value, "SAMPLE")
        self.assertIs(document.fields["surname"].status, CheckStatus.PASSED)
        # The code is not signed.
        self.assertIs(document.result, CheckStatus.NOT_CHECKED)
        accepted = engine().read_document(code=licence(), date="2024-01-01", accepts_licence_code=True)
        self.assertIs(accepted.result, CheckStatus.PASSED)
        self.assertEqual(str(accepted.assurance), "data-only")
        with self.assertRaises(UnknownFormatError):
            engine().read_document(code=b"P<UTO", date="2024-01-01")
        with self.assertRaises((DamagedError, UnknownFormatError)):
            engine().read_document(code=licence()[:24], date="2024-01-01")

    @needs_samples
    def test_a_journey_accepts_a_licence_code(self):
        request = {"category": "id", "types": ["driving-licence"], "countries": ["USA"]}
        configuration = {"requests": [request], "givesInstantFeedback": False, "date": "2024-06-01"}
        now = 1.7e9
        with Journey(engine(), configuration, now=now) as journey:
            journey.perform("start", now)
            journey.start_credential(0, now)
            journey.start_part("front", "file", now)
            journey.attach(SELFIE, now)
            journey.perform("finish-part", now)
            journey.start_part("back", "barcode", now)
            with self.assertRaises(UnknownFormatError):
                journey.attach_code(b"P<UTO", now)
            journey.attach_code(licence(), now)
            self.assertEqual(journey.state, faceverify.JourneyState.CAPTURED)


if __name__ == "__main__":
    unittest.main()
