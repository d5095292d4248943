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
    grey,
    needs_documents,
    needs_samples,
)

from faceverify import (
    DOCUMENT_FIELDS,
    BadArgumentError,
    Cancellation,
    CallCancelledError,
    CheckStatus,
    Chip,
    DamagedError,
    Document,
    DocumentField,
    DocumentSource,
    DocumentType,
    Image,
    NoFaceError,
    Result,
    CallTimeoutError,
    TooLargeError,
    TrustStore,
    UnknownFormatError,
    UnreadableError,
    Verdict,
    parse_mrz,
    verify_document,
)

DATE = "2026-06-01"  # the reference date of the test chips


def chip(name):
    return Chip(DOCUMENTS / name)


def checks(document):
    """Returns the status and reason of each check."""
    return {check.name: (check.status, check.reason) for check in document.checks}


def read(name, trust=None):
    return engine().read_document(chip=chip(name), trust=trust, date=DATE)


class ZoneTests(unittest.TestCase):
    def test_fields_have_their_status(self):
        document = parse_mrz("\n".join(SPECIMEN), "2010-01-01")
        fields = document.fields
        self.assertEqual(tuple(fields), DOCUMENT_FIELDS)
        self.assertEqual(fields["documentNumber"], DocumentField("L898902C3", None, CheckStatus.PASSED))
        self.assertEqual(fields["address"], DocumentField(None, "absent", CheckStatus.NOT_CHECKED))
        self.assertEqual([fields[name].value for name in ("age", "surname", "sex")], ["35", "ERIKSSON", "F"])
        self.assertEqual(document.mrz_lines, SPECIMEN)
        self.assertEqual(
            (document.type, document.type_name, document.date), (DocumentType.PASSPORT, "Passport", "2010-01-01")
        )
        self.assertEqual(document.page_fields["surname"].value, "ERIKSSON")
        self.assertIsNone(document.chip_fields)
        self.assertEqual(fields, pickle.loads(pickle.dumps(fields)))

    def test_missing_values(self):
        document = parse_mrz("".join(SPECIMEN), datetime.date(2010, 1, 1))
        self.assertEqual((document.pages, document.steps, document.mismatches), ((), (), ()))
        self.assertEqual((document.portrait, document.portrait_source, document.sample), (None, None, None))
        self.assertEqual((document.portrait_problem, document.portrait_sha256, document.verdict), (None, None, None))
        self.assertFalse(document.has_chip)
        self.assertIs(document.result, CheckStatus.NOT_CHECKED)
        self.assertEqual(checks(document)["chip-read"], (CheckStatus.NOT_CHECKED, "no-chip"))

    def test_the_date_decides(self):
        text = "".join(SPECIMEN)
        later = parse_mrz(text, datetime.datetime(2012, 4, 16, 8, 30))
        self.assertEqual(later.date, "2012-04-16")
        self.assertIs(later.result, CheckStatus.FAILED)
        self.assertEqual(checks(later)["expiry"], (CheckStatus.FAILED, "expired"))
        self.assertEqual(checks(parse_mrz(text, "2012-04-15"))["expiry"], (CheckStatus.PASSED, None))

    def test_a_wrong_check_digit_is_a_result(self):
        document = parse_mrz("".join(SPECIMEN).replace("C36UTO", "C37UTO"), "2010-01-01")
        self.assertEqual(
            document.fields["documentNumber"], DocumentField("L898902C3", "check-digit-wrong", CheckStatus.FAILED)
        )
        self.assertIs(document.result, CheckStatus.FAILED)
        self.assertIs(checks(document)["validation"][0], CheckStatus.FAILED)
        self.assertIn("C37UTO", document.mrz_lines[1])
        self.assertIn("C36UTO", document.fields["mrzLinesWithCorrectCheckDigits"].value)

    def test_invalid_zones(self):
        for text, date, kind in (
            ("P<UTO", "2010-01-01", UnknownFormatError),
            ("", "2010-01-01", UnknownFormatError),
            ("".join(SPECIMEN).lower(), "2010-01-01", DamagedError),
            ("".join(SPECIMEN), "1.1.2010", BadArgumentError),
            ("".join(SPECIMEN), "2010-02-29", BadArgumentError),
            ("".join(SPECIMEN), 20100101, TypeError),
            ("".join(SPECIMEN), None, TypeError),
            ("P<\0", "2010-01-01", BadArgumentError),
        ):
            with self.assertRaises(kind) as caught:
                parse_mrz(text, date)
            self.assertTrue(str(caught.exception))

    def test_json(self):
        document = parse_mrz("".join(SPECIMEN), "2010-01-01")
        record = document.json()
        self.assertEqual(record["mrz"]["lines"], list(SPECIMEN))
        self.assertIn(f'"{document.data_sha256}"', document.json_text)
        self.assertEqual(json.loads(document.data_json_text)["surname"]["value"], "ERIKSSON")

    def test_hashes_bind_portrait_and_data(self):
        document = parse_mrz("".join(SPECIMEN), "2010-01-01")
        same = verify_document(document.portrait_sha256, document.data_sha256, b"photo", document.data_json_text)
        self.assertEqual((same.portrait, same.data), (CheckStatus.NOT_CHECKED, CheckStatus.PASSED))
        self.assertFalse(same)
        other = verify_document(None, document.data_sha256, data=document.data_json_text + " ")
        self.assertEqual((other.portrait, other.data), (CheckStatus.NOT_CHECKED, CheckStatus.FAILED))
        # SHA-256 of nothing and of "abc" (FIPS 180-2).
        nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        self.assertTrue(verify_document(nothing, abc, b"", "abc"))
        self.assertTrue(verify_document(abc, nothing, bytearray(b"abc"), ""))
        with self.assertRaises(BadArgumentError):
            verify_document("no hash", None)

    def test_documents_are_not_made_directly(self):
        with self.assertRaises(TypeError):
            Document()
        with parse_mrz("".join(SPECIMEN), "2010-01-01") as document:
            pass
        with self.assertRaisesRegex(BadArgumentError, "Document is closed"):
            document.fields


