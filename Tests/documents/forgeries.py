"""Forgeries: chips that each violate one rule of docs/passive-authentication.md, and unusual ones that are genuine."""
import hashlib
import os

from der import bits, boolean, context, integer, name, null, octets, oid, printable, sequence, set_of, time, tlv
from pki import (AUTHORITY_KEY, BASIC_CONSTRAINTS, DIGESTS, DOCUMENT_TYPES, KEY_PERIOD, KEY_USAGE, NAME_CHANGE,
                 NAME_CONSTRAINTS, OTHER_NAMES, RSA, SUBJECT_KEY, Certificate, Key, attribute, document_types, ecdsa_form,
                 entry, extended_key_usage, extension, key_period, openssl, revocation_list, security_object, signed_data,
                 usage)

UNKNOWN = '1.3.6.1.4.1.55555.1'
POLICY_CONSTRAINTS, ISSUER_NAMES, POLICIES, ANY_PURPOSE = '2.5.29.36', '2.5.29.18', '2.5.29.32', '2.5.29.37.0'
DISTRIBUTION_POINTS, DELTA, SCOPE, ENTRY_ISSUER = '2.5.29.31', '2.5.29.27', '2.5.29.28', '2.5.29.29'
LIST_NUMBER, ENTRY_REASON = '2.5.29.20', '2.5.29.21'
CONTENT_TYPE, MESSAGE_DIGEST, SIGNING_TIME = (f'1.2.840.113549.1.9.{number}' for number in (3, 4, 5))
MGF1, PSS = '1.2.840.113549.1.1.8', '1.2.840.113549.1.1.10'
NAME = [('C', 'UT'), ('O', 'Test')]
LONG = {'start': '20200101000000', 'end': '20400101000000'}

# Faults of the signer's certificate: its options, and the failures.
SIGNERS = {
    'version-0': ({'version': -1}, {'certificate-form': 'certificate-damaged'}),
    'version-of-63-bits': ({'version': (1 << 63) - 1}, {'certificate-form': 'certificate-damaged'}),
    'extensions-of-version-2': ({'version': 1}, {'certificate-form': 'certificate-damaged'}),
    'unique-identifier': ({'behind': tlv(0x81, b'\0\x01')}, {'certificate-form': 'certificate-damaged'}),
    'version-4': ({'version': 3}, {'certificate-form': 'certificate-damaged'}),
    'algorithms-differ': ({'inner': sequence(oid(RSA['sha256']), null())}, {'certificate-form': 'algorithms-differ'}),
    'ends-before-it-begins': ({'start': '20350101000000', 'end': '20220101000000'}, {
        'certificate-form': 'certificate-damaged', 'signer-validity-at-signing': 'signed-outside-validity',
        'private-key-usage': 'private-key-usage-over', 'signer-validity': 'certificate-expired'}),
    'key-usage-twice': ({'more': [extension(KEY_USAGE, *usage(5))]}, {'certificate-form': 'extension-twice'}),
    'key-usage-damaged': ({'extensions': {KEY_USAGE: (True, octets(b'\x80'))}}, {
        'certificate-form': 'extension-damaged'}),
    'constraints-damaged': ({'extensions': {BASIC_CONSTRAINTS: (True, sequence(integer(1), integer(2))[:-1])}}, {
        'certificate-form': 'extension-damaged'}),
    'key-usage-without-bits': ({'extensions': {KEY_USAGE: (True, bits(b'\x80', 8))}}, {
        'certificate-form': 'extension-damaged'}),
    'key-usage-with-padding': ({'extensions': {KEY_USAGE: (True, bits(b'\xff', 7))}}, {
        'certificate-form': 'extension-damaged'}),
    'constraints-with-other-field': ({'extensions': {BASIC_CONSTRAINTS: (True, sequence(octets(b'odd')))}}, {
        'certificate-form': 'extension-damaged'}),
    'constraints-negative': ({'extensions': {BASIC_CONSTRAINTS: (True, sequence(integer(-1)))}}, {
        'certificate-form': 'extension-damaged'}),
    'name-constraints-empty': ({'more': [extension(NAME_CONSTRAINTS, True, sequence())]}, {
        'certificate-form': 'extension-damaged'}),
    'name-constraints-with-minimum': ({'more': [extension(NAME_CONSTRAINTS, True, sequence(context(0, sequence(
        tlv(0xA4, name(NAME)), integer(5, 0x80)))))]}, {'certificate-form': 'extension-damaged'}),
    'names-empty': ({'extensions': {OTHER_NAMES: (True, sequence())}}, {'certificate-form': 'extension-damaged'}),
    'issuer-names-damaged': ({'more': [extension(ISSUER_NAMES, True, integer(3))]}, {
        'certificate-form': 'extension-damaged'}),
    'points-damaged': ({'extensions': {DISTRIBUTION_POINTS: (True, null())}}, {
        'certificate-form': 'extension-damaged'}),
    'policies-damaged': ({'more': [extension(POLICIES, True, integer(1))]}, {'certificate-form': 'extension-damaged'}),
    'policy-qualifier-unknown': ({'more': [extension(POLICIES, True, sequence(sequence(oid('1.2.3'), sequence(
        sequence(oid(UNKNOWN), null())))))]}, {'critical-extensions': 'critical-extension-unknown'}),
    'subject-empty': ({'subject': ()}, {'certificate-form': 'certificate-damaged'}),
    'unknown-critical': ({'more': [extension(UNKNOWN, True, null())]}, {
        'critical-extensions': 'critical-extension-unknown'}),
    'policy-constraints': ({'more': [extension(POLICY_CONSTRAINTS, True, sequence(integer(0, 0x80)))]}, {
        'critical-extensions': 'critical-extension-unknown'}),
    'key-for-non-repudiation': ({'extensions': {KEY_USAGE: usage(1)}}, {'key-usage': 'key-usage-wrong'}),
    'key-for-encipherment': ({'extensions': {KEY_USAGE: usage(2)}}, {'key-usage': 'key-usage-wrong'}),
    'key-for-lists': ({'extensions': {KEY_USAGE: usage(6)}}, {'key-usage': 'key-usage-wrong'}),
    'key-for-certificates': ({'extensions': {KEY_USAGE: usage(0, 5)}}, {'basic-constraints': 'signer-is-authority'}),
    'signer-as-authority': ({'extensions': {BASIC_CONSTRAINTS: (True, sequence(boolean(True)))}}, {
        'basic-constraints': 'signer-is-authority'}),
    'master-list-signer': ({'extensions': extended_key_usage('2.23.136.1.1.3')}, {
        'extended-key-usage': 'extended-key-usage-wrong'}),
    'deviation-list-signer': ({'extensions': extended_key_usage('2.23.136.1.1.8')}, {
        'extended-key-usage': 'extended-key-usage-wrong'}),
    'barcode-signer': ({'extensions': extended_key_usage('2.23.136.1.1.14.2', critical=False)}, {
        'extended-key-usage': 'extended-key-usage-wrong'}),
    'tls-server': ({'extensions': extended_key_usage('1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2')}, {
        'extended-key-usage': 'extended-key-usage-wrong'}),
    'code-signer': ({'extensions': extended_key_usage('1.3.6.1.5.5.7.3.3', critical=False)}, {
        'extended-key-usage': 'extended-key-usage-wrong'}),
    'any-purpose-and-lists': ({'extensions': extended_key_usage(ANY_PURPOSE, '2.23.136.1.1.3')}, {
        'extended-key-usage': 'extended-key-usage-wrong'}),
    'no-purpose': ({'extensions': extended_key_usage()}, {'extended-key-usage': 'extended-key-usage-wrong'}),
    'visa-signer': ({'extensions': {DOCUMENT_TYPES: (False, document_types('V'))}}, {
        'document-type': 'document-type-wrong'}),
    'card-signer': ({'extensions': {DOCUMENT_TYPES: (False, document_types('ID', 'AR'))}}, {
        'document-type': 'document-type-wrong'}),
    'diplomatic-signer': ({'extensions': {DOCUMENT_TYPES: (False, document_types('PD'))}}, {
        'document-type': 'document-type-wrong'}),
    'no-document-type': ({'extensions': {DOCUMENT_TYPES: (False, document_types())}}, {
        'document-type': 'document-type-wrong'}),
    'key-before-its-period': ({'extensions': {KEY_PERIOD: (False, key_period('20230601000000', '20231201000000'))}}, {
        'private-key-usage': 'private-key-usage-over'}),
    'key-after-its-period': ({'extensions': {KEY_PERIOD: (False, key_period('20220101000000', '20220401000000'))}}, {
        'private-key-usage': 'private-key-usage-over'}),
    'signed-a-second-late': ({'start': '20220101000000', 'end': '20230505101459', 'extensions': {
        KEY_PERIOD: (False, tlv(0x30, b''))}}, {
            'signer-validity-at-signing': 'signed-outside-validity', 'signer-validity': 'certificate-expired'}),
    'not-yet-valid': ({'start': '20260602000000', 'extensions': {KEY_PERIOD: (False, tlv(0x30, b''))}}, {
        'signer-validity-at-signing': 'signed-outside-validity', 'signer-validity': 'certificate-not-yet-valid'}),
}

