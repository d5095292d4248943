import datetime
import json
import pickle
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

from support import (
    DOCUMENTS,
    OTHER,
    PAGES,
    PORTRAIT,
    SELFIE,
    SPECIMEN,
    engine,
    faceverify,
    grey,
    needs_documents,
    needs_samples,
)

from faceverify import (
    DOCUMENT_FIELDS,
    BadArgument,
    CheckStatus,
    Chip,
    Credential,
    Damaged,
    Document,
    DocumentField,
    DocumentStatus,
    FieldStatus,
    Image,
    NoFace,
    PortraitTrust,
    Result,
    RFIDStatus,
    TooLarge,
    Trust,
    UnknownFormat,
    Unreadable,
    Verdict,
    parse_mrz,
    verify_document,
)

DATE = "2026-06-01"  # for which the chips are made


def chip(name):
    return Chip(DOCUMENTS / name)


def read(name, trust=None):
    return engine().read_document(chip=chip(name), trust=trust, date=DATE)


class ZoneTests(unittest.TestCase):
    def test_fields(self):
        document = parse_mrz("\n".join(SPECIMEN), "2010-01-01")
        fields = document.fields
        self.assertEqual(tuple(fields), DOCUMENT_FIELDS)
        self.assertEqual(fields["documentNumber"], DocumentField("L898902C3", None, FieldStatus.OK))
        self.assertEqual(fields["address"], DocumentField(None, "absent", FieldStatus.NOT_CHECKED))
        self.assertEqual([fields[name].value for name in ("age", "surname", "sex")], ["35", "ERIKSSON", "F"])
        self.assertEqual(document.mrz_lines, SPECIMEN)
        self.assertEqual((document.type, document.type_name, document.date), ("passport", "Passport", "2010-01-01"))
        self.assertEqual(document.page_fields["surname"].value, "ERIKSSON")
        self.assertIsNone(document.chip_fields)
        self.assertEqual(fields, pickle.loads(pickle.dumps(fields)))

    def test_what_it_has_not(self):
        document = parse_mrz("".join(SPECIMEN), datetime.date(2010, 1, 1))
        self.assertEqual((document.pages, document.steps, document.mismatches), ((), (), ()))
        self.assertEqual((document.portrait, document.portrait_trust, document.sample), (None, None, None))
        self.assertEqual((document.portrait_problem, document.photo_hash, document.verdict), (None, None, None))
        self.assertEqual((document.has_chip, document.chip_page), (False, None))
        self.assertIs(document.rfid_status, RFIDStatus.UNDEFINED)

    def test_the_day_decides(self):
        text = "".join(SPECIMEN)
        later = parse_mrz(text, datetime.datetime(2012, 4, 16, 8, 30))
        self.assertEqual(later.date, "2012-04-16")
        self.assertIn(DocumentStatus.EXPIRED_DOCUMENT, later.statuses)
        self.assertNotIn(DocumentStatus.EXPIRED_DOCUMENT, parse_mrz(text, "2012-04-15").statuses)
        self.assertEqual({check.name: str(check.status) for check in later.checks}["expiry"], "failed")

    def test_a_wrong_check_digit_is_a_result(self):
        document = parse_mrz("".join(SPECIMEN).replace("C36UTO", "C37UTO"), "2010-01-01")
        self.assertEqual(
            document.fields["documentNumber"], DocumentField("L898902C3", "check-digit-wrong", FieldStatus.ERROR)
        )
        self.assertIn(DocumentStatus.VALIDATION_ERROR, document.statuses)
        self.assertIn("C37UTO", document.mrz_lines[1])
        self.assertIn("C36UTO", document.fields["mrzLinesWithCorrectCheckDigits"].value)

    def test_what_is_no_zone(self):
        for text, date, kind in (
            ("P<UTO", "2010-01-01", UnknownFormat),
            ("", "2010-01-01", UnknownFormat),
            ("".join(SPECIMEN).lower(), "2010-01-01", Damaged),
            ("".join(SPECIMEN), "1.1.2010", BadArgument),
            ("".join(SPECIMEN), "2010-02-29", BadArgument),
            ("".join(SPECIMEN), 20100101, BadArgument),
            ("".join(SPECIMEN), None, BadArgument),
            ("P<\0", "2010-01-01", BadArgument),
        ):
            with self.assertRaises(kind) as caught:
                parse_mrz(text, date)
            self.assertTrue(str(caught.exception))

    def test_json(self):
        document = parse_mrz("".join(SPECIMEN), "2010-01-01")
        record = json.loads(document.json)
        self.assertEqual(record["mrz"]["lines"], list(SPECIMEN))
        self.assertEqual(record["report"]["dataSha256"], document.data_hash)
        self.assertEqual(json.loads(document.data_json)["surname"]["value"], "ERIKSSON")

    def test_hashes(self):
        document = parse_mrz("".join(SPECIMEN), "2010-01-01")
        same = verify_document(document.photo_hash, document.data_hash, b"photo", document.data_json)
        self.assertEqual((same.photo, same.data), (CheckStatus.NOT_CHECKED, CheckStatus.PASSED))
        self.assertFalse(same)
        other = verify_document(None, document.data_hash, data=document.data_json + " ")
        self.assertEqual((other.photo, other.data), (CheckStatus.NOT_CHECKED, CheckStatus.FAILED))
        # SHA-256 of nothing and of "abc" (FIPS 180-2).
        nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        self.assertTrue(verify_document(nothing, abc, b"", "abc"))
        self.assertTrue(verify_document(abc, nothing, bytearray(b"abc"), ""))
        with self.assertRaises(BadArgument):
            verify_document("no hash", None)

    def test_it_is_made_by_functions_alone(self):
        with self.assertRaises(TypeError):
            Document()
        with parse_mrz("".join(SPECIMEN), "2010-01-01") as document:
            pass
        with self.assertRaisesRegex(BadArgument, "Document is closed"):
            document.fields


