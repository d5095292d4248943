"""Writes DER (ITU-T X.690)."""


def tlv(tag, value):
    size = len(value)
    if size < 0x80:
        length = bytes([size])
    else:
        length = size.to_bytes((size.bit_length() + 7) // 8, 'big')
        length = bytes([0x80 | len(length)]) + length
    return tag.to_bytes((tag.bit_length() + 7) // 8, 'big') + length + value


def der(tag, *parts):
    return tlv(tag, b''.join(parts))


def sequence(*parts):
    return der(0x30, *parts)


def set_of(*parts):
    return der(0x31, *sorted(parts))


def context(number, *parts):
    return der(0xA0 + number, *parts)


def integer(value, tag=0x02):
    size = 1
    while not -(1 << 8 * size - 1) <= value < 1 << 8 * size - 1:
        size += 1
    return tlv(tag, value.to_bytes(size, 'big', signed=True))


def boolean(value, tag=0x01):
    return tlv(tag, b'\xff' if value else b'\0')


def octets(value):
    return tlv(0x04, value)


def bits(value, unused=0):
    return tlv(0x03, bytes([unused]) + value)


def null():
    return tlv(0x05, b'')


def printable(text):
    return tlv(0x13, text.encode())


def utf8(text):
    return tlv(0x0C, text.encode())


def oid(dotted):
    first, second, *rest = map(int, dotted.split('.'))
    encoded = b''
    for number in [40 * first + second] + rest:
        groups = [number & 0x7F]
        while number > 0x7F:
            number >>= 7
            groups.append(0x80 | number & 0x7F)
        encoded += bytes(reversed(groups))
    return tlv(0x06, encoded)


def time(digits):
    """YYYYMMDDhhmmss, as UTCTime until 2049 (RFC 5280, 4.1.2.5)."""
    return tlv(0x17, (digits[2:] + 'Z').encode()) if digits < '2050' else tlv(0x18, (digits + 'Z').encode())


def name(attributes):
    types = {'C': '2.5.4.6', 'L': '2.5.4.7', 'O': '2.5.4.10', 'CN': '2.5.4.3'}
    return sequence(*[set_of(sequence(oid(types[kind]), printable(value) if kind == 'C' else utf8(value)))
                      for kind, value in attributes])
