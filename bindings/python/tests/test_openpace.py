"""A second opinion on live chips: cards whose PACE and secure messaging are by OpenPACE, the library libeac3 of Debian.

Debian builds it with generic mapping only. Its own chip authentication is of version 2, which travel documents lack.
"""

import ctypes
import itertools
import unittest

from support import DOCUMENTS, faceverify, needs_documents

DATE = "2026-06-01"
NUMBER = "123456"
PROTOCOLS = bytes.fromhex("04007f0007020204")  # id-PACE, BSI TR-03110-3, A.1.1.1
MAPPINGS = {"DH-GM": 1, "ECDH-GM": 2}
CIPHERS = {"3DES-CBC-CBC": 1, "AES-CBC-CMAC-128": 2, "AES-CBC-CMAC-192": 3, "AES-CBC-CMAC-256": 4}
GROUPS = {"DH-GM": range(3), "ECDH-GM": range(8, 19)}  # Doc 9303-11, 9.5.1
ACCESS = 0x011C  # EF.CardAccess
FILES = {"EF.COM": 0x011E, "EF.SOD": 0x011D} | {f"EF.DG{number}": 0x0100 + number for number in range(1, 17)}
NOT_FOUND = 0x6A82


class Buffer(ctypes.Structure):
    """BUF_MEM of OpenSSL."""

    _fields_ = [
        ("length", ctypes.c_size_t),
        ("data", ctypes.c_void_p),
        ("max", ctypes.c_size_t),
        ("flags", ctypes.c_ulong),
    ]


def load():
    try:
        library = ctypes.CDLL("libeac.so.3")
    except OSError:
        return None
    library.EAC_init()
    for name in ("BUF_MEM_create_init", "EAC_CTX_new", "PACE_SEC_new"):
        getattr(library, name).restype = ctypes.c_void_p
    return library


LIBRARY = load()


def call(function, *arguments, result=ctypes.POINTER(Buffer)):
    """Calls OpenPACE, with bytes as its buffers. Returns bytes, or whether it succeeded if the result is an int."""
    is_buffer = [isinstance(argument, bytes) for argument in arguments]
    passed = [
        ctypes.c_void_p(LIBRARY.BUF_MEM_create_init(value, ctypes.c_size_t(len(value))) if is_bytes else value)
        for value, is_bytes in zip(arguments, is_buffer, strict=True)
    ]
    pointer = getattr(LIBRARY, function)
    pointer.restype = result
    answer = pointer(*passed)
    for buffer in itertools.compress(passed, is_buffer):
        LIBRARY.BUF_MEM_clear_free(buffer)
    if result is ctypes.c_int:
        return answer == 1
    if not answer:
        raise ValueError(f"{function} fails")
    content = ctypes.string_at(answer.contents.data, answer.contents.length)
    LIBRARY.BUF_MEM_clear_free(answer)
    return content


def tlv(tag, *values):
    value = b"".join(values)
    size = len(value)
    head = [size] if size < 0x80 else [0x81, size] if size < 0x100 else [0x82, size >> 8, size & 0xFF]
    return bytes([tag, *head]) + value


def objects(data):
    """The data objects, whose tags have one byte."""
    found, position = {}, 0
    while position < len(data):
        size, start = data[position + 1], position + 2
        if size & 0x80:
            start += size & 0x7F
            size = int.from_bytes(data[position + 2 : start], "big")
        found[data[position]] = data[start : start + size]
        position = start + size
    return found