@needs_samples
class PageTests(unittest.TestCase):
    def test_a_portrait_that_is_no_page(self):
        document = engine().read_document([SELFIE], date=DATE)
        self.assertEqual((document.type, document.type_name, document.mrz_lines), ("UNKNOWN", None, ()))
        self.assertEqual((document.page_fields, document.data_hash, document.data_json), (None, None, None))
        self.assertIs(document.portrait_trust, PortraitTrust.PAGE)
        self.assertEqual(document.portrait[:4], b"\x89PNG")
        self.assertEqual(document.photo_hash, Image.from_bytes(document.portrait).sha256)
        self.assertIs(verify_document(document.photo_hash, None, document.portrait).photo, CheckStatus.PASSED)
        (checks,) = document.pages
        self.assertIn(("blurry", 2001), [(check.reason, check.number) for check in checks])
        for check in checks:
            self.assertTrue(check.status is not CheckStatus.NOT_CHECKED or check.value is None)
            self.assertEqual(check.status is CheckStatus.PASSED, check.text == "")
        self.assertTrue(document.sample.is_accepted)

    def test_comparison(self):
        credential, document = Credential(engine()), engine().read_document([SELFIE], date=DATE)
        match = credential.compare_document(PORTRAIT, document)
        self.assertIs(match.result, Result.MATCH)
        self.assertIn("document.portrait-page", [reason.code for reason in match.reasons])
        self.assertEqual(json.loads(match.json)["document"]["date"], DATE)
        stranger = credential.compare_document(Image.from_file(OTHER), document)
        self.assertIs(stranger.result, Result.NO_MATCH)
        with self.assertRaisesRegex(Unreadable, "^selfie: "):
            credential.compare_document("/nowhere.jpg", document)
        nobody = engine().read_document([grey()], date=DATE)
        self.assertEqual((nobody.portrait, nobody.statuses), (None, (DocumentStatus.VALIDATION_ERROR,)))
        with self.assertRaisesRegex(NoFace, "^document: "):
            credential.compare_document(SELFIE, nobody)

    def test_every_kind_of_photo(self):
        data = SELFIE.read_bytes()
        records = {
            engine().read_document([photo], date=DATE).json
            for photo in (str(SELFIE), SELFIE, data, bytearray(data), Image.from_file(SELFIE))
        }
        self.assertEqual(len(records), 1)

    def test_settings(self):
        photo = Image.from_file(SELFIE)
        asked = engine().read_document([photo, photo], date=DATE, read_rfid=True, multipage=False)
        self.assertIn(DocumentStatus.RFID_TAG_NOT_FOUND, asked.statuses)
        self.assertEqual((asked.rfid_status, len(asked.pages)), (RFIDStatus.ERROR, 2))

    def test_what_cannot_be_read(self):
        for pages, kind in (
            ([], BadArgument),
            ([SELFIE] * 65, BadArgument),
            (["/nowhere.jpg"], Unreadable),
            ([b"no picture"], UnknownFormat),
            ([SELFIE.read_bytes()[:20000]], Damaged),
        ):
            with self.assertRaises(kind):
                engine().read_document(pages, date=DATE)

    @needs_documents
    def test_a_page_and_the_chip_of_another_document(self):
        document = engine().read_document([PAGES / "clean-0.png"], chip("td1-39794-jp2"), date=DATE)
        self.assertIn(DocumentStatus.MRZ_RFID_MISMATCH, document.statuses)
        self.assertTrue(document.mismatches)
        for mismatch in document.mismatches:
            self.assertNotEqual(mismatch.page.value, mismatch.chip.value)
            self.assertEqual(mismatch.chip, document.chip_fields[mismatch.name])
            self.assertEqual(mismatch.page, document.page_fields[mismatch.name])