# Faults of the signed data: options of the chip, and the failures.
SIGNED_DATA = {
    'two-signers': ({'signers': 2}, {'signed-data': 'several-signers'}),
    'other-signer-named': ({'sid': sequence(name(NAME), integer(4711))}, {'signed-data': 'signer-not-identified'}),
    'no-digest-attribute': ({'odd': lambda parts: [parts[0], parts[2]]}, {
        'signature': 'content-changed', 'signed-data': 'signed-attributes-wrong'}),
    'no-type-attribute': ({'odd': lambda parts: parts[1:]}, {
        'signature': 'signature-wrong', 'signed-data': 'signed-attributes-wrong'}),
    'other-type-attribute': ({'odd': lambda parts: [
        attribute(CONTENT_TYPE, oid('1.2.840.113549.1.7.1')), *parts[1:]]}, {'signature': 'signature-wrong'}),
    'digest-attribute-twice': ({'odd': lambda parts: parts + [attribute(MESSAGE_DIGEST, octets(bytes(32)))]}, {
        'signature': 'content-changed', 'signed-data': 'signed-attributes-wrong'}),
    'two-digests': ({'odd': lambda parts: [
        parts[0], attribute(MESSAGE_DIGEST, octets(bytes(64)), parts[1][-66:]), parts[2]]}, {
            'signature': 'content-changed', 'signed-data': 'signed-attributes-wrong'}),
    'two-signing-times': ({'odd': lambda parts: parts + [attribute(SIGNING_TIME, time('20240505101500'))]}, {
        'signed-data': 'signed-attributes-wrong'}),
    'signing-time-unreadable': ({'odd': lambda parts: parts[:2] + [attribute(SIGNING_TIME, tlv(0x17, b'soon'))]}, {
        'signed-data': 'signed-attributes-wrong'}),
    'signing-time-of-other-type': ({'odd': lambda parts: parts[:2] + [attribute(SIGNING_TIME, octets(b'230505'))]}, {
        'signed-data': 'signed-attributes-wrong'}),
    'signed-in-the-future': ({'signed': '20260602000000'}, {'signing-time': 'signing-time-in-future'}),
    'bytes-behind': ({'behind': b'\x05\x00'}, {'signature': 'sod-damaged'}),
}

# Faults of the signed content: construction of the list of hashes from the data groups, and the failures.
HASH_LISTS = {
    'lds-version-2': (lambda groups: hash_list(groups, version=2), {'signature': 'sod-damaged'}),
    'field-behind-hash': (lambda groups: hash_list(groups, field=null()), {'signature': 'sod-damaged'}),
    'bytes-behind-hashes': (lambda groups: hash_list(groups) + b'\x05\x00', {'signature': 'sod-damaged'}),
    'field-behind-hashes': (lambda groups: hash_list(groups, behind=[octets(b'odd')]), {'signature': 'sod-damaged'}),
    'two-hashes': (lambda groups: hash_list(groups, more=[(1, bytes(32))]), {'signature': 'sod-damaged'}),
    'data-group-0': (lambda groups: hash_list(groups, more=[(0, bytes(32))]), {'signature': 'sod-damaged'}),
    'no-hash-of-dg1': (lambda groups: hash_list({2: groups[2]}), {
        'hash-dg1': 'data-group-not-in-sod', 'data-groups': 'mandatory-data-group-not-in-sod'}),
    'no-hash-of-dg2': (lambda groups: hash_list({1: groups[1]}), {
        'hash-dg2': 'data-group-not-in-sod', 'data-groups': 'mandatory-data-group-not-in-sod'}),
    'short-hash': (lambda groups: hash_list(groups, cut=31), {'hash-dg1': 'hash-wrong', 'hash-dg2': 'hash-wrong'}),
    'empty-hash': (lambda groups: hash_list(groups, cut=0), {'hash-dg1': 'hash-wrong', 'hash-dg2': 'hash-wrong'}),
    'md5-hashes': (lambda groups: security_object(groups, 'md5', 0), {'algorithms': 'broken-algorithm'}),
    'sha1-hashes': (lambda groups: security_object(groups, 'sha1', 0), {'algorithms': 'weak-hash'}),
    'sha3-hashes': (lambda groups: security_object(groups, 'sha3-256', 0), {'algorithms': 'weak-hash'}),
}


def hash_list(groups, version=0, more=(), behind=(), cut=32, field=b''):
    hashes = [(number, hashlib.sha256(content).digest()[:cut]) for number, content in sorted(groups.items())]
    return sequence(integer(version), sequence(oid(DIGESTS['sha256']), null()), sequence(
        *[sequence(integer(number), octets(value), field) for number, value in hashes + list(more)]), *behind)


def modulus_of(key):
    key.public()
    return int(openssl('rsa', '-in', key.path, '-noout', '-modulus').decode().split('=')[1], 16)


def subtree(*attributes):
    return sequence(tlv(0xA4, name(attributes)))


