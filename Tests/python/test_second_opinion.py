"""A second opinion on the chips of Tests/documents/make_chips: `openssl cms -verify` agrees with chips.json, which is
also the reference for MadeChipTests, wherever it checks the same; differences are listed here with their reason."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

CHIPS = Path(os.environ.get('FACEVERIFY_DOCUMENTS', Path(__file__).parents[2] / '.deps/documents')) / 'chips'
NOON = '1780315200'  # of the chips' reference date, 2026-06-01

# Genuine chips that OpenSSL refuses.
STRICTER = {
    'crowd': 'it tries one of many authorities of one name',
    'csca-for-signatures': 'it forgives no authority that contradicts itself',
    'csca-without-ca': 'the same',
    'csca-serial-padded': 'it reads no number with redundant octets', 'serial-padded': 'the same',
    'ecdsa-redundant-zero': 'the same', 'ecdsa-no-zero': 'the same', 'ecdsa-plain': 'it reads two numbers in DER',
    'csca-of-two-algorithms': 'it compares the algorithms of an anchor', 'csca-extension-twice': 'it reads its extensions',
    'other-issuer-key': 'it finds an issuer only by its identifiers', 'other-issuer-certificate': 'the same',
    'reissued-csca-by-key': 'the same', 'reissued-csca-by-certificate': 'the same',
    'signer-in-trust-folder': 'it is not given the certificate', 'signer-by-key-in-trust-folder': 'the same',
    'explicit-curve': 'RFC 5480 wants curves by name, Doc 9303-12 with all parameters',
    'td3-j2k': 'the same',
    'issuer-in-other-order': 'it compares names letter by letter',
    'signer-in-other-order': 'the same',
    'other-digest': 'it wants the digest that the signer names',
    'time-with-no-seconds': 'it reads no times but those of RFC 5280', 'time-with-offset': 'the same',
    'unsorted-attributes': 'it wants the order of DER',
    'until-one-o-clock': 'it judges a second, and this is past it',
}
# Steps that it does not check: data groups, other files, lists, and requirements of only Doc 9303 or the profile.
NO_OPINION = {
    'hash-dg1', 'hash-dg2', 'hash-dg15', 'data-groups', 'com', 'card-security', 'card-security-validity', 'country',
    'revocation', 'document-type', 'private-key-usage', 'signing-time', 'signer-validity-at-signing', 'algorithms',
    'extended-key-usage', 'key-usage', 'basic-constraints', 'certificate-form'}
# OpenSSL accepts these, although they are invalid.
LAXER = {
    'email-constrained': 'it compares mail addresses; here their being constrained is enough to refuse them',
    'long-path': 'it follows paths of any length',
    'other-type-attribute': 'it does not look at the type among the signed attributes',
    'policy-constraints': 'it knows policies, which Doc 9303-12 does not allow',
    'policy-qualifier-unknown': 'it does not look at qualifiers',
    'signing-time-of-other-type': 'it does not read the time', 'signing-time-unreadable': 'the same',
    'two-signers': 'it checks each; here one is wanted',
    'no-dg2': 'it does not know what a chip has', 'card-security-of-stranger': 'the same',
}
DAMAGED = 'sod-damaged'  # it does not parse the list of hashes, or data after it


def objects(data):
    """The consecutive DER data objects."""
    position = 0
    while position < len(data):
        size, head = data[position + 1], 2
        if size & 0x80:
            head, size = 2 + (size & 0x7F), int.from_bytes(data[position + 2:position + 2 + (size & 0x7F)], 'big')
        yield data[position:position + head + size], data[position + head:position + head + size]
        position += head + size


def pem(folder):
    text = b''
    for file in sorted(folder.iterdir()):
        content = file.read_bytes()
        if b'-----BEGIN' in content:
            text += content[content.index(b'-----BEGIN'):]
            continue
        for whole, _ in objects(content):
            done = subprocess.run(['openssl', 'x509', '-inform', 'DER'], input=whole, capture_output=True)
            text += done.stdout if done.returncode == 0 else b''  # the others are revocation lists
    return text


@unittest.skipUnless((CHIPS / 'chips.json').exists(), 'scripts/test makes the chips')
class SecondOpinionTests(unittest.TestCase):
    # Rows: DR25
    def test_openssl_agrees(self):
        chips = json.loads((CHIPS / 'chips.json').read_text())['chips']
        compared, stricter, laxer = 0, set(), set()
        with tempfile.TemporaryDirectory() as scratch:
            anchors, signed = Path(scratch) / 'anchors.pem', Path(scratch) / 'signed.der'
            for trust in sorted({chip['trust'] for chip in chips.values()}):
                anchors.write_bytes(pem(CHIPS / trust))
                for label, chip in chips.items():
                    file = CHIPS / label / 'EF.SOD'
                    if chip['trust'] != trust or not file.exists():
                        continue
                    signed.write_bytes(next(objects(file.read_bytes()))[1])
                    accepted = subprocess.run(
                        ['openssl', 'cms', '-verify', '-inform', 'DER', '-binary', '-in', signed, '-CAfile', anchors,
                         '-no-CApath', '-no-CAstore', '-purpose', 'any', '-attime', NOON, '-out', os.devnull],
                        capture_output=True).returncode == 0
                    compared += 1
                    genuine = chip['verdict'] == 'authentic' and chip['validity'] == 'passed'
                    failed = chip['failed']
                    if genuine and not accepted:
                        stricter.add(label)
                    elif accepted and not genuine and not (
                            failed and (set(failed) <= NO_OPINION or DAMAGED in failed.values())):
                        laxer.add(label)
        self.assertEqual(stricter, set(STRICTER))
        self.assertEqual(laxer, set(LAXER))
        self.assertGreater(compared, 150)


if __name__ == '__main__':
    unittest.main()
