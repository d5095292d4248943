import asyncio
import json
import threading
import unittest

from support import DOCUMENTS, OTHER, PORTRAIT, SELFIE, SPECIMEN, engine, faceverify, grey, needs_documents, needs_samples

from faceverify import CheckStatus, Chip, Journey, JourneyState, LogicalError, Record, Result, ScanMode

NOW = 1.7e9
FACE = {"requests": [{"category": "face"}], "faceModes": ["passive", "face-manual"]}

# Generated with `openssl genpkey -algorithm ed25519` for these tests.
PRIVATE = (
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIIKd1Te9S3DlPi/uV3L2NfKPBvK3rzA4H/rTDtaXKBxE\n"
    "-----END PRIVATE KEY-----\n"
)
PUBLIC = (
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEAg2SethwxXEIINqeyA4sEX2G2TFccRaKR/3Yv7KNJXr0=\n"
    "-----END PUBLIC KEY-----\n"
)


def started(configuration=None, **more):
    journey = Journey(engine(), FACE if configuration is None else configuration, now=NOW, **more)
    journey.perform("start", NOW)
    return journey


def names(journey):
    return [event.name for event in journey.events()]


def hold_up(journey, photo):
    """Adds the frames of one second of a photo in front of the camera."""
    journey.start_credential(0, NOW)
    journey.start_part("face", now=NOW)
    for number in range(10):
        feedback = journey.add_frame(photo, number / 10, now=NOW + number / 10)
    return feedback


def finish(journey):
    for call in ("finish-part", "finish-credential", "finish"):
        journey.perform(call, NOW + 2)


class SpecificationTests(unittest.TestCase):
    def test_terms(self):
        self.assertEqual(faceverify.CheckStatus.NOT_CHECKED.specification_name, "NOT_CHECKED")
        self.assertEqual(ScanMode.STRICT.specification_name, "livenessPremium")
        for kind in (faceverify.DocumentType, faceverify.JourneyPart, ScanMode):
            for value in kind:
                if value.specification_name is not None:
                    self.assertIs(kind.of_specification_name(value.specification_name), value)
            self.assertIsNone(kind.of_specification_name("no such name"))
        self.assertEqual(faceverify.specification_field_name("mrzLines"), "mrzStrings")
        self.assertEqual(faceverify.specification_document_hint("centre-document"), "centerId")
        self.assertEqual(faceverify.specification_older_error_code("A000000"), "A10000")
        self.assertEqual(
            (faceverify.specification_field_name("no such"), faceverify.specification_rejection_number("no such")),
            (None, None),
        )
        document = faceverify.parse_mrz("".join(SPECIMEN), "2026-11-21")
        self.assertEqual(document.specification_chip_status, "UNDEFINED")
        self.assertIn("EXPIRED_DOCUMENT", document.specification_statuses)


