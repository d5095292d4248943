"""Keys, certificates, revocation lists and signed data of test authorities (RFC 5280, RFC 5652, ICAO Doc 9303-12), with
any forged parts. Needs the openssl program."""
import hashlib
import os
import subprocess
import sys

from der import bits, boolean, context, integer, name, null, octets, oid, printable, sequence, set_of, time, tlv

SIGNED = '20230505101500'
DIGESTS = {'md5': '1.2.840.113549.2.5', 'sha3-256': '2.16.840.1.101.3.4.2.8', 'sha1': '1.3.14.3.2.26',
           'sha224': '2.16.840.1.101.3.4.2.4', 'sha256': '2.16.840.1.101.3.4.2.1',
           'sha384': '2.16.840.1.101.3.4.2.2', 'sha512': '2.16.840.1.101.3.4.2.3'}
RSA = {'md5': '1.2.840.113549.1.1.4', 'sha1': '1.2.840.113549.1.1.5', 'sha256': '1.2.840.113549.1.1.11',
       'sha512': '1.2.840.113549.1.1.13', 'sha512-224': '1.2.840.113549.1.1.15'}
ECDSA = {'sha1': '1.2.840.10045.4.1', 'sha224': '1.2.840.10045.4.3.1', 'sha256': '1.2.840.10045.4.3.2',
         'sha384': '1.2.840.10045.4.3.3', 'sha512': '1.2.840.10045.4.3.4'}
PATH = os.environ.get('OPENSSL', 'openssl')

SUBJECT_KEY, KEY_USAGE, KEY_PERIOD, OTHER_NAMES, BASIC_CONSTRAINTS, NAME_CONSTRAINTS, AUTHORITY_KEY, PURPOSES = (
    f'2.5.29.{number}' for number in (14, 15, 16, 17, 19, 30, 35, 37))
NAME_CHANGE, DOCUMENT_TYPES = '2.23.136.1.1.6.1', '2.23.136.1.1.6.2'


def extension(kind, critical, value):
    return sequence(oid(kind), *([boolean(True)] if critical else []), octets(value))


def usage(*numbers):
    """Key usage bits: 0 digitalSignature, 1 nonRepudiation, 2 keyEncipherment, 5 keyCertSign, 6 cRLSign."""
    value = sum(0x80 >> number for number in numbers)
    return True, bits(bytes([value]), (value & -value).bit_length() - 1)


def key_period(start, end):
    return sequence(tlv(0x80, (start + 'Z').encode()), tlv(0x81, (end + 'Z').encode()))


def document_types(*codes):
    return sequence(integer(0), set_of(*[printable(code) for code in codes]))


def extended_key_usage(*purposes, critical=True):
    return {PURPOSES: (critical, sequence(*[oid(purpose) for purpose in purposes]))}


def attribute(kind, *values):
    return sequence(oid(kind), set_of(*values))


class Key:
    """A key pair. EC keys encode their curve by name or with all of its parameters."""

    def __init__(self, folder, label, curve=None, bits=None, explicit=False, pss=False):
        self.path = os.path.join(folder, label + '.pem')
        self.is_rsa = bits is not None
        self.pss = pss
        options = ['-algorithm', 'RSA', '-pkeyopt', f'rsa_keygen_bits:{bits}'] if bits else [
            '-algorithm', 'EC', '-pkeyopt', f'ec_paramgen_curve:{curve}', '-pkeyopt',
            'ec_param_enc:' + ('explicit' if explicit else 'named_curve')]
        self.process = subprocess.Popen([PATH, 'genpkey', *options, '-out', self.path], stderr=subprocess.PIPE)

    def public(self):
        if self.process:
            _, error = self.process.communicate()
            if self.process.returncode:
                sys.exit('openssl: ' + error.decode())
            self.process = None
        return openssl('pkey', '-in', self.path, '-pubout', '-outform', 'DER')

    def identifier(self):
        return hashlib.sha1(self.public()).digest()

    def algorithm(self, digest):
        if self.pss:
            hash_algorithm = sequence(oid(DIGESTS[digest]), null())
            return sequence(oid('1.2.840.113549.1.1.10'), sequence(
                context(0, hash_algorithm), context(1, sequence(oid('1.2.840.113549.1.1.8'), hash_algorithm)),
                context(2, integer(32))))
        return sequence(oid(RSA[digest]), null()) if self.is_rsa else sequence(oid(ECDSA[digest]))

    def sign(self, digest, data, options=()):
        self.public()
        if self.pss:
            options = ['-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:32', *options]
        return openssl('dgst', '-' + digest, '-sign', self.path, *options, data=data)