class ChipTests(unittest.TestCase):
    def test_what_is_no_chip(self):
        with self.assertRaises(Unreadable):
            Chip("/nowhere")
        empty = Chip()
        with self.assertRaisesRegex(BadArgument, "no files"):
            engine().read_document(chip=empty, date=DATE)
        with self.assertRaisesRegex(UnknownFormat, "notes"):
            empty.add(b"\x01\x02", "notes")
        empty.add(memoryview(b"\x61\x00"), "EF.DG1")
        empty.add(b"\x61\x00", "dg01.bin")
        with self.assertRaisesRegex(BadArgument, "differ"):
            empty.add(b"\x61\x01\x00", "dg1")
        with self.assertRaises(TooLarge):
            empty.add(bytes(31 << 20), "EF.DG2")
        with self.assertRaises(BadArgument):
            empty.add(b"\x61\x00", "EF.DG1\0")
        document = engine().read_document(chip=empty, date=DATE)
        self.assertEqual((document.rfid_status, document.verdict), (RFIDStatus.ERROR, Verdict.NOT_CHECKED))
        self.assertIn(DocumentStatus.RFID_GENERIC_ERROR, document.statuses)
        self.assertEqual([(step.name, step.reason) for step in document.steps], [("signature", "sod-missing")])

    @needs_documents
    def test_a_genuine_chip(self):
        document = read("td3-jpeg", Trust(DOCUMENTS / "trust"))
        self.assertIs(document.verdict, Verdict.AUTHENTIC)
        self.assertIs(document.rfid_status, RFIDStatus.SUCCESS)
        self.assertIs(document.portrait_trust, PortraitTrust.AUTHENTIC)
        self.assertTrue(document.has_chip)
        self.assertEqual(document.statuses, (DocumentStatus.EXPIRED_DOCUMENT,))
        self.assertEqual(document.fields["surname"], DocumentField("ERIKSSON", None, FieldStatus.OK))
        self.assertEqual(document.chip_fields["dateOfIssue"].value, "2023-05-05")
        self.assertEqual(document.portrait[:3], b"\xff\xd8\xff")
        self.assertTrue(verify_document(document.photo_hash, document.data_hash, document.portrait, document.data_json))
        steps = {step.name: step for step in document.steps}
        self.assertIs(steps["chain"].status, CheckStatus.PASSED)
        self.assertIsNone(steps["chain"].reason)
        self.assertTrue(steps["chain"].text)

    @needs_documents
    def test_files_one_by_one(self):
        one_by_one, trust = Chip(), Trust()
        for file in (DOCUMENTS / "td3-jpeg").iterdir():
            one_by_one.add(file.read_bytes(), file.name)
        for file in (DOCUMENTS / "trust").iterdir():
            trust.add(file.read_bytes(), file.name)
        self.assertEqual(trust.anchor_count, 4)
        self.assertEqual(
            engine().read_document(chip=one_by_one, trust=trust, date=DATE).json,
            read("td3-jpeg", Trust(DOCUMENTS / "trust")).json,
        )

    @needs_documents
    def test_valid_is_not_authentic(self):
        for trust in (None, Trust()):
            document = read("td3-jpeg", trust)
            self.assertIs(document.verdict, Verdict.VALID_WITHOUT_ANCHOR)
            self.assertIs(document.portrait_trust, PortraitTrust.VALID_WITHOUT_ANCHOR)
            self.assertIs(document.rfid_status, RFIDStatus.UNDEFINED)

    @needs_documents
    @needs_samples
    def test_comparison(self):
        credential, trust = Credential(engine()), Trust(DOCUMENTS / "trust")
        match = credential.compare_document(PORTRAIT, read("td3-jpeg", trust))
        self.assertTrue(match)
        self.assertFalse([reason for reason in match.reasons if reason.code.startswith("document.")])
        for name in ("wrong-hash", "wrong-signature", "revoked-signer"):
            document = read(name, trust)
            self.assertIs(document.verdict, Verdict.INVALID)
            altered = credential.compare_document(PORTRAIT, document)
            self.assertIs(altered.result, Result.REFUSED)
            self.assertEqual(altered.reasons[0].code, "document.portrait-invalid")
            self.assertIsNone(altered.comparison)

    @needs_documents
    def test_damage_takes_nothing_away_from_the_rest(self):
        document = read("truncated-dg2")
        self.assertEqual(document.fields["documentNumber"].value, "L898902C3")
        self.assertIsNone(document.portrait)
        self.assertTrue(document.portrait_problem)

    @needs_documents
    def test_threads(self):
        shared, trust = chip("td3-jpeg"), Trust(DOCUMENTS / "trust")
        expected = engine().read_document(chip=shared, trust=trust, date=DATE).json
        with ThreadPoolExecutor(4) as pool:
            found = pool.map(lambda _: engine().read_document(chip=shared, trust=trust, date=DATE).json, range(12))
        self.assertEqual(set(found), {expected})

    @needs_documents
    def test_other_threads_go_on_meanwhile(self):
        shared, trust, ticks = chip("td3-jpeg"), Trust(DOCUMENTS / "trust"), 0
        thread = threading.Thread(target=lambda: engine().read_document(chip=shared, trust=trust, date=DATE))
        thread.start()
        while thread.is_alive():
            ticks += 1
        self.assertGreater(ticks, 100)


class TrustTests(unittest.TestCase):
    def test_what_is_no_trust(self):
        with self.assertRaises(Unreadable):
            Trust("/nowhere")
        trust = Trust()
        for data in (b"", b"hello", b"\x30\x84\xff\xff\xff\xff"):
            with self.assertRaises(UnknownFormat):
                trust.add(data, "file")
        with self.assertRaises(TooLarge):
            trust.add(bytes((32 << 20) + 1), "file")
        self.assertEqual(trust.anchor_count, 0)

    @needs_documents
    def test_master_lists(self):
        trust = Trust()
        with self.assertRaisesRegex(Damaged, "broken.ml: .*signature"):
            trust.add((DOCUMENTS / "masterlist" / "broken.ml").read_bytes(), "broken.ml")
        self.assertEqual(trust.anchor_count, 0)
        trust.add((DOCUMENTS / "masterlist" / "test.ml").read_bytes(), "test.ml")
        self.assertEqual(trust.anchor_count, 4)
        sources = json.loads(trust.json)["sources"]
        self.assertEqual([source["kind"] for source in sources], ["refused", "master-list"])
