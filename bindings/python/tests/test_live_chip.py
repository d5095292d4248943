"""Live chips: a chip that the program emulated-chip emulates, through a transport of the tests."""

import asyncio
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import DOCUMENTS, EMULATED_CHIP, ROOT, SPECIMEN, EmulatedChip, engine, faceverify, needs_documents

DATE = "2026-06-01"


def trust_store():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([EMULATED_CHIP, "--authority", Path(folder, "csca.cer")], check=True)
        return faceverify.TrustStore(folder)


@unittest.skipUnless(EMULATED_CHIP.exists(), "FACEVERIFY_EMULATED_CHIP names no program; scripts/test builds it")
class LiveChipTests(unittest.TestCase):
    def test_a_chip_is_read_with_progress_report_and_files(self):
        seen = []
        with EmulatedChip("cam") as transport:
            chip = faceverify.read_chip(
                "\n".join(SPECIMEN), transport=transport, progress=lambda name, part: seen.append((name, part))
            )
        self.assertIs(chip.access, faceverify.ChipAccess.OPENED)
        self.assertEqual(chip.protocol, "id-PACE-ECDH-CAM-AES-CBC-CMAC-128")
        self.assertIsNone(chip.attempts_left)
        self.assertIsNone(chip.interruption)
        self.assertEqual(len(chip.transcript_sha256), 64)
        self.assertIn(("EF.DG2", 1.0), seen)
        with trust_store() as trust, chip.report(trust, date=DATE) as report:
            self.assertIs(report.verdict, faceverify.Verdict.AUTHENTIC)
            self.assertIs(report.proof, faceverify.ChipProof.NOT_CLONED)
            self.assertTrue(report.proof)
            self.assertIs(report.validity, faceverify.CheckStatus.PASSED)
            self.assertFalse(report)  # EF.DG2 has no portrait
            names = [step.name for step in report.proof_steps]
            self.assertEqual(names[:2], ["active-authentication", "chip-authentication"])
            self.assertTrue(all(report.proof_steps))
            self.assertEqual(report.steps[0].name, "signature")
            self.assertEqual(report.json()["proof"]["verdict"], "not-cloned")
            self.assertEqual(report.json()["session"]["commands"], chip.command_count)
        self.assertIs(chip.report(date=DATE).proof, faceverify.ChipProof.NOT_CHECKED)  # nothing is trusted
        chip.close()
        with self.assertRaises(faceverify.BadArgumentError):
            chip.report(date=DATE)

    @needs_documents
    def test_the_files_are_those_of_a_document(self):
        portrait = next(DOCUMENTS.glob("*/EF.DG2"))
        with EmulatedChip("pace", "--portrait", portrait) as transport, trust_store() as trust:
            chip = faceverify.read_chip(card_access_number="123456", transport=transport)
            document = engine().read_document([], chip.files, trust, date=DATE)
            self.assertIs(document.verdict, faceverify.Verdict.AUTHENTIC)
            self.assertEqual(document.fields["surname"].value, "ERIKSSON")
            self.assertTrue(chip.report(trust, date=DATE))

    def test_a_clone_is_suspected(self):
        with EmulatedChip("pace", "--fault", "wrongSignature") as transport, trust_store() as trust:
            report = faceverify.read_chip("L898902C3,740812,120415", transport=transport).report(trust, date=DATE)
        self.assertIs(report.proof, faceverify.ChipProof.CLONE_SUSPECTED)
        self.assertIs(report.result, faceverify.CheckStatus.FAILED)
        self.assertEqual(report.proof_steps[0].reason, "signature-wrong")

    def test_a_refused_password_is_a_result(self):
        with EmulatedChip("pace") as transport:
            for access, left in (("password-refused", 2), ("password-refused", 1), ("confirmation-needed", 1)):
                with faceverify.read_chip(card_access_number="654321", transport=transport) as chip:
                    self.assertEqual((chip.access, chip.attempts_left), (access, left))
                    self.assertIsNone(chip.files)
                    with self.assertRaises(faceverify.WrongStateError):
                        chip.report(date=DATE)
            chip = faceverify.read_chip(card_access_number="123456", transport=transport, is_confirmed=True)
            self.assertEqual(chip.access, "opened")

    def test_exceptions_of_the_transport_end_the_reading(self):
        def fails(_):
            raise ConnectionError("out of range")

        with self.assertRaisesRegex(ConnectionError, "out of range"):
            faceverify.read_chip("L898902C3,740812,120415", transport=fails)
        with self.assertRaises(faceverify.UnreadableError):
            faceverify.read_chip("L898902C3,740812,120415", transport=lambda _: bytes(70_000))
        with self.assertRaises(faceverify.DamagedError):
            faceverify.read_chip("L898902C3,740812,120415", transport=lambda _: b"")
        # Later, what was read before is kept.
        with EmulatedChip("bac", "--remove-after", "14") as transport:
            chip = faceverify.read_chip("L898902C3,740812,120415", transport=transport)
        self.assertIn("transport", chip.interruption)
        self.assertEqual(chip.report(date=DATE).json()["session"]["interruption"], chip.interruption)

    def test_exceptions_of_the_progress_handler_end_the_call(self):
        def fails(*_):
            raise KeyError("progress")

        with EmulatedChip("bac") as transport, self.assertRaises(KeyError):
            faceverify.read_chip("L898902C3,740812,120415", transport=transport, progress=fails)

    def test_reading_can_be_cancelled_and_awaited(self):
        cancellation = faceverify.Cancellation()
        with EmulatedChip("bac") as transport, self.assertRaises(faceverify.CallCancelledError):
            faceverify.read_chip(
                "L898902C3,740812,120415", transport=transport, cancellation=cancellation,
                progress=lambda *_: cancellation.cancel(),
            )  # fmt: skip
        with EmulatedChip("bac") as transport:
            reading = faceverify.run_async(faceverify.read_chip, "L898902C3,740812,120415", transport=transport)
            self.assertEqual(asyncio.run(reading).protocol, "BAC")
        with self.assertRaises(faceverify.CallTimeoutError):
            faceverify.read_chip(timeout=1e-9, transport=lambda _: b"\x90\x00")

    def test_arguments_are_checked(self):
        for arguments in (
            {"mrz": "L898902C3,740812"}, {"card_access_number": "12"},
            {"mrz": "L898902C3,740812,120415", "card_access_number": "123456"},
            {"card_access_number": "123456", "card_timeout": 5}, {"card_access_number": "123456", "card_timeout": 0},
            {"card_access_number": "123456", "reader": "x", "transport": bytes},
            {"card_access_number": "123456", "maximum_data_bytes": 70_000, "transport": bytes},
        ):  # fmt: skip
            with self.subTest(arguments), self.assertRaises(faceverify.BadArgumentError):
                faceverify.read_chip(**arguments)


class CardReaderTests(unittest.TestCase):
    def test_without_a_service_the_error_names_it(self):
        program = (
            "import faceverify\n"
            "for call in (faceverify.card_readers, lambda: faceverify.read_chip(card_access_number='123456')):\n"
            "    try:\n        call()\n"
            "    except faceverify.AbsentError as error:\n        print(error)\n"
        )
        environment = {**os.environ, "PCSCLITE_CSOCK_NAME": "/nonexistent", "PYTHONPATH": str(ROOT / "bindings/python")}
        output = subprocess.run(["python3", "-c", program], env=environment, capture_output=True, text=True, check=True)
        lines = output.stdout.splitlines()
        self.assertEqual(len(lines), 2, output)
        for line in lines:
            self.assertRegex(line, "pcscd|libpcsclite1")


if __name__ == "__main__":
    unittest.main()