class OpenPACECard:
    """A transport to a card with files, which one variant of PACE opens."""

    def __init__(self, mapping, cipher, group, files):
        self.protocol = PROTOCOLS + bytes([MAPPINGS[mapping], CIPHERS[cipher]])
        info = tlv(0x30, tlv(0x06, self.protocol), tlv(0x02, b"\x02"), tlv(0x02, bytes([group])))
        self.files = {FILES[name]: content for name, content in files.items()} | {ACCESS: tlv(0x31, info)}
        self.selected = b""
        self.is_open = False
        self.context = LIBRARY.EAC_CTX_new()
        identifier = LIBRARY.EAC_OBJ_txt2nid(f"id-PACE-{mapping}-{cipher}".encode())
        if LIBRARY.EAC_CTX_init_pace(ctypes.c_void_p(self.context), identifier, group) != 1:
            raise ValueError(f"OpenPACE has no {mapping}-{cipher} with group {group}")
        number_kind = 2  # PACE_CAN
        self.password = LIBRARY.PACE_SEC_new(NUMBER.encode(), ctypes.c_size_t(len(NUMBER)), number_kind)

    def close(self):
        LIBRARY.PACE_SEC_clear_free(ctypes.c_void_p(self.password))
        LIBRARY.EAC_CTX_clear_free(ctypes.c_void_p(self.context))

    def __call__(self, command):
        start = 7 if len(command) > 7 and command[4] == 0 else 5  # extended length
        size = int.from_bytes(command[4 + start // 7 : start], "big") if len(command) > 5 else 0
        data = command[start : start + size]
        if command[0] & 0x0C:
            return self.secured(command[:4], objects(data))
        content, status = self.answer(command, data, command[-1] or 256)
        return content + status.to_bytes(2, "big")

    def secured(self, header, fields):
        """Secure messaging, Doc 9303-11, 9.8."""
        call("EAC_increment_ssc", self.context, result=ctypes.c_int)
        body = b"".join(tlv(tag, fields[tag]) for tag in (0x85, 0x87, 0x97) if tag in fields)
        if call("EAC_authenticate", self.context, self.padded(self.padded(header) + body)) != fields[0x8E]:
            return b"\x69\x88"
        # Commands with odd instructions have no padding indicator.
        encrypted = fields.get(0x85) or fields.get(0x87, b"")[1:]
        data = call("EAC_remove_iso_pad", call("EAC_decrypt", self.context, encrypted)) if encrypted else b""
        content, status = self.answer(header, data, int.from_bytes(fields.get(0x97, b"\0"), "big") or 256)
        call("EAC_increment_ssc", self.context, result=ctypes.c_int)
        body = tlv(0x99, status.to_bytes(2, "big"))
        if content:
            encrypted = call("EAC_encrypt", self.context, self.padded(content))
            body = (tlv(0x85, encrypted) if 0x85 in fields else tlv(0x87, b"\x01", encrypted)) + body
        code = call("EAC_authenticate", self.context, self.padded(body))
        return body + tlv(0x8E, code) + status.to_bytes(2, "big")

    def padded(self, data):
        return call("EAC_add_iso_pad", self.context, data)

    def answer(self, header, data, wanted):
        """The response to a command and its status."""
        _, instruction, first, second = header[:4]
        if instruction == 0xA4:
            identifier = int.from_bytes(data, "big")
            if first == 0x04:
                return b"", 0x9000
            if identifier not in self.files or identifier != ACCESS and not self.is_open:
                return b"", NOT_FOUND
            self.selected = self.files[identifier]
            return b"", 0x9000
        if instruction == 0xB0:
            offset = first << 8 | second
            if first & 0x80:
                if 0x0100 + (first & 0x1F) not in self.files:
                    return b"", NOT_FOUND
                self.selected, offset = self.files[0x0100 + (first & 0x1F)], second
            # As much as a response of 256 bytes holds under secure messaging.
            return self.selected[offset : offset + min(wanted, 223)], 0x9000
        if instruction == 0xB1:
            offset = int.from_bytes(objects(data)[0x54], "big")
            size = min(wanted, 223)
            return tlv(0x53, self.selected[offset : offset + size - (2 if size < 130 else 3)]), 0x9000
        if instruction == 0x22:
            return b"", 0x9000 if objects(data)[0x80] == self.protocol else 0x6A80
        if instruction == 0x86:
            return self.establish(objects(objects(data)[0x7C]))
        return b"", 0x6D00

    def establish(self, fields):
        """A step of PACE, Doc 9303-11, 4.4.4."""
        if not fields:
            return tlv(0x7C, tlv(0x80, call("PACE_STEP1_enc_nonce", self.context, self.password))), 0x9000
        if 0x81 in fields:
            own = call("PACE_STEP3A_generate_mapping_data", self.context)
            call("PACE_STEP3A_map_generator", self.context, fields[0x81], result=ctypes.c_int)
            return tlv(0x7C, tlv(0x82, own)), 0x9000
        if 0x83 in fields:
            self.theirs = fields[0x83]
            own = call("PACE_STEP3B_generate_ephemeral_key", self.context)
            call("PACE_STEP3B_compute_shared_secret", self.context, self.theirs, result=ctypes.c_int)
            call("PACE_STEP3C_derive_keys", self.context, result=ctypes.c_int)
            return tlv(0x7C, tlv(0x84, own)), 0x9000
        if not call("PACE_STEP3D_verify_authentication_token", self.context, fields[0x85], result=ctypes.c_int):
            return b"", 0x63C2
        token = call("PACE_STEP3D_compute_authentication_token", self.context, self.theirs)
        self.is_open = LIBRARY.EAC_CTX_set_encryption_ctx(ctypes.c_void_p(self.context), 0) == 1  # EAC_ID_PACE
        return tlv(0x7C, tlv(0x86, token)), 0x9000


@unittest.skipUnless(LIBRARY, "no libeac3: scripts/setup --tests installs it")
@needs_documents
class OpenPACETests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = DOCUMENTS / "td3-jpeg"
        cls.files = {name: (folder / name).read_bytes() for name in FILES if (folder / name).exists()}
        cls.trust = faceverify.TrustStore(DOCUMENTS / "trust")

    def read(self, card, number=NUMBER):
        try:
            return faceverify.read_chip(card_access_number=number, transport=card)
        finally:
            card.close()

    def test_each_variant_is_opened_and_read(self):
        for mapping, cipher in itertools.product(MAPPINGS, CIPHERS):
            for group in GROUPS[mapping]:
                with self.subTest(mapping=mapping, cipher=cipher, group=group):
                    # OpenPACE omits leading zeros of the shared secret, which PKCS #3 does not allow: one session in 256
                    # over a prime field has other keys.
                    for _ in range(1 if mapping == "ECDH-GM" else 4):
                        chip = self.read(OpenPACECard(mapping, cipher, group, self.files))
                        if chip.access is faceverify.ChipAccess.OPENED:
                            break
                    self.assertIs(chip.access, faceverify.ChipAccess.OPENED)
                    self.assertEqual(chip.protocol, f"id-PACE-{mapping}-{cipher}")
                    self.assertIsNone(chip.interruption)
                    report = chip.report(self.trust, date=DATE)
                    self.assertIs(report.verdict, faceverify.Verdict.AUTHENTIC)
                    # The files announce keys that this card does not have.
                    self.assertIs(report.proof, faceverify.ChipProof.CLONE_SUSPECTED)

    def test_a_wrong_number_is_refused(self):
        for mapping, group in (("DH-GM", 1), ("ECDH-GM", 13)):
            chip = self.read(OpenPACECard(mapping, "AES-CBC-CMAC-128", group, self.files), "654321")
            self.assertEqual((chip.access, chip.attempts_left), ("password-refused", 2))


if __name__ == "__main__":
    unittest.main()