class JourneyTests(unittest.TestCase):
    @needs_samples
    # Rows: J30 J31 J34 J35 J41 J53
    def test_a_journey_reaches_its_result(self):
        consents = {"consents": [{"text": "May your face be analysed?", "isActive": True}]}
        template = engine().sample(SELFIE).template
        with Journey(engine(), {**FACE, **consents}, portrait=template, now=NOW) as journey:
            journey.perform("start", NOW)
            self.assertEqual((journey.state, str(journey)), (JourneyState.CONSENTING, "<Journey consenting>"))
            first = next(journey.events())
            self.assertEqual((first.name, first.at), ("initialized", NOW))
            self.assertTrue(first.json()["consents"][0]["isActive"])
            journey.consent(0, True, NOW)
            feedback = hold_up(journey, PORTRAIT)
            self.assertEqual((feedback.has_face, feedback.time), (True, 0.9))
            self.assertEqual((journey.fallback, journey.is_shutter_due), (ScanMode.FACE_MANUAL, False))
            self.assertEqual((journey.result, journey.credentials), (None, ()))
            finish(journey)
            self.assertEqual(
                names(journey),
                ["prepare", "started", "scan-view", "processing", "image-taken", "can-finish", "credential-finished"]
                + ["all-captured", "finished"],
            )
            result = journey.result
            self.assertTrue(result.is_complete)
            self.assertIn(result.result, (CheckStatus.NOT_CHECKED, CheckStatus.FAILED))
            self.assertEqual((result.error_code, result.json()["id"]), (None, journey.id))
            (face,) = journey.credentials
            liveness, decision = face.liveness, face.decision
            self.assertTrue(decision.result is Result.MATCH and liveness.selfie and face.document is None)
            self.assertEqual((str(face.category), str(face.mode), str(face.presence)), ("face", "passive", "none"))
            self.assertTrue(all("." in reason.code for reason in face.reasons) and face.reasons)
            journey.clear()
            self.assertEqual((journey.result.json_text, journey.credentials), ("", ()))
            self.assertEqual(liveness.json_text, "")

    @needs_samples
    def test_another_person_fails(self):
        with started(portrait=engine().sample(SELFIE).template) as journey:
            hold_up(journey, OTHER)
            finish(journey)
            self.assertEqual(journey.result.result, CheckStatus.FAILED)

    @needs_documents
    def test_a_document_is_read_from_files(self):
        page = DOCUMENTS.with_name("pages") / "clean-0.png"
        if not page.exists():
            self.skipTest("no drawn pages")
        asked = {"requests": [{"category": "id", "types": ["passport"]}], "documentModes": ["file"]}
        asked.update({"requiresChip": True, "asksConfirmation": True, "givesInstantFeedback": False})
        with started(asked, trust=faceverify.TrustStore(DOCUMENTS / "trust")) as journey:
            journey.start_credential(0, NOW)
            choices = journey.choices(0)
            self.assertTrue(len(choices) > 100 and {str(one.type) for one in choices} == {"passport"})
            self.assertEqual(journey.choices(1), ())
            journey.configure(choices[0], NOW)
            journey.start_part("front", "file", NOW)
            journey.attach(page, NOW)
            self.assertTrue(journey.state is JourneyState.CONFIRMING and journey.picture)
            journey.perform("confirm", NOW)
            self.assertIsNone(journey.picture)
            journey.perform("finish-part", NOW)
            journey.perform("finish-credential", NOW)
            journey.start_part("chip", now=NOW)
            journey.attach(Chip(DOCUMENTS / "td3-jpeg"), NOW)
            finish(journey)
            self.assertIn("addon-part", names(journey))
            self.assertTrue(journey.credentials[0].document.has_chip)

    # Rows: J31
    def test_wrong_calls_have_logical_errors(self):
        with started() as journey:
            self.assertIsNone(journey.refusal)
            for call, name in (
                (lambda: journey.perform("start", NOW), "wrong-order"),
                (lambda: journey.start_credential(1, NOW), "unknown-credential"),
                (lambda: journey.perform("finish", NOW), "controller-not-completed"),
                (lambda: journey.start_part("face", now=NOW), "dead-credential"),
                (lambda: journey.add_frame(grey(), 0, now=NOW), "dead-scan-part"),
                (lambda: journey.record(PRIVATE), "controller-not-completed"),
                (journey.clear, "controller-not-completed"),
            ):
                with self.assertRaises(LogicalError) as caught:
                    call()
                self.assertEqual(caught.exception.name, name)
                self.assertIsInstance(caught.exception, faceverify.WrongStateError)
            self.assertEqual(journey.refusal, "dead-scan-part")
        with self.assertRaises(LogicalError) as caught:
            Journey(engine(), {"requiredVersion": "9.9"})
        self.assertEqual(caught.exception.name, "dependency-wrong-version")

    def test_invalid_arguments(self):
        for configuration in ({"requests": 1}, {"noSuchMember": 1}, {"requests": []}):
            with self.assertRaises(faceverify.BadArgumentError):
                Journey(engine(), configuration)
        with started() as journey:
            for call in (
                lambda: journey.perform("jump", NOW),
                lambda: journey.perform("tick", NOW - 1),
                lambda: journey.consent(0, True, NOW),
                lambda: journey.report("D000000", NOW),
                lambda: journey.start_part("nose", now=NOW),
            ):
                with self.assertRaises(faceverify.BadArgumentError):
                    call()

    def test_identifiers_are_checked_for_personal_data(self):
        with Journey(engine(), {"userReference": "anna@example.org"}) as journey:
            self.assertIn("userReference", "".join(journey.warnings))
        self.assertEqual(len(journey._waiting), 0)

    def test_retryable_errors_and_others(self):
        with started() as journey:
            journey.report("E000000", NOW)
            self.assertIs(journey.state, JourneyState.FAILED)
            journey.perform("retry", NOW)
            journey.perform("cancel", 0)
            self.assertEqual((journey.result.error_code, journey.result.is_complete), ("G000000", False))
            self.assertEqual(names(journey), ["initialized", "error", "finished"])

    @needs_samples
    def test_any_thread_cancels_a_journey(self):
        caught = []
        with started() as journey:
            journey.start_credential(0, NOW)
            journey.start_part("face", now=NOW)

            def watch():
                try:
                    for number in range(1000):
                        journey.add_frame(SELFIE, number / 10, now=NOW + number / 10)
                except (faceverify.CallCancelledError, LogicalError) as error:
                    caught.append(error)

            thread = threading.Thread(target=watch)
            thread.start()
            journey.perform("cancel", NOW)
            thread.join()
            self.assertTrue(len(caught) == 1 and journey.state is JourneyState.FINISHED)