class Forgeries:
    def __init__(self, maker):
        self.maker, self.made, self.serial = maker, maker.made, 5000
        self.nist = maker.pki['nist'][0]
        # Another state's.
        self.neighbour = Certificate(self.key('neighbour'), [('C', 'AT'), ('O', 'Test'), ('CN', 'CSCA neighbour')], 1,
                                     authority=True, **LONG)
        self.found = {}

    def old_signer(self, key='rsa-ds', **options):
        """A signer old enough for SHA-1 to be accepted."""
        return self.signer(self.maker.pki['rsa'][0], self.made[key], digest='sha256', start='20100101000000', **options)

    def key(self, label, **options):
        if label not in self.made:
            self.made[label] = self.maker.key(label, **options or {'curve': 'P-256'})
        return self.made[label]

    def signer(self, issuer=None, key=None, serial=None, subject=None, digest='sha512', **options):
        self.serial += 1
        options = {'start': '20220101000000', 'end': '20350101000000', **options}
        return Certificate(key or self.made['nist-ds'], NAME + [('CN', f'DS {self.serial}')] if subject is None else subject,
                           self.serial if serial is None else serial, issuer=issuer or self.nist, digest=digest,
                           **options)

    def authority(self, label, issuer=None, same_name=False, digest='sha512', **options):
        """A link certificate of the CSCA, or a separate authority."""
        subject = issuer.subject if same_name else NAME + [('CN', f'CA {label}')]
        self.serial += 1
        return Certificate(self.key(label), subject, self.serial, issuer=issuer, authority=True, digest=digest,
                           **{**LONG, **options})

    def chip(self, label, failed=None, signer=None, others=(), verdict=None, validity=None, **options):
        """`others` are certificates in addition to the signer's."""
        signer = signer or self.signer()
        dates = {'signer-validity', 'anchor-validity', 'card-security-validity'}
        if validity is None and (failed or {}).get('signature') == 'sod-damaged':
            validity = 'not-checked'
        self.maker.chip(
            label, picture='drawn-jpeg', signer=signer, certificates=[signer, *others], failed=failed,
            verdict=verdict or ('invalid' if set(failed or {}) - dates else 'authentic'),
            validity=validity or ('failed' if set(failed or {}) & dates else None), **options)

    def chips(self):
        for label, (options, failed) in SIGNERS.items():
            self.chip(label, failed, self.signer(**options))
        for label, (options, failed) in SIGNED_DATA.items():
            self.chip(label, failed, **options)
        for label, (content, failed) in HASH_LISTS.items():
            self.chip(label, failed, content=content)
        self.paths()
        self.algorithms()
        self.other_files()
        self.countries()
        self.revocation()
        self.odd()

    def paths(self):
        nist = self.nist
        self.chip('signed-by-csca', {'key-usage': 'key-usage-wrong', 'basic-constraints': 'signer-is-authority'}, nist,
                  leniencies=['private-key-usage-missing', 'document-types-missing'])
        # A document signer that signs another one.
        above = self.signer(key=self.made['unknown'])
        self.chip('signer-of-signer', {'key-usage': 'key-usage-wrong', 'basic-constraints': 'not-an-authority',
                                       'path-length': 'path-too-long'}, self.signer(above), [above])
        bare = {KEY_USAGE: None, BASIC_CONSTRAINTS: None}
        above = self.authority('bare', nist, same_name=True, extensions=bare)
        self.chip('bare-authority', {'key-usage': 'key-usage-wrong', 'basic-constraints': 'not-an-authority'},
                  self.signer(above), [above])
        above = self.authority('lists-only', nist, same_name=True, extensions={KEY_USAGE: usage(6)})
        self.chip('link-for-lists', {'key-usage': 'key-usage-wrong'}, self.signer(above), [above])
        above = self.authority('no-ca', nist, same_name=True, extensions={
            BASIC_CONSTRAINTS: (True, sequence())})
        self.chip('link-without-ca', {'basic-constraints': 'not-an-authority'}, self.signer(above), [above])
        # The CSCA allows no authority below it; a link has its name, and is not one.
        above = self.authority('below', nist)
        self.chip('authority-below', {'path-length': 'path-too-long'}, self.signer(above), [above])
        above = self.authority('critical', nist, same_name=True, more=[extension(UNKNOWN, True, null())])
        self.chip('critical-in-link', {'critical-extensions': 'critical-extension-unknown'}, self.signer(above),
                  [above])
        above = self.authority('expired', nist, same_name=True, end='20250101000000')
        self.chip('expired-link', {'anchor-validity': 'certificate-expired'}, self.signer(above), [above])

        constraints = {
            'excluded-name': context(1, subtree(*NAME)), 'name-not-permitted': context(0, subtree(('C', 'DE'))),
            'email-constrained': context(0, sequence(tlv(0x81, b'utopia.example')))}
        for label, value in constraints.items():
            above = self.authority(label, nist, same_name=True, extensions={NAME_CONSTRAINTS: (True, sequence(value))})
            signer = self.signer(above, extensions={OTHER_NAMES: (False, sequence(tlv(0x81, b'ds@utopia.example')))})
            self.chip(label, {'name-constraints': 'name-not-permitted'}, signer, [above])
        above = self.authority('permitted', nist, same_name=True, extensions={
            NAME_CONSTRAINTS: (True, sequence(context(0, subtree(*NAME))))})
        self.chip('permitted-name', None, self.signer(above), [above])
        # Five links exceed the limit.
        chain = [nist]
        for number in range(5):
            chain.append(self.authority(f'step-{number}', chain[-1], same_name=True))
        self.chip('long-path', None, self.signer(chain[-1]), chain[:0:-1], verdict='valid-without-anchor',
                  not_checked={'chain': 'no-trust-anchor'})
        # The chip includes an untrusted CSCA.
        own = self.authority('own')
        self.chip('own-csca', None, self.signer(own), [own], verdict='valid-without-anchor',
                  not_checked={'chain': 'no-trust-anchor'})
        # One with the same name.
        own = Certificate(self.key('own'), nist.subject, nist.serial, authority=True, **LONG)
        self.chip('false-csca-of-same-name', None, self.signer(own), [own], verdict='valid-without-anchor',
                  not_checked={'chain': 'no-trust-anchor'})

        # Trusted authorities with a fault.
        irregular = {'private-key-usage': 'anchor-irregular'}
        trusted = {
            'critical-in-csca': ({'more': [extension(UNKNOWN, True, null())]},
                                 {'critical-extensions': 'critical-extension-unknown'}, None),
            'expired-csca': ({'end': '20250101000000'}, {'anchor-validity': 'certificate-expired'}, None),
            'csca-of-other-purpose': ({'extensions': extended_key_usage('1.3.6.1.5.5.7.3.1')},
                                      {'extended-key-usage': 'extended-key-usage-wrong'}, None),
            'csca-key-over': ({'extensions': {KEY_PERIOD: (False, key_period('20200101000000', '20211231000000'))}},
                              {}, irregular),
            'csca-key-not-yet': ({'extensions': {KEY_PERIOD: (False, key_period('20220102000000', '20250101000000'))}},
                                 {}, irregular),
            'csca-key-until-that-day': ({'extensions': {KEY_PERIOD: (False, key_period(
                '20220101120000', '20250101000000'))}}, {}, None),
            'csca-ended-before': ({'start': '20100101000000', 'end': '20211231000000'}, {
                'anchor-validity': 'certificate-expired'}, irregular),
            'csca-younger-than-signer': ({'start': '20220601000000'}, {}, None),
            'csca-extension-twice': ({'more': [extension(KEY_USAGE, *usage(5))]}, {}, {
                'certificate-form': 'anchor-irregular'}),
            'csca-names-damaged': ({'extensions': {OTHER_NAMES: (True, sequence())}}, {}, {
                'certificate-form': 'anchor-irregular'}),
            'csca-key-period-damaged': ({'extensions': {KEY_PERIOD: (False, sequence(tlv(0x80, b'200101000000Z')))}},
                                        {}, {'certificate-form': 'anchor-irregular'}),
            'csca-of-two-algorithms': ({'inner': sequence(oid(RSA['sha256']), null())}, {}, {
                'certificate-form': 'anchor-irregular'}),
            'csca-with-unique-identifier': ({'behind': tlv(0x81, b'\0\x01')}, {}, {
                'certificate-form': 'anchor-irregular'}),
            'csca-version-2': ({'version': 1}, {}, {'certificate-form': 'certificate-version-old'}),
            'csca-place-of-two-letters': ({'extensions': {OTHER_NAMES: (False, sequence(tlv(0xA4, name([
                ('L', 'AT')]))))}}, {}, None),
            'csca-for-signatures': ({'extensions': {KEY_USAGE: usage(0)}}, {}, {'key-usage': 'authority-unclear'}),
            'csca-without-ca': ({'extensions': {BASIC_CONSTRAINTS: (True, sequence())}}, {},
                                {'basic-constraints': 'authority-unclear'}),
            'csca-without-constraints': ({'extensions': {BASIC_CONSTRAINTS: None}}, {},
                                         {'basic-constraints': 'basic-constraints-missing'}),
            'csca-not-critical': ({'extensions': {BASIC_CONSTRAINTS: (False, sequence(boolean(True)))}}, {},
                                  {'basic-constraints': 'basic-constraints-not-critical'}),
        }
        for label, (options, failed, strict) in trusted.items():
            root = self.authority(label, **options)
            self.trust(label, root.bytes)
            more = ['anchor-irregular'] if label == 'csca-version-2' else []
            self.chip(label, failed, self.signer(root), trust='trust-' + label, strict=strict,
                      leniencies=list((strict or {}).values()) + more)
        for label, serial in [('zero', 0), ('negative', -5), ('long', 1 << 175), ('padded', tlv(2, b'\0\0\7'))]:
            root = Certificate(self.key('serial'), NAME + [('CN', f'CSCA {label}')], serial, authority=True, **LONG)
            self.trust('csca-serial-' + label, root.bytes)
            for chip, trust, signer in [('csca-serial-', 'trust-csca-serial-' + label, self.signer(root)),
                                        ('serial-', 'trust', self.signer(serial=serial))]:
                self.chip(chip + label, None, signer, trust=trust, leniencies=['serial-number-wrong'], strict={
                    'certificate-form': 'serial-number-wrong'})
        # The CSCA's certificate was issued again, for the same key; signers name the first one, or its identifier.
        old = Certificate(self.key('reissued'), NAME + [('CN', 'CSCA reissued')], 31, authority=True, **LONG)
        new = Certificate(self.key('reissued'), NAME + [('CN', 'CSCA reissued')], 32, '20230101000000',
                          '20400101000000', authority=True, extensions={
                              SUBJECT_KEY: (False, octets(b'new')),
                              KEY_PERIOD: (False, key_period('20230101000000', '20260101000000'))})
        self.trust('reissued', new.bytes)
        both = {'key-identifiers': 'key-identifier-wrong', 'private-key-usage': 'anchor-irregular'}
        for label, identifier in [
                ('key', tlv(0x80, old.key.identifier())),
                ('certificate', tlv(0xA1, tlv(0xA4, name(old.subject))) + tlv(0x82, bytes([31])))]:
            self.chip('reissued-csca-by-' + label, None, self.signer(old, extensions={
                AUTHORITY_KEY: (False, sequence(identifier))}), trust='trust-reissued', strict=both,
                leniencies=list(both.values()))

    def trust(self, label, *contents):
        folder = os.path.join(self.maker.out, 'trust-' + label)
        os.makedirs(folder)
        for index, content in enumerate(contents):
            with open(os.path.join(folder, f'{index}.der'), 'wb') as out:
                out.write(content)

    def algorithms(self):
        rsa_root = self.maker.pki['rsa'][0]
        rsa, pss = self.made['rsa-ds'], self.made['pss-ds']

        def broken(label, key, failed=None, digest='sha256', **options):
            self.chip(label, failed or {'algorithms': 'broken-algorithm'},
                      self.signer(rsa_root, key, digest='sha256'), digest=digest, **options)

        broken('md5-signature', rsa, digest='md5')
        broken('sha1-signature', rsa, {'algorithms': 'weak-signature-digest'}, digest='sha1')
        for digest, reason in [('md5', 'broken-algorithm'), ('sha1', 'weak-signature-digest')]:
            self.chip(digest + '-certificate', {'algorithms': reason},
                      self.signer(rsa_root, rsa, digest=digest), digest='sha256')
        # The digest algorithm is that of a signature, which OpenSSL maps to its digest.
        alias = RSA['md5']
        plain = sequence(oid('1.2.840.113549.1.1.1'), null())
        old = {'digest': 'sha256', 'signed': '20120101000000'}
        self.chip('md5-by-other-name', {'algorithms': 'broken-algorithm'}, self.old_signer(),
                  **{**old, 'digest': 'md5'}, lds_digest='sha256', digest_type=alias, algorithm=plain)
        self.chip('md5-hashes-by-other-name', {'algorithms': 'broken-algorithm'}, self.old_signer(), **old,
                  content=lambda groups: security_object(groups, 'md5', 0, alias))
        # OpenSSL supports the algorithm, but its strength is not known here.
        self.chip('certificate-by-other-algorithm', None, self.signer(rsa_root, rsa, digest='sha512-224'),
                  digest='sha256', verdict='valid-without-anchor', not_checked={'chain': 'no-trust-anchor'})
        broken('p-112', self.key('p-112', curve='secp112r1'))
        broken('rsa-768', self.key('rsa-768', bits=768))
        self.chip('rsa-1024', None, self.signer(rsa_root, self.key('rsa-1024', bits=1024), digest='sha256'),
                  digest='sha256', weaknesses=['weak-key'], strict={'algorithms': 'weak-key'})
        self.chip('p-192', None, self.signer(rsa_root, self.key('p-192', curve='prime192v1'), digest='sha256'),
                  digest='sha256', weaknesses=['weak-key'], strict={'algorithms': 'weak-key'})
        # With an exponent of 1, the padded digest is its own signature, which anyone can make.
        modulus = modulus_of(rsa)

        def public(modulus, exponent):
            return sequence(plain, bits(sequence(integer(modulus), integer(exponent))))

        def padded(body, size=256):
            digest = sequence(sequence(oid(DIGESTS['sha256']), null()), octets(hashlib.sha256(body).digest()))
            return b'\x00\x01' + b'\xff' * (size - 3 - len(digest)) + b'\x00' + digest

        one = public(modulus, 1)

        self.chip('rsa-exponent-1', {'algorithms': 'broken-algorithm'},
                  self.signer(rsa_root, rsa, digest='sha256', public=one), digest='sha256', signature=padded)
        # A modulus that anyone can factor allows anyone to sign.
        prime = int(openssl('prime', '-generate', '-bits', '2048', '-hex').decode(), 16)
        for label, factors in [('rsa-prime-modulus', [prime]), ('rsa-small-factor', [prime, 3])]:
            modulus, order = prime, prime - 1
            for factor in factors[1:]:
                modulus, order = modulus * factor, order * (factor - 1)
            size = (modulus.bit_length() + 7) // 8

            def sign(body, modulus=modulus, secret=pow(65537, -1, order), size=size):
                return pow(int.from_bytes(padded(body, size), 'big'), secret, modulus).to_bytes(size, 'big')

            self.chip(label, {'algorithms': 'broken-algorithm'}, self.signer(
                rsa_root, rsa, digest='sha256', public=public(modulus, 65537)), digest='sha256', signature=sign)
        # RSA-PSS with inconsistent parameters.
        sha256, sha1 = (sequence(oid(DIGESTS[digest]), null()) for digest in ('sha256', 'sha1'))

        def scheme(mask, *more):
            return sequence(oid(PSS), sequence(context(0, sha256), context(1, mask), context(2, integer(32)), *more))

        mgf1 = sequence(oid(MGF1), sha256)
        self.chip('pss-other-mask-digest', None, self.signer(rsa_root, pss, digest='sha256'), digest='sha256',
                  algorithm=scheme(sequence(oid(MGF1), sha1)), options=['-sigopt', 'rsa_mgf1_md:sha1'],
                  weaknesses=['weak-signature-digest'], strict={'algorithms': 'weak-signature-digest'})
        only = sequence(sequence(oid(PSS)), bits(sequence(integer(modulus_of(rsa)), integer(65537))))
        self.chip('pss-key-with-other-signature', None, self.signer(rsa_root, rsa, digest='sha256', public=only),
                  digest='sha256', verdict='not-checked', validity='passed',
                  not_checked={'signature': 'unsupported-algorithm'})
        broken('pss-trailer-field-2', pss, algorithm=scheme(mgf1, context(3, integer(2))))
        broken('pss-other-mask', pss, algorithm=scheme(sequence(oid('1.2.840.113549.1.1.99'), sha256)))
        self.chip('pss-trailer-field-1', None, self.signer(rsa_root, pss, digest='sha256'), digest='sha256',
                  algorithm=scheme(mgf1, context(3, integer(1))))
        # A curve with the forger's base point: with it, a private key of 1 fits any public key (CVE-2020-0601).
        generator = Curve.multiply(Curve.G, 0xC0FFEE)
        self.chip('own-base-point', {'algorithms': 'broken-algorithm'}, self.signer(
            rsa_root, self.made['nist-ds'], digest='sha256', public=Curve.public(generator, generator)),
            digest='sha256', signature=lambda body: Curve.sign(generator, 1, body))
        for label, cofactor in [('cofactor-2', 2), ('cofactor-of-200-bits', 1 << 200)]:
            self.chip(label, {'algorithms': 'broken-algorithm'}, self.signer(
                rsa_root, self.made['nist-ds'], digest='sha256', public=Curve.public(Curve.G, Curve.G, cofactor)),
                digest='sha256', signature=lambda body: Curve.sign(Curve.G, 1, body))
        self.chip('explicit-curve', None, self.signer(
            rsa_root, self.made['nist-ds'], digest='sha256', public=Curve.public(Curve.G, Curve.G)),
            digest='sha256', signature=lambda body: Curve.sign(Curve.G, 1, body))

    def other_files(self):
        def common(*tags, version=b'0107', unicode=b'040000', behind=b''):
            def change(files):
                versions = (tlv(0x5F01, version) if version else b'') + tlv(0x5F36, unicode)
                files['EF.COM'] = tlv(0x60, versions + tlv(0x5C, bytes(tags)) + behind)
            return change

        def damaged(files):
            files['EF.COM'] = tlv(0x60, tlv(0x5F01, b'01') + b'\x5c\x09\x61')

        def odd(label, change, reason='com-differs', **options):
            self.chip('com-' + label, None, change=change, not_checked={'com': reason} if reason else None, **options)

        # EF.COM is not signed: what it says makes no chip better or worse.
        odd('hides-dg2', common(0x61))
        odd('adds-dg14', common(0x61, 0x75, 0x6E))
        odd('damaged', damaged)
        odd('truncated', lambda files: files.update({'EF.COM': files['EF.COM'][:-1]}), 'com-damaged')
        odd('of-other-version', common(0x61, 0x75, version=b'0107'), None, version=1)
        odd('of-no-version', common(0x61, 0x75, version=b''), None, version=1)
        odd('of-other-unicode', common(0x61, 0x75, version=b'0108', unicode=b'060000'), None, version=1)
        odd('of-unreadable-version', common(0x61, 0x75, version=b'017'), None)
        odd('of-two-lists', common(0x61, 0x75, behind=tlv(0x5C, b'\x61\x75\x6e')), None)
        odd('lists-com-and-sod', common(0x60, 0x61, 0x75, 0x77), None)
        odd('lists-no-data-group', common(0x61, 0x75, 0x62), None)
        odd('with-padding', common(0x61, 0x75, behind=bytes(9)), None)
        self.chip('no-com', None, change=lambda files: files.pop('EF.COM'), not_checked={'com': 'com-missing'})
        self.chip('no-dg2', None, change=lambda files: files.pop('EF.DG2'), verdict='not-checked', validity='passed',
                  not_checked={'data-groups': 'data-group-missing'}, problem='absent')

        protocol = set_of(sequence(oid('0.4.0.127.0.7.2.2.4.2.2'), integer(2), integer(12)))

        def card(signer=None, kind='0.4.0.127.0.7.3.2.1', **options):
            def make(usual):
                own = signer or usual
                return signed_data(kind, protocol, [own], own.key, own, 'sha256', **options)
            return make

        self.chip('card-security', None, card_security=card())
        self.chip('card-security-wrong', {'card-security': 'signature-wrong'}, card_security=card(broken=True))
        tls = self.signer(extensions=extended_key_usage('1.3.6.1.5.5.7.3.1'))
        self.chip('card-security-of-tls', {'card-security': 'extended-key-usage-wrong'}, card_security=card(tls))
        stranger = self.signer(self.authority('own'))
        visas = self.signer(extensions={DOCUMENT_TYPES: (False, document_types('V'))})
        self.chip('card-security-of-visas', {'card-security': 'document-type-wrong'}, card_security=card(visas))
        self.chip('card-security-expired', {'card-security-validity': 'certificate-expired'},
                  card_security=card(self.signer(end='20250101000000')))
        self.chip('card-security-of-stranger', None, verdict='not-checked', validity='not-checked',
                  card_security=card(stranger), not_checked={'card-security': 'no-trust-anchor'})
        self.trust('neighbours', self.nist.bytes, self.neighbour.bytes)
        abroad = self.signer(self.neighbour, subject=[('C', 'AT'), ('CN', 'DS')])
        self.chip('card-security-of-other-state', {'card-security': 'country-mismatch'}, card_security=card(abroad),
                  trust='trust-neighbours')
        self.chip('card-security-of-other-type', {'card-security': 'signed-data-damaged'},
                  card_security=card(kind='1.2.840.113549.1.7.1'))

    def countries(self):
        foreign = self.signer(subject=[('C', 'AT'), ('CN', 'DS abroad')])
        self.chip('signer-of-other-country', {'country': 'country-mismatch'}, foreign)
        self.chip('document-of-other-country', {'country': 'country-mismatch'},
                  mrz='P<AUT' + 'ERIKSSON<<ANNA<MARIA'.ljust(39, '<') + 'L898902C36AUT7408122F1204159ZE184226B<<<<<10')
        # The CSCA allows authorities below it, and one is another state's.
        root = self.authority('generous', extensions={BASIC_CONSTRAINTS: (True, sequence(boolean(True)))})
        self.trust('generous', root.bytes)
        above = Certificate(self.key('neighbour'), self.neighbour.subject, 4, issuer=root, authority=True, **LONG)
        own = Certificate(self.key('below'), NAME + [('CN', 'below')], 4, issuer=root, authority=True, **LONG)
        self.chip('cross-certified', {'country': 'country-mismatch'}, self.signer(above), [above],
                  trust='trust-generous')
        self.chip('authority-of-own-state', None, self.signer(own), [own], trust='trust-generous')
        self.chip('issuer-of-other-country', {'country': 'country-mismatch'}, self.signer(
            issuer_name=[('C', 'AT'), *self.nist.subject[1:]]), leniencies=['issuer-name-differs'])
        self.chip('two-countries', {'country': 'country-mismatch'}, self.signer(
            subject=[('C', 'UT'), ('C', 'AT'), ('CN', 'DS')]))
        for label, place, failed in [('place-of-other-country', 'AUT', {'country': 'country-mismatch'}),
                                     ('place-of-country', 'UTO', None), ('place-of-no-country', 'ZENITH', None)]:
            names = sequence(tlv(0xA4, name([('L', place)])))
            self.chip(label, failed, self.signer(extensions={OTHER_NAMES: (False, names)}))
            self.chip('issuer-' + label, failed, self.signer(extensions={ISSUER_NAMES: (False, names)}))
        for kind in (OTHER_NAMES, ISSUER_NAMES):
            names = sequence(tlv(0xA4, name([('C', 'AT')])))
            self.chip('other-country-in-' + kind, {'country': 'country-mismatch'},
                      self.signer(extensions={kind: (False, names)}))
        un = [('C', 'UN'), ('O', 'United Nations')]
        root = Certificate(self.key('united-nations'), un + [('CN', 'CSCA')], 1, authority=True, **LONG)
        self.trust('united-nations', root.bytes)
        for label, state in [('united-nations', 'UNO'), ('united-nations-agency', 'UNA')]:
            self.chip(label, None, self.signer(root, subject=un + [('CN', 'DS')]), trust='trust-united-nations',
                      mrz=f'P<{state}' + 'ERIKSSON<<ANNA<MARIA'.ljust(39, '<')
                      + 'L898902C36UTO7408122F1204159ZE184226B<<<<<10')

    def revocation(self):
        nist = self.nist
        link = self.authority('revoked-link', nist, same_name=True)

        def case(label, entries=(), failed=None, not_checked=None, signer=None, others=(), anchors=(nist,), **options):
            issuer = options.pop('issuer', nist)
            chip = options.pop('chip', {})
            lists = options.pop('lists', None) or [revocation_list(issuer, list(entries), **options)]
            self.trust(label, *[anchor.bytes for anchor in anchors], *lists)
            self.chip(label, {'revocation': failed} if failed else None, signer, others, trust='trust-' + label,
                      not_checked={'revocation': not_checked} if not_checked else None, **chip)

        signer = self.signer()
        case('revoked', [entry(signer.serial)], 'revoked', signer=signer)
        case('revoked-link', [entry(link.serial)], 'revoked', signer=self.signer(link), others=[link])
        case('revoked-csca', [entry(nist.serial)], 'revoked')
        case('revoked-in-delta', [entry(signer.serial)], 'revoked', signer=signer,
             extensions=[extension(DELTA, True, integer(1))])
        case('revoked-in-damaged-list', [sequence(integer(7), octets(b'x')), entry(signer.serial)], 'revoked',
             signer=signer)
        # A CSCA signs its list with its newest key, and may have a new name.
        newest = self.authority('newest', nist, extensions={NAME_CHANGE: (False, null())})
        named = {'key': self.made['newest'], 'subject': newest.subject}
        case('revoked-by-newer-name', [entry(signer.serial)], 'revoked', signer=signer, anchors=[nist, newest], **named)
        # One without the extension for it, whose key has a certificate of its own.
        plain, root = self.authority('plain', nist), self.authority('plain')
        case('revoked-by-newer-root', [entry(signer.serial)], 'revoked', signer=signer, anchors=[nist, plain, root],
             issuer=root)
        case('revoked-by-key', [entry(signer.serial)], 'revoked', signer=signer, subject=NAME + [('CN', 'renamed')],
             extensions=[extension(AUTHORITY_KEY, False, sequence(tlv(0x80, nist.key.identifier())))])

        # Leading zeros do not change a serial number.
        padded = tlv(0x02, b'\0\0' + signer.serial.to_bytes(2, 'big'))
        case('revoked-with-padding', [sequence(padded, time('20240101000000'))], 'revoked', signer=signer)
        case('revoked-by-sha1', [entry(signer.serial)], 'revoked', signer=signer, digest='sha1')
        case('revoked-in-future', [entry(signer.serial)], 'revoked', signer=signer, this='20260701000000',
             following='20261001000000')
        case('revoked-without-date', [entry(signer.serial)], 'revoked', signer=signer, this=tlv(0x17, b'2605'))

        def reason(number):
            return extension(ENTRY_REASON, False, tlv(0x0A, bytes([number])))

        held, gone = entry(signer.serial, '20240101000000', reason(6)), entry(signer.serial, '20240101000000', reason(1))
        case('on-hold', [held], 'revoked', signer=signer)
        for label, old, failed in [('released', held, None), ('revoked-and-not-listed', gone, 'revoked')]:
            case(label, failed=failed, signer=signer, lists=[
                revocation_list(nist, [old], this='20260301000000'), revocation_list(nist, [])])
        case('held-after-release', failed='revoked', signer=signer, lists=[
            revocation_list(nist, [], this='20260301000000'), revocation_list(nist, [held])])
        case('removed-from-list', [entry(signer.serial, '20240101000000', reason(8))], signer=signer)
        # Lists of another state's CSCA neither revoke nor confirm certificates (RFC 5280, 6.3.3 (f)).
        neighbour, both = self.neighbour, (nist, self.neighbour)

        def key_of(authority):
            return [extension(AUTHORITY_KEY, False, sequence(tlv(0x80, authority.key.identifier())))]

        for label, entries in [('revoked', [entry(signer.serial)]), ('vouched', [])]:
            foreign = {'signer': signer, 'anchors': both, 'key': neighbour.key}
            case(label + '-by-other-state', entries, not_checked='revocation-list-signature-wrong', **foreign,
                 extensions=key_of(neighbour))
            case(label + '-by-other-state-without-key', entries, not_checked='revocation-list-signature-wrong', **foreign)
            case(label + '-by-other-state-in-its-name', entries, not_checked='no-revocation-list', **foreign,
                 issuer=neighbour, extensions=key_of(nist))
            # A certificate of its own that appears to link both names.
            link = Certificate(self.key('neighbour'), neighbour.subject, 2, issuer=nist, authority=True, **LONG)
            case(label + '-by-link-of-other-state', entries, not_checked='no-revocation-list', signer=signer,
                 anchors=(nist, link), issuer=neighbour, extensions=key_of(neighbour))
            other = self.authority('other-authority')
            case(label + '-by-other-authority', entries, not_checked='revocation-list-signature-wrong', signer=signer,
                 anchors=(nist, other), key=other.key, extensions=key_of(other))
            # An authority below the CSCA, or another one, and an invalid link between their names: an unsigned certificate,
            # or one in an untrusted list.
            generous = self.authority('generous', extensions={BASIC_CONSTRAINTS: (True, sequence(boolean(True)))})
            below, own = self.authority('below', generous), self.signer(generous)
            case(label + '-by-authority-below', [entry(own.serial)][:len(entries)], not_checked='no-revocation-list',
                 signer=own, anchors=(generous, below), issuer=below)
            change = {'extensions': {NAME_CHANGE: (False, null())}}
            unsigned = self.authority('other-authority', nist, claimed=self.key('own'), **change)
            case(label + '-by-unsigned-link', entries, not_checked='no-revocation-list', signer=signer,
                 anchors=(nist, other, unsigned), issuer=other)
            link = self.authority('other-authority', nist, **change)
            future = self.maker.list_signer(nist)
            future = signed_data('2.23.136.1.1.2', sequence(integer(0), set_of(link.bytes)), [future], future.key,
                                 future, 'sha512', signed='20300101000000')
            case(label + '-by-link-of-future-list', not_checked='no-revocation-list', signer=signer,
                 anchors=(nist, other), lists=[revocation_list(other, entries), future])
            # One of a forger's with the key identifier of the CSCA.
            twin = self.authority('twin', extensions={SUBJECT_KEY: (False, octets(nist.key.identifier()))})
            case(label + '-by-twin', entries, not_checked='revocation-list-signature-wrong', signer=signer,
                 anchors=(nist, twin), key=twin.key, extensions=key_of(nist))
        case('vouched-by-newest', signer=signer, anchors=[nist, newest], **named)
        others = extension(ENTRY_ISSUER, True, sequence(tlv(0xA4, name(neighbour.subject))))
        case('list-entries-of-others', [entry(7, '20240101000000', others), entry(signer.serial)], signer=signer,
             not_checked='revocation-list-unsupported')
        rsa_root = self.maker.pki['rsa'][0]
        rsa = {'issuer': rsa_root, 'anchors': [rsa_root], 'chip': {'digest': 'sha256'},
               'signer': self.signer(rsa_root, self.made['rsa-ds'], digest='sha256')}
        case('list-by-sha256', digest='sha256', **rsa)
        case('list-by-sha1', digest='sha1', not_checked='weak-signature-digest', **rsa)
        case('list-by-md5', digest='md5', not_checked='broken-algorithm', **rsa)
        case('list-in-future', this='20260701000000', following='20261001000000',
             not_checked='revocation-list-in-future')
        case('list-of-today', this='20260601120000')
        case('list-of-now-and-of-future', lists=[
            revocation_list(nist, []), revocation_list(nist, [], '20260701000000', '20261001000000')])
        case('list-of-version-7', version=6, not_checked='revocation-list-damaged')
        case('list-of-version-1', version=0, not_checked='revocation-list-damaged')
        case('list-without-date', this=tlv(0x17, b'2605'), not_checked='revocation-list-damaged')
        case('list-with-field-behind', behind=octets(b'odd'), not_checked='revocation-list-damaged')
        number = extension(LIST_NUMBER, False, integer(7))
        case('list-of-two-numbers', extensions=[number, number], not_checked='revocation-list-damaged')
        case('list-of-two-scopes', extensions=[extension(SCOPE, True, sequence()), extension(
            SCOPE, True, sequence(boolean(True, 0x82)))], not_checked='revocation-list-damaged')
        case('list-entry-of-two-reasons', [entry(7, '20240101000000', reason(1), reason(2))],
             not_checked='revocation-list-damaged')
        case('list-of-other-key', extensions=[extension(AUTHORITY_KEY, False, sequence(tlv(0x80, bytes(20))))],
             not_checked='revocation-list-signature-wrong')
        young = self.authority('young', start='20260515000000')
        case('list-before-its-csca', issuer=young, anchors=[young], signer=self.signer(young), chip={
            'signed': '20260520000000'}, not_checked='revocation-list-signature-wrong')

        case('list-entry-damaged', [sequence(integer(7), octets(b'x'))], not_checked='revocation-list-damaged')
        case('list-entry-truncated', [tlv(0x30, b'\x02\x09\x01')], not_checked='revocation-list-damaged')
        case('list-entry-critical', [entry(7, '20240101000000', extension(UNKNOWN, True, null()))],
             not_checked='revocation-list-unsupported')
        case('list-entry-of-other-issuer', [entry(7, '20240101000000', extension(
            ENTRY_ISSUER, True, sequence(tlv(0xA4, name(NAME)))))], not_checked='revocation-list-unsupported')
        case('list-critical', extensions=[extension(UNKNOWN, True, null())], not_checked='revocation-list-unsupported')
        case('list-delta', extensions=[extension(DELTA, True, integer(1))], not_checked='revocation-list-unsupported')
        for label, value in [('authorities', boolean(True, 0x82)), ('attributes', boolean(True, 0x85)),
                             ('some-reasons', tlv(0x83, b'\x06\x40')), ('indirect', boolean(True, 0x84)),
                             ('other-point', context(0, context(0, tlv(0x86, b'http://other'))))]:
            case('list-for-' + label, extensions=[extension(SCOPE, True, sequence(value))],
                 not_checked='revocation-list-unsupported')
        case('list-old', this='20260101000000', following='20270101000000', not_checked='revocation-list-old')
        case('list-outdated', this='20260301000000', following='20260401000000', not_checked='revocation-list-outdated')
        case('list-of-stranger', key=self.key('own'), not_checked='revocation-list-signature-wrong')
        no_lists = self.authority('signs-no-lists', extensions={KEY_USAGE: usage(5)})
        case('list-of-key-for-certificates', issuer=no_lists, anchors=[no_lists], signer=self.signer(no_lists),
             not_checked='revocation-list-signature-wrong')
        point = context(0, context(0, tlv(0x86, b'http://own')))
        case('list-for-own-point', extensions=[extension(SCOPE, True, sequence(point))], signer=self.signer(extensions={
            DISTRIBUTION_POINTS: (False, sequence(sequence(point)))}))
        case('list-for-point-of-some-reasons', extensions=[extension(SCOPE, True, sequence(point))],
             not_checked='revocation-list-unsupported', signer=self.signer(extensions={
                 DISTRIBUTION_POINTS: (False, sequence(sequence(point, tlv(0x81, b'\x06\x40'))))}))
        case('list-for-empty-point', extensions=[extension(SCOPE, True, sequence(context(0)))],
             not_checked='revocation-list-unsupported', signer=self.signer(extensions={
                 DISTRIBUTION_POINTS: (False, sequence(sequence(point)))}))

    def odd(self):
        """Genuine chips, with the leniencies that they require."""
        def lenient(label, extensions, *reasons, **strict):
            self.chip(label, None, self.signer(extensions=extensions), leniencies=reasons,
                      strict={step.replace('_', '-'): reason for step, reason in strict.items()})

        lenient('no-key-usage', {KEY_USAGE: None}, 'key-usage-missing', key_usage='key-usage-missing')
        lenient('key-usage-not-critical', {KEY_USAGE: (False, usage(0)[1])}, 'key-usage-not-critical',
                key_usage='key-usage-not-critical')
        lenient('no-issuer-key', {AUTHORITY_KEY: None}, 'authority-key-identifier-missing',
                key_identifiers='authority-key-identifier-missing')
        lenient('no-document-types', {DOCUMENT_TYPES: None}, 'document-types-missing',
                document_type='document-types-missing')
        lenient('no-key-period', {KEY_PERIOD: None}, 'private-key-usage-missing',
                private_key_usage='private-key-usage-missing')
        for label, validity in [
                ('no-seconds', [tlv(0x17, b'2201010000Z'), tlv(0x17, b'3501010000Z')]),
                ('offset', [tlv(0x17, b'220101000000+0000'), time('20350101000000')]),
                ('long-year', [tlv(0x18, b'20220101000000Z'), time('20350101000000')])]:
            self.chip('time-with-' + label, None, self.signer(validity=sequence(*validity)),
                      leniencies=['time-form-wrong'], strict={'certificate-form': 'time-form-wrong'})
        self.chip('until-2051', None, self.signer(end='20510101000000'))
        self.chip('subject-without-country', None, self.signer(subject=[('O', 'Test'), ('CN', 'DS')]),
                  leniencies=['subject-country-missing'], strict={'certificate-form': 'subject-country-missing'})
        # Two lists of extensions: which of them counts is anybody's choice.
        twice = {'behind': context(3, sequence(extension(BASIC_CONSTRAINTS, True, sequence())))}
        self.chip('two-lists-of-extensions', None, self.signer(**twice), verdict='not-checked', validity='not-checked',
                  not_checked={'signature': 'signer-certificate-missing'})
        root = self.authority('two-lists-of-extensions', **twice)
        self.trust('two-lists-of-extensions', root.bytes)
        self.chip('csca-of-two-lists-of-extensions', None, self.signer(root), verdict='valid-without-anchor',
                  not_checked={'chain': 'no-trust-anchor'}, trust='trust-two-lists-of-extensions')
        self.chip('version-1', None, self.signer(version=0, extensions=dict.fromkeys(
            (SUBJECT_KEY, AUTHORITY_KEY, KEY_USAGE, KEY_PERIOD, DOCUMENT_TYPES))),
            leniencies=['certificate-version-old', 'key-usage-missing', 'authority-key-identifier-missing',
                        'document-types-missing', 'private-key-usage-missing'],
            strict={'certificate-form': 'certificate-version-old', 'key-usage': 'key-usage-missing',
                    'key-identifiers': 'authority-key-identifier-missing', 'document-type': 'document-types-missing',
                    'private-key-usage': 'private-key-usage-missing'})
        self.chip('issuer-in-other-order', None, self.signer(issuer_name=self.nist.subject[::-1]),
                  leniencies=['issuer-name-differs'], strict={'issuer-names': 'issuer-name-differs'})
        signer = self.signer()
        self.chip('signer-in-other-order', None, signer, leniencies=['signer-name-differs'],
                  sid=sequence(name(self.nist.subject[::-1]), integer(signer.serial)),
                  strict={'signed-data': 'signer-name-differs'})
        for label, options in [('other-issuer-key', tlv(0x80, bytes(20))), (
                'other-issuer-certificate', tlv(0xA1, tlv(0xA4, name(NAME))) + tlv(0x82, b'\x07'))]:
            lenient(label, {AUTHORITY_KEY: (False, sequence(options))}, 'key-identifier-wrong',
                    key_identifiers='key-identifier-wrong')
        for label, kind in [('of-the-draft', '1.3.27.1.1.1'), ('of-a-state', '1.2.528.1.1006.1.20.1'),
                            ('data', '1.2.840.113549.1.7.1')]:
            self.chip('content-type-' + label, None, kind=kind, leniencies=['content-type-differs'],
                      strict={'signed-data': 'content-type-differs'})
        for label, version, behind in [
                ('lds-version-missing', 1, []), ('one-lds-version', 1, [sequence(printable('0107'))]),
                ('three-lds-versions', 1, [sequence(*map(printable, ('0107', '040000', '040000')))])]:
            self.chip(label, None, content=lambda groups, version=version, behind=behind: hash_list(
                groups, version=version, behind=behind))
        self.chip('lds-versions-in-version-0', None, content=lambda groups: hash_list(
            groups, behind=[sequence(printable('0107'), printable('040000'))]))
        # Other forms of ECDSA signatures, of EF.SOD and of the certificate.
        for form in ('redundant-zero', 'no-zero', 'plain'):
            self.chip('ecdsa-' + form, None, self.signer(encode=lambda value, form=form: ecdsa_form(value, form)),
                      signature=lambda body, form=form: ecdsa_form(self.made['nist-ds'].sign('sha512', body), form))
        self.chip('ecdsa-with-curve', None, algorithm=sequence(oid('1.2.840.10045.2.1'), oid('1.2.840.10045.3.1.7')))
        self.chip('ecdsa-wrong-plain', {'signature': 'signature-wrong'}, signature=lambda body: bytes(range(1, 129)))
        # EF.SOD without its certificate, which is in the trust folder, next to others of the same name and number.
        def without(label, *trusted, signer, **options):
            self.trust(label, *[one.bytes for one in trusted])
            self.maker.chip(label, picture='drawn-jpeg', signer=signer, certificates=[], trust='trust-' + label, **options)

        signer, own = self.signer(), self.signer(key=self.key('own'))
        false = self.signer(key=self.made['unknown'], subject=signer.subject, serial=signer.serial)
        missing = {'verdict': 'not-checked', 'validity': 'not-checked', 'not_checked': {
            'signature': 'signer-certificate-missing', 'chain': 'signer-certificate-missing'}}
        without('signer-in-trust-folder', self.nist, false, signer, signer=signer)
        without('signer-by-key-in-trust-folder', self.nist, signer, signer=signer, by_key=True)
        without('false-signer-in-trust-folder', self.nist, false, signer=signer, **missing)
        without('other-signer-in-trust-folder', self.nist, own, signer=signer, **missing)
        stranger = self.signer(self.authority('own'))
        without('stranger-in-trust-folder', self.nist, stranger, signer=stranger, verdict='valid-without-anchor',
                not_checked={'chain': 'no-trust-anchor'})
        self.deviating = self.signer()
        self.chip('deviating', None, self.deviating)
        self.chip('any-purpose', None, self.signer(extensions=extended_key_usage('2.5.29.37.0')))
        self.chip('from-eight-o-clock', None, self.signer(start='20260601080000', extensions={
            KEY_PERIOD: (False, tlv(0x30, b''))}), signed=None, not_checked={
                'signer-validity-at-signing': 'no-signing-time'})
        self.chip('until-one-o-clock', None, self.signer(end='20260601010000'))
        self.chip('data-group-17', None, content=lambda groups: hash_list(groups, more=[(17, bytes(32))]))
        self.chip('diplomatic-passport', None, mrz='PDUTO' + 'ERIKSSON<<ANNA<MARIA'.ljust(39, '<')
                  + 'L898902C36UTO7408122F1204159ZE184226B<<<<<10')
        self.chip('twenty-certificates', None, self.signer(), [self.signer() for _ in range(20)])
        # A hundred authorities with one name and without key identifiers; the last one signed.
        roots = [Certificate(self.key('crowd'), NAME + [('CN', 'CSCA crowd')], number, authority=True,
                             extensions={SUBJECT_KEY: (False, octets(bytes([number])))}, **LONG)
                 for number in range(1, 100)]
        last = Certificate(self.key('crowded'), NAME + [('CN', 'CSCA crowd')], 100, authority=True, **LONG)
        self.trust('crowd', b''.join(root.bytes for root in roots + [last]))
        self.chip('crowd', None, self.signer(last, extensions={AUTHORITY_KEY: None}), trust='trust-crowd',
                  leniencies=['authority-key-identifier-missing'],
                  strict={'key-identifiers': 'authority-key-identifier-missing'})

    def lists(self, content):
        """Untrusted lists of certificates, and a deviation list, with their expected findings."""
        folder = os.path.join(self.maker.out, 'lists')
        os.makedirs(folder)
        kind = '2.23.136.1.1.2'
        content_parts = [set_of(self.nist.bytes)]

        def write(label, found, signer, *others, content=content, kind=kind, strict=None, **options):
            self.found[label] = [found, strict or found]
            with open(os.path.join(folder, label), 'wb') as out:
                out.write(signed_data(kind, content, [signer, *others], signer.key, signer, 'sha512', **options))

        nist, signer = self.nist, self.maker.list_signer
        own = self.authority('own')
        write('right.ml', 'master-list', signer(nist), nist)
        # Anyone can make these.
        write('own.ml', 'not-pinned', Certificate(
            self.key('own-ds'), NAME + [('CN', 'own')], 7, '20220101000000', '20350101000000', issuer=own,
            extensions=extended_key_usage('2.23.136.1.1.3')), own,
            content=sequence(integer(0), set_of(own.bytes, nist.bytes)))
        write('no-purpose.ml', 'refused', self.signer(), nist)
        write('other-purpose.ml', 'refused', signer(nist, extensions=extended_key_usage('2.23.136.1.1.8')), nist)
        write('of-csca.ml', 'refused', nist)
        write('expired-signer.ml', 'refused', signer(nist, end='20230101000000'), nist)
        write('no-time.ml', 'refused', signer(nist), nist, signed=None)
        write('two-signers.ml', 'refused', signer(nist), nist, signers=2)
        write('key-for-certificates.ml', 'refused', signer(nist, extensions={KEY_USAGE: usage(5)}), nist)
        write('revoked-signer.ml', 'refused', self.maker.revoked_list_signer, nist)
        write('in-future.ml', 'refused', signer(nist), nist, signed='20300101000000')
        write('other-state.ml', 'refused', signer(nist, country='AT'), nist)
        write('version-99.ml', 'refused', signer(nist), nist, content=sequence(integer(99), *content_parts))
        write('version-minus-1.ml', 'refused', signer(nist), nist, content=sequence(integer(-1), *content_parts))
        write('bytes-behind.ml', 'refused', signer(nist), nist, content=content + b'\5\0')
        write('uncritical.ml', 'master-list', signer(nist, extensions={KEY_USAGE: (False, usage(0)[1])}), nist,
              strict='refused')
        # The certificate that they would make trusted.
        unknown = sequence(integer(0), set_of(self.maker.pki['unknown'][0].bytes))
        for label, own, options in [
                ('unknown.ml', signer(nist), {}), ('unknown-revoked.ml', self.maker.revoked_list_signer, {}),
                ('unknown-in-future.ml', signer(nist), {'signed': '20300101000000'}),
                ('unknown-uncritical.ml', signer(nist, extensions={KEY_USAGE: (False, usage(0)[1])}), {})]:
            write(label, 'master-list', own, nist, content=unknown, **options)
            del self.found[label]

        deviating = self.deviating
        deviation = sequence(
            sequence(context(1, sequence(name(deviating.issuer_name), integer(deviating.serial)))),
            set_of(sequence(oid('2.23.136.1.1.7.2.2'), context(0, integer(12)))))
        listed = sequence(integer(0), sequence(oid(DIGESTS['sha256'])), set_of(deviation))
        write('right.dl', 'deviation-list', signer(nist, extensions=extended_key_usage('2.23.136.1.1.8')), nist,
              content=listed, kind='2.23.136.1.1.7')
        write('version-99.dl', 'refused', signer(nist, extensions=extended_key_usage('2.23.136.1.1.8')), nist,
              content=sequence(integer(99), sequence(oid(DIGESTS['sha256'])), set_of(deviation)), kind='2.23.136.1.1.7')
        write('revoked.dl', 'refused', self.maker.revoked_deviation_signer, nist, content=listed, kind='2.23.136.1.1.7')
        write('no-purpose.dl', 'refused', self.signer(), nist, content=listed, kind='2.23.136.1.1.7')