@needs_samples
class PageTests(unittest.TestCase):
    def test_a_portrait_is_not_a_page(self):
        document = engine().read_document([SELFIE], date=DATE)
        self.assertEqual((document.type, document.type_name, document.mrz_lines), (None, None, ()))
        self.assertEqual((document.page_fields, document.data_sha256, document.data_json_text), (None, None, None))
        self.assertIs(document.portrait_source, DocumentSource.PAGE)
        self.assertEqual(document.portrait[:4], b"\x89PNG")
        self.assertEqual(document.portrait_sha256, Image.from_bytes(document.portrait).sha256)
        self.assertIs(verify_document(document.portrait_sha256, None, document.portrait).portrait, CheckStatus.PASSED)
        (checks,) = document.pages
        self.assertIn("blurry", [check.reason for check in checks])
        for check in checks:
            self.assertTrue(check.status is not CheckStatus.NOT_CHECKED or check.value is None)
            self.assertEqual(check.status is CheckStatus.PASSED, check.text == "")
        self.assertTrue(document.sample.is_accepted)

    def test_comparison(self):
        document = engine().read_document([SELFIE], date=DATE)
        # A photo without a zone is not a document, and never a match.
        holder = engine().compare(PORTRAIT, document)
        self.assertIs(holder.result, Result.REFUSED)
        self.assertLessEqual(
            {"document.portrait-page", "document.validation"}, {reason.code for reason in holder.reasons})
        self.assertEqual(holder.json()["document"]["date"], DATE)
        self.assertIs(holder.json()["comparison"]["match"], True)
        stranger = engine().compare(Image.from_file(OTHER), document)
        self.assertIs(stranger.result, Result.REFUSED)
        self.assertIn("score-beyond-threshold", [reason.code for reason in stranger.reasons])
        with self.assertRaisesRegex(UnreadableError, "^selfie: "):
            engine().compare("/nowhere.jpg", document)
        nobody = engine().read_document([grey()], date=DATE)
        self.assertEqual((nobody.portrait, nobody.result), (None, CheckStatus.FAILED))
        with self.assertRaisesRegex(NoFaceError, "^document: "):
            engine().compare(SELFIE, nobody)

    def test_printed_text(self):
        document = engine().read_document([SELFIE], date=DATE, reads_text=True)
        self.assertIsInstance(document.json()["pages"][0]["text"], list)
        self.assertEqual({field.value for field in document.print_fields.values()}, {None})
        self.assertEqual(checks(document)["print-matches"], (CheckStatus.NOT_CHECKED, "one-source"))
        self.assertIsNone(engine().read_document([SELFIE], date=DATE).print_fields)

    @needs_documents
    def test_an_altered_field(self):
        pages = json.loads((DOCUMENTS.parent / "pages" / "pages.json").read_text())
        page = next(page for page in pages if page["kind"] == "altered")
        document = engine().read_document([DOCUMENTS.parent / "pages" / page["file"]], date=DATE, reads_text=True)
        (mismatch,) = document.mismatches
        self.assertEqual((mismatch.name, mismatch.chip), (page["altered"], None))
        self.assertNotEqual(mismatch.print.value, mismatch.page.value)
        self.assertEqual(document.print_fields[mismatch.name], mismatch.print)
        self.assertEqual(checks(document)["print-matches"], (CheckStatus.FAILED, "sources-differ"))

    def test_every_kind_of_photo(self):
        data = SELFIE.read_bytes()
        records = {
            engine().read_document([photo], date=DATE).json_text
            for photo in (str(SELFIE), SELFIE, data, bytearray(data), Image.from_file(SELFIE))
        }
        self.assertEqual(len(records), 1)

    def test_settings(self):
        photo = Image.from_file(SELFIE)
        asked = engine().read_document([photo, photo], date=DATE, is_chip_expected=True, is_single_page=True)
        self.assertEqual(checks(asked)["chip-read"], (CheckStatus.FAILED, "no-chip"))
        self.assertEqual(len(asked.pages), 2)
        asked = engine().read_document([photo], date=DATE)
        self.assertEqual(checks(asked)["chip-read"], (CheckStatus.NOT_CHECKED, "no-chip"))

    def test_budgets(self):
        photo, cancellation = Image.from_file(SELFIE), Cancellation()
        cancellation.cancel()
        with self.assertRaises(CallCancelledError):
            engine().read_document([photo], date=DATE, cancellation=cancellation)
        with self.assertRaises(CallTimeoutError):
            engine().read_document([photo], date=DATE, timeout=1e-9)
        self.assertTrue(engine().read_document([photo], date=DATE, timeout=60, cancellation=Cancellation()).json_text)

    def test_unreadable_input(self):
        for pages, kind in (
            ([], BadArgumentError),
            ([SELFIE] * 65, BadArgumentError),
            (["/nowhere.jpg"], UnreadableError),
            ([b"no picture"], UnknownFormatError),
            ([SELFIE.read_bytes()[:20000]], DamagedError),
        ):
            with self.assertRaises(kind):
                engine().read_document(pages, date=DATE)

    @needs_documents
    def test_page_and_chip_of_two_documents_differ(self):
        document = engine().read_document([PAGES / "clean-0.png"], chip("td1-39794-jp2"), date=DATE)
        self.assertIs(checks(document)["mrz-matches-chip"][0], CheckStatus.FAILED)
        self.assertTrue(document.mismatches)
        for mismatch in document.mismatches:
            self.assertNotEqual(mismatch.page.value, mismatch.chip.value)
            self.assertEqual(mismatch.chip, document.chip_fields[mismatch.name])
            self.assertEqual(mismatch.page, document.page_fields[mismatch.name])