class AsyncTests(unittest.TestCase):
    def test_events_arrive_during_calls(self):
        async def lead():
            with started() as journey:

                async def read():
                    return [event.name async for event in journey.events_async()]

                reader = asyncio.ensure_future(read())
                loop = asyncio.get_running_loop()
                await loop.run_in_executor(None, journey.start_credential, 0, NOW)
                await asyncio.sleep(0.01)
                await loop.run_in_executor(None, journey.start_part, "face", "face-manual", NOW)
                await loop.run_in_executor(None, journey.perform, "cancel", NOW)
                return await asyncio.wait_for(reader, 10)

        self.assertEqual(asyncio.run(lead()), ["initialized", "prepare", "started", "scan-view", "finished"])

    def test_closing_ends_the_events(self):
        async def lead():
            journey = started()

            async def read():
                return [event.name async for event in journey.events_async()]

            reader = asyncio.ensure_future(read())
            await asyncio.sleep(0.01)
            journey.close()
            return await asyncio.wait_for(reader, 10)

        self.assertEqual(asyncio.run(lead()), ["initialized"])


class RecordTests(unittest.TestCase):
    def test_a_record_is_signed_and_verified(self):
        with started() as journey:
            journey.perform("cancel", NOW)
            record = journey.record(PRIVATE)
            self.assertEqual(journey.record(PRIVATE), record)
            for call, error in (
                (lambda: journey.record("no key"), faceverify.UnknownFormatError),
                (lambda: journey.record(PUBLIC), faceverify.BadArgumentError),
                (lambda: journey.record(), faceverify.BadArgumentError),
                (lambda: journey.record(public_key=PUBLIC, sign=lambda _: bytes(64)), faceverify.InternalError),
                (lambda: journey.record(public_key=PUBLIC, sign=lambda _: b"short"), ValueError),
                (lambda: journey.record(public_key=PUBLIC, sign=lambda _: 1 // 0), ZeroDivisionError),
            ):
                with self.assertRaises(error):
                    call()
            signed = []
            with self.assertRaises(faceverify.InternalError):
                journey.record(public_key=PUBLIC, sign=lambda data: signed.append(data) or bytes(64))
            self.assertEqual(json.loads(signed[0])["body"]["id"], journey.id)
        self.assertIs(record.verify(PUBLIC).result, CheckStatus.PASSED)
        unknown = record.verify()
        self.assertEqual((unknown.result, len(unknown.signer)), (CheckStatus.NOT_CHECKED, 64))
        changed = Record(record.json_text.replace("G000000", "H000000").encode()).verify(PUBLIC)
        failed = [one["check"] for one in changed.json()["checks"] if one["status"] == "failed"]
        self.assertTrue(changed.result is CheckStatus.FAILED and "signature" in failed)
        self.assertEqual(Record(record.json_text.encode()), record)
        for data, error in ((b"", faceverify.DamagedError), (b"{}", faceverify.UnknownFormatError)):
            with self.assertRaises(error):
                Record(data)


if __name__ == "__main__":
    unittest.main()