def openssl(*arguments, data=None):
    done = subprocess.run([PATH, *arguments], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit('openssl ' + ' '.join(arguments) + ': ' + done.stderr.decode())
    return done.stdout


def number(value):
    """An integer, or one that is already encoded."""
    return value if isinstance(value, bytes) else integer(value)


class Certificate:
    def __init__(self, key, subject, serial, start, end, issuer=None, digest='sha256', authority=False,
                 claimed=None, extensions={}, more=(), version=2, inner=None, issuer_name=None, public=None,
                 behind=b'', validity=None, encode=lambda signature: signature):
        """`claimed` signs in the place of the issuer, whose name and key identifier stay. `extensions` replaces the
        usual ones by their numbers with (critical, value), or leaves one out with None; `more` come behind them.
        `serial` may be an encoded number; `encode` changes the form of the signature."""
        self.key, self.subject, self.serial, self.digest = key, subject, serial, digest
        issuer_key, self.issuer_name = (issuer.key, issuer.subject) if issuer else (key, subject)
        self.issuer_name = issuer_name or self.issuer_name
        signer = claimed or issuer_key
        usual = {SUBJECT_KEY: (False, octets(key.identifier())),
                 AUTHORITY_KEY: (False, sequence(tlv(0x80, issuer_key.identifier())))}
        if authority:
            usual |= {BASIC_CONSTRAINTS: (True, sequence(boolean(True), integer(0))), KEY_USAGE: usage(5, 6)}
        else:
            usual |= {KEY_USAGE: usage(0), KEY_PERIOD: (False, key_period(start, end)),
                      DOCUMENT_TYPES: (False, document_types('P', 'I', 'A', 'C', 'V'))}
        usual |= extensions
        encoded = [extension(kind, *value) for kind, value in usual.items() if value] + list(more)
        body = sequence(
            *([context(0, integer(version))] if version else []),
            number(serial), inner or signer.algorithm(digest),
            name(self.issuer_name), validity or sequence(time(start), time(end)), name(subject), public or key.public(), behind,
            *([context(3, sequence(*encoded))] if encoded else []))
        self.bytes = sequence(body, signer.algorithm(digest), bits(encode(signer.sign(digest, body))))


def ecdsa_form(signature, form):
    """An ECDSA signature in another form: redundant-zero, no-zero (of a positive number) or plain."""
    numbers, values, rest = [], [], signature[3:] if signature[1] == 0x81 else signature[2:]
    while rest:
        numbers.append(int.from_bytes(rest[2:2 + rest[1]], 'big'))
        rest = rest[2 + rest[1]:]
    for number in numbers:
        size = (number.bit_length() + 7) // 8
        values.append(number.to_bytes(size, 'big'))
    if form == 'plain':
        size = 66 if max(map(len, values)) > 64 else 64 if max(map(len, values)) > 48 else 48 if max(
            map(len, values)) > 32 else 32
        return b''.join(number.to_bytes(size, 'big') for number in numbers)
    return sequence(*[tlv(0x02, (b'\0\0' if form == 'redundant-zero' else b'') + value) for value in values])


def signed_data(content_type, content, certificates, key, signer, digest='sha256', signed=SIGNED, attributes=True,
                order=False, by_key=False, broken=False, other_content=None, own_digest=None, odd=None, sid=None,
                signers=1, algorithm=None, options=(), behind=b'', signature=None, digest_type=None):
    """Signed data of RFC 5652. `order` leaves the attributes unsorted although they were signed sorted; `odd` changes
    the list of attributes before signing."""
    # A digest named by the signature but not by the signer's digest algorithm.
    attribute_digest = own_digest or digest
    value = hashlib.new(attribute_digest, content).digest()
    if attributes:
        parts = [attribute('1.2.840.113549.1.9.3', oid(content_type)), attribute('1.2.840.113549.1.9.4', octets(value))]
        if signed:
            parts.append(attribute('1.2.840.113549.1.9.5', time(signed)))
        parts = odd(parts) if odd else parts
        body = set_of(*parts)
        shown = [tlv(0xA0, b''.join(sorted(parts, reverse=order)))]
    else:
        body, shown = content, []
    if broken:
        body = body[:-1] + bytes([body[-1] ^ 1])
    signature = signature(body) if signature else key.sign(digest, body, options)
    identifier = tlv(0x80, key.identifier()) if by_key else sequence(name(signer.issuer_name), number(signer.serial))
    info = sequence(integer(3 if by_key else 1), sid or identifier,
                    sequence(oid(digest_type or DIGESTS[attribute_digest]), null()),
                    *shown, algorithm or key.algorithm(digest), octets(signature))
    listed = [tlv(0xA0, b''.join(c.bytes for c in certificates))] if certificates else []
    return sequence(oid('1.2.840.113549.1.7.2'), context(0, sequence(
        integer(3), set_of(sequence(oid(DIGESTS[attribute_digest]), null())),
        sequence(oid(content_type), context(0, octets(other_content or content))), *listed,
        set_of(*[info] * signers)))) + behind


def security_object(groups, digest, version, digest_type=None):
    hashes = [sequence(integer(number), octets(hashlib.new(digest, content).digest()))
              for number, content in sorted(groups.items())]
    versions = [sequence(printable('0108'), printable('040000'))] if version else []
    return sequence(integer(version), sequence(oid(digest_type or DIGESTS[digest]), null()), sequence(*hashes),
                    *versions)


def entry(serial, when='20240101000000', *extensions):
    return sequence(integer(serial), time(when), *([sequence(*extensions)] if extensions else []))


def revocation_list(issuer, entries, this='20260501000000', following='20260801000000', extensions=(), key=None,
                    subject=None, digest='sha384', version=1, behind=b''):
    """A certificate revocation list (RFC 5280, 5) of a CSCA; `key` signs in the place of its own."""
    key = key or issuer.key
    body = sequence(integer(version) if version else b'', key.algorithm(digest), name(subject or issuer.subject),
                    this if isinstance(this, bytes) else time(this), time(following),
                    *([sequence(*entries)] if entries else []),
                    *([context(0, sequence(*extensions))] if extensions else []), behind)
    return sequence(body, key.algorithm(digest), bits(key.sign(digest, body)))