class ChipTests(unittest.TestCase):
    def test_invalid_chips(self):
        with self.assertRaises(UnreadableError):
            Chip("/nowhere")
        empty = Chip()
        with self.assertRaisesRegex(BadArgumentError, "no files"):
            engine().read_document(chip=empty, date=DATE)
        with self.assertRaisesRegex(UnknownFormatError, "notes"):
            empty.add(b"\x01\x02", "notes")
        empty.add(memoryview(b"\x61\x00"), "EF.DG1")
        empty.add(b"\x61\x00", "dg01.bin")
        with self.assertRaisesRegex(BadArgumentError, "differ"):
            empty.add(b"\x61\x01\x00", "dg1")
        with self.assertRaises(TooLargeError):
            empty.add(bytes(31 << 20), "EF.DG2")
        with self.assertRaises(BadArgumentError):
            empty.add(b"\x61\x00", "EF.DG1\0")
        document = engine().read_document(chip=empty, date=DATE)
        self.assertEqual((document.result, document.verdict), (CheckStatus.FAILED, Verdict.NOT_CHECKED))
        self.assertIs(checks(document)["chip-read"][0], CheckStatus.FAILED)
        self.assertEqual([(step.name, step.reason) for step in document.steps], [("signature", "sod-missing")])

    @needs_documents
    def test_a_genuine_chip_is_authentic(self):
        document = read("td3-jpeg", TrustStore(DOCUMENTS / "trust"))
        self.assertIs(document.verdict, Verdict.AUTHENTIC)
        self.assertIs(document.portrait_source, DocumentSource.CHIP)
        self.assertTrue(document.has_chip)
        failed = [name for name, (status, _) in checks(document).items() if status is not CheckStatus.PASSED]
        self.assertEqual(failed, ["expiry", "mrz-matches-chip", "pages-match", "portrait-matches-chip", "print-matches"])
        self.assertEqual(document.fields["surname"], DocumentField("ERIKSSON", None, CheckStatus.PASSED))
        self.assertEqual(document.chip_fields["dateOfIssue"].value, "2023-05-05")
        self.assertEqual(document.portrait[:3], b"\xff\xd8\xff")
        self.assertTrue(
            verify_document(document.portrait_sha256, document.data_sha256, document.portrait, document.data_json_text)
        )
        steps = {step.name: step for step in document.steps}
        self.assertIs(steps["chain"].status, CheckStatus.PASSED)
        self.assertIsNone(steps["chain"].reason)
        self.assertTrue(steps["chain"].text)

    @needs_documents
    def test_files_are_added_one_by_one(self):
        one_by_one, trust = Chip(), TrustStore()
        for file in (DOCUMENTS / "td3-jpeg").iterdir():
            one_by_one.add(file.read_bytes(), file.name)
        for file in (DOCUMENTS / "trust").iterdir():
            trust.add(file.read_bytes(), file.name)
        self.assertEqual(trust.anchor_count, 4)
        self.assertEqual(
            engine().read_document(chip=one_by_one, trust=trust, date=DATE).json_text,
            read("td3-jpeg", TrustStore(DOCUMENTS / "trust")).json_text,
        )

    @needs_documents
    def test_valid_is_not_authentic(self):
        for trust in (None, TrustStore()):
            document = read("td3-jpeg", trust)
            self.assertIs(document.verdict, Verdict.VALID_WITHOUT_ANCHOR)
            self.assertEqual(checks(document)["chip-read"], (CheckStatus.PASSED, None))
            self.assertIs(checks(document)["passive-authentication"][0], CheckStatus.NOT_CHECKED)

    @needs_documents
    @needs_samples
    def test_comparison(self):
        trust = TrustStore(DOCUMENTS / "trust")
        self.assertIs(engine().compare(PORTRAIT, read("td3-j2k", trust)).result, Result.MATCH)
        expired = engine().compare(PORTRAIT, read("td3-jpeg", trust))
        self.assertIs(expired.result, Result.REFUSED)
        found = [reason.code for reason in expired.reasons if reason.code.startswith("document.")]
        self.assertEqual(found, ["document.expiry"])  # in 2012
        for name in ("wrong-hash", "wrong-signature", "revoked-signer"):
            document = read(name, trust)
            self.assertIs(document.verdict, Verdict.INVALID)
            altered = engine().compare(PORTRAIT, document)
            self.assertIs(altered.result, Result.REFUSED)
            self.assertEqual(altered.reasons[0].code, "document.portrait-invalid")
            self.assertIsNone(altered.comparison)

    @needs_documents
    @needs_samples
    def test_an_incomplete_chip_never_matches(self):
        trust = TrustStore(DOCUMENTS / "trust")
        for missing, reason in (("EF.SOD", "sod-unusable"), ("EF.DG14", "chip-incomplete")):
            rest = Chip()
            for file in (DOCUMENTS / "td3-jpeg").iterdir():
                if file.name != missing:
                    rest.add(file.read_bytes(), file.name)
            document = engine().read_document(chip=rest, trust=trust, date=DATE)
            self.assertEqual(checks(document)["chip-read"], (CheckStatus.FAILED, reason))
            decision = engine().compare(PORTRAIT, document)
            self.assertIs(decision.result, Result.REFUSED)
            self.assertIn("document." + reason, [found.code for found in decision.reasons])

    @needs_documents
    def test_damaged_files_do_not_affect_others(self):
        document = read("truncated-dg2")
        self.assertEqual(document.fields["documentNumber"].value, "L898902C3")
        self.assertIsNone(document.portrait)
        self.assertTrue(document.portrait_problem)

    @needs_documents
    def test_threads(self):
        shared, trust = chip("td3-jpeg"), TrustStore(DOCUMENTS / "trust")
        expected = engine().read_document(chip=shared, trust=trust, date=DATE).json_text
        with ThreadPoolExecutor(4) as pool:
            found = pool.map(lambda _: engine().read_document(chip=shared, trust=trust, date=DATE).json_text, range(12))
        self.assertEqual(set(found), {expected})

    @needs_documents
    def test_other_threads_run_meanwhile(self):
        shared, trust, ticks = chip("td3-jpeg"), TrustStore(DOCUMENTS / "trust"), 0
        thread = threading.Thread(target=lambda: engine().read_document(chip=shared, trust=trust, date=DATE))
        thread.start()
        while thread.is_alive():
            ticks += 1
        self.assertGreater(ticks, 100)


