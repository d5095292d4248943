"""Writes the face records of EF.DG2 (ISO/IEC 19794-5:2005 and 2011, ISO/IEC 39794-5)."""
from der import boolean, context, der, integer, sequence, tlv


def template_group(records, format_type):
    """The biometric information templates of EF.DG2, one per record (ICAO Doc 9303-10)."""
    templates = b''
    for record in records:
        header = (tlv(0x80, b'\x01\x01') + tlv(0x81, b'\x02') + tlv(0x82, b'\0')
                  + tlv(0x83, bytes.fromhex('20230505101500')) + tlv(0x85, bytes.fromhex('2023050520330504'))
                  + tlv(0x87, b'\x01\x01') + tlv(0x88, format_type.to_bytes(2, 'big')))
        templates += tlv(0x7F60, tlv(0xA1, header) + tlv(0x5F2E if format_type == 8 else 0x7F2E, record))
    return tlv(0x75, tlv(0x7F61, integer(len(records)) + templates))


def person(height=b''):
    """Female, brown eyes, blonde hair; glasses, neutral; yaw 4, pitch -6, roll 0 degrees."""
    return b'\x02\x03\x03' + height + b'\0\0\x03' + (b'\0\x03' if height else b'\0\x01') + b'\x03\xb2\x01\x03\0\0'


def points():
    """The pupils."""
    return bytes.fromhex('01 36 0064 00C8 0000 01 35 0096 00C8 0000')


def record19794(images, kind):
    """2005: one record per picture."""
    faces = b''
    for image in images:
        face = (b'\0\x02' + person() + points() + bytes([1, 0 if kind == 'jpeg' else 1])
                + (413).to_bytes(2, 'big') + (531).to_bytes(2, 'big') + b'\x01\x02\0\x07\0\x50' + image)
        faces += (len(face) + 4).to_bytes(4, 'big') + face
    return b'FAC\x00010\0' + (len(faces) + 14).to_bytes(4, 'big') + len(images).to_bytes(2, 'big') + faces


def record2011(image, kind):
    face = (bytes.fromhex('07E7 05 05 0A 0F 00 0000 02 0001 0007') + bytes.fromhex('01 50 0002 0003') + b'\0\x02'
            + person(b'\xaa') + points() + bytes([1, 0 if kind == 'jpeg' else 1]) + (413).to_bytes(2, 'big')
            + (531).to_bytes(2, 'big') + b'\x03\0\x02\0\x01' + len(image).to_bytes(4, 'big') + image)
    faces = (len(face) + 4).to_bytes(4, 'big') + face
    return b'FAC\x00030\0' + (len(faces) + 17).to_bytes(4, 'big') + b'\0\x01\0\0\0' + faces


def coded(number, value):
    """A choice in an extension block."""
    return context(number, context(1, integer(value, 0x80)))


def face39794(image, kind):
    size = context(7, integer(413, 0x80), integer(531, 0x81))
    information = context(
        1, context(0, integer(2 if kind == 'jpeg' else 3, 0x80)), coded(1, 0), size, coded(9, 2))
    picture = context(1, context(0, context(0, tlv(0x80, image), information)))
    when = context(2, *[integer(value, 0x80 + index) for index, value in enumerate([2023, 5, 5, 10, 15, 0, 7])])
    pose = context(6, context(0, integer(4, 0x80), integer(2, 0x81)), context(1, integer(-6, 0x80)))
    identity = context(8, coded(0, 3), coded(1, 4), coded(2, 4), integer(1700, 0x83),
                       context(4, boolean(True, 0x80), boolean(False, 0x82)), context(5, boolean(True, 0x80)), pose)
    point = sequence(context(0, context(0, context(0, context(1, integer(18, 0x80))))),
                     context(1, context(0, context(0, integer(100, 0x80), integer(200, 0x81)))))
    block = sequence(integer(0, 0x80), picture, when, identity, context(9, point))
    return der(0xA1, der(0x65, context(0, integer(3, 0x80), integer(2019, 0x81)), context(1, block)))