class Curve:
    """P-256 arithmetic, for keys that OpenSSL refuses to make (SEC 1, 2.3.3 and 4.1; RFC 3279, 2.3.5)."""
    P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
    N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
    G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
         0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)

    @classmethod
    def add(cls, a, b):
        if a is None or b is None:
            return a or b
        if a[0] == b[0] and (a[1] + b[1]) % cls.P == 0:
            return None
        slope = ((3 * a[0] * a[0] - 3) * pow(2 * a[1], -1, cls.P) if a == b
                 else (b[1] - a[1]) * pow(b[0] - a[0], -1, cls.P))
        x = (slope * slope - a[0] - b[0]) % cls.P
        return x, (slope * (a[0] - x) - a[1]) % cls.P

    @classmethod
    def multiply(cls, point, factor):
        result = None
        while factor:
            if factor & 1:
                result = cls.add(result, point)
            point, factor = cls.add(point, point), factor >> 1
        return result

    @staticmethod
    def encoded(point):
        return b'\x04' + b''.join(number.to_bytes(32, 'big') for number in point)

    @classmethod
    def public(cls, generator, point, cofactor=1):
        a = (cls.P - 3).to_bytes(32, 'big')
        parameters = sequence(
            integer(1), sequence(oid('1.2.840.10045.1.1'), integer(cls.P)),
            sequence(octets(a), octets(cls.B.to_bytes(32, 'big'))), octets(cls.encoded(generator)), integer(cls.N),
            integer(cofactor))
        return sequence(sequence(oid('1.2.840.10045.2.1'), parameters), bits(cls.encoded(point)))

    @classmethod
    def sign(cls, generator, private, body):
        once = 0x1234567890ABCDEF
        r = cls.multiply(generator, once)[0] % cls.N
        digest = int.from_bytes(hashlib.sha256(body).digest(), 'big')
        return sequence(integer(r), integer(pow(once, -1, cls.N) * (digest + r * private) % cls.N))