class TrustStoreTests(unittest.TestCase):
    def test_invalid_trust_stores(self):
        with self.assertRaises(UnreadableError):
            TrustStore("/nowhere")
        trust = TrustStore()
        for data in (b"", b"hello", b"\x30\x84\xff\xff\xff\xff"):
            with self.assertRaises(UnknownFormatError):
                trust.add(data, "file")
        with self.assertRaises(TooLargeError):
            trust.add(bytes((32 << 20) + 1), "file")
        self.assertEqual(trust.anchor_count, 0)

    @needs_documents
    def test_master_lists(self):
        trust = TrustStore()
        with self.assertRaisesRegex(DamagedError, "broken.ml: .*signature"):
            trust.add((DOCUMENTS / "masterlist" / "broken.ml").read_bytes(), "broken.ml")
        self.assertEqual(trust.anchor_count, 0)
        # A valid list, but anyone can make one.
        right = (DOCUMENTS / "masterlist" / "test.ml").read_bytes()
        with self.assertRaisesRegex(UnknownFormatError, "pin that"):
            trust.add(right, "test.ml")
        for wrong in ("", "ab" * 31, "x" * 64):
            with self.assertRaises(BadArgumentError):
                trust.pin(wrong)
        trust.pin(trust.json()["sources"][1]["pin"])
        trust.add(right, "test.ml")
        self.assertEqual(trust.anchor_count, 4)
        sources = trust.json()["sources"]
        self.assertEqual([source["kind"] for source in sources], ["refused", "not-pinned", "master-list"])

    @needs_documents
    def test_leniencies_and_expiry(self):
        with TrustStore(DOCUMENTS / "trust") as trust:
            for name, verdict, strict, validity in (
                ("no-key-usage", Verdict.AUTHENTIC, Verdict.INVALID, CheckStatus.PASSED),
                ("expired-signer", Verdict.AUTHENTIC, Verdict.AUTHENTIC, CheckStatus.FAILED),
            ):
                files = Chip(DOCUMENTS / name)
                usual = engine().read_document(chip=files, trust=trust, date=DATE)
                severe = engine().read_document(chip=files, trust=trust, date=DATE, is_strict=True)
                self.assertEqual((usual.verdict, severe.verdict), (verdict, strict))
                self.assertEqual(usual.validity, validity)
