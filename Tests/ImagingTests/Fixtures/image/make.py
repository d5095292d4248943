#!/usr/bin/env python3
"""Makes the picture fixtures: python3 make.py (needs Pillow with JPEG 2000 and WebP, numpy, a C compiler, OpenJPEG, and
libheif with its encoders).

All show one synthetic scene whose pixels the tests compute themselves: four quarters (red, green, blue, yellow,
clockwise from the top left) of WIDTH x HEIGHT, darkened from left to right by the factor 1 - x / (2 * WIDTH).
Nothing here is a photograph; the files are under the project's licence.
"""
import ctypes
import struct
import subprocess
import zlib
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image

HERE = Path(__file__).parent
SEEDS = HERE.parents[2] / "fuzz" / "corpus" / "image"
WIDTH, HEIGHT = 48, 32


def scene(width=WIDTH, height=HEIGHT):
    picture = np.zeros((height, width, 3), np.float64)
    top, left = slice(0, height // 2), slice(0, width // 2)
    bottom, right = slice(height // 2, None), slice(width // 2, None)
    picture[top, left] = (255, 0, 0)
    picture[top, right] = (0, 255, 0)
    picture[bottom, right] = (0, 0, 255)
    picture[bottom, left] = (255, 255, 0)
    return picture * (1 - np.arange(width) / (2 * width))[None, :, None]


RGB = np.rint(scene()).astype(np.uint8)
GREY = np.rint(scene() @ (0.299, 0.587, 0.114)).astype(np.uint8)


def write(name, data):
    (HERE / name).write_bytes(data)
    return data


def encoded(picture, **options):
    out = BytesIO()
    picture.save(out, **options)
    return out.getvalue()


def jpeg(array, mode=None, **options):
    return encoded(Image.fromarray(array, mode) if mode else Image.fromarray(array),
                   format="JPEG", quality=95, subsampling=0, **options)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, bits, colour, rows, extra=b"", interlace=0):
    """A PNG from its filtered rows (each a filter byte and data)."""
    header = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, interlace)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(rows, 9))
            + chunk(b"IEND", b""))


def rows(array):
    return b"".join(b"\0" + row.tobytes() for row in array)


def adam7(array):
    out = b""
    for x, y, dx, dy in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
                         (0, 1, 1, 2)):
        part = array[y::dy, x::dx]
        if part.size:
            out += rows(np.ascontiguousarray(part))
    return out


def exif(orientation, order=">"):
    tiff = (b"MM\0*" if order == ">" else b"II*\0") + struct.pack(order + "I", 8)
    return tiff + struct.pack(order + "HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)


# The stored picture that EXIF orientation N rotates upright: the inverse of the decoder's operation.
STORED = {
    1: lambda a: a,
    2: lambda a: a[:, ::-1],
    3: lambda a: a[::-1, ::-1],
    4: lambda a: a[::-1],
    5: lambda a: a.transpose(1, 0, 2),
    6: lambda a: np.rot90(a, 1),
    7: lambda a: a[::-1, ::-1].transpose(1, 0, 2),
    8: lambda a: np.rot90(a, -1),
}


def with_app1(data, payload):
    """A JPEG with an APP1 segment directly after its start marker."""
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(payload) + 2) + payload + data[2:]


def scans():
    """Formats of scanners: TIFF and BMP. Rows of the grey and coloured ones are long enough for codes of 12 bits."""
    rgb, grey = Image.fromarray(RGB), Image.fromarray(GREY)
    write("lzw.tif", encoded(rgb, format="TIFF", compression="tiff_lzw"))
    write("grey.tif", encoded(grey, format="TIFF", compression="tiff_lzw"))
    write("packed.tif", encoded(rgb, format="TIFF", compression="packbits"))
    write("plain.tif", encoded(rgb, format="TIFF"))
    # Horizontal differences, big-endian, and rotated by the directory's orientation tag.
    turned = Image.fromarray(np.ascontiguousarray(STORED[6](RGB)))
    write("turned.tif", encoded(turned, format="TIFF", compression="tiff_lzw", tiffinfo={317: 2, 274: 6}))
    write("fax.tif", encoded(grey.convert("1"), format="TIFF", compression="group4"))
    noise = np.random.default_rng(1).integers(0, 256, (64, 512), np.uint8)
    write("noise.tif", encoded(Image.fromarray(noise), format="TIFF", compression="tiff_lzw"))
    write("noise-tif.png", encoded(Image.fromarray(noise), format="PNG"))
    write("colour.bmp", encoded(rgb, format="BMP"))
    write("alpha.bmp", encoded(rgb.convert("RGBA"), format="BMP"))
    write("grey.bmp", encoded(grey, format="BMP"))
    # JPEG strips, with their tables in the directory.
    strips = {"compression": "jpeg", "quality": 95, "tiffinfo": {278: 16}}
    whole = write("jpeg.tif", encoded(rgb, format="TIFF", **strips))
    write("grey-jpeg.tif", encoded(grey, format="TIFF", **strips))
    # The compression entry has the value 6 instead of 7.
    entry = struct.pack("<HHIH", 259, 3, 1, 7)
    write("old-jpeg.tif", whole.replace(entry, entry[:-2] + b"\6\0"))
    write("two-tone.bmp", encoded(grey.convert("1"), format="BMP"))
    write("two-tone.png", encoded(grey.convert("1"), format="PNG"))


def jpegs():
    for orientation, store in STORED.items():
        data = jpeg(np.ascontiguousarray(store(RGB)))
        write(f"exif-{orientation}.jpg", with_app1(data, b"Exif\0\0" + exif(orientation, "<>"[orientation % 2])))
    plain = write("colour.jpg", jpeg(RGB))
    write("halved.jpg", encoded(Image.fromarray(RGB), format="JPEG", quality=95, subsampling=2))
    write("grey.jpg", jpeg(GREY))
    write("progressive.jpg", jpeg(RGB, progressive=True))
    write("one.jpg", jpeg(np.full((1, 1, 3), (200, 100, 50), np.uint8)))
    write("truncated.jpg", plain[: len(plain) * 2 // 3])
    write("no-end.jpg", plain[:-2])
    write("extraneous.jpg", plain[:2] + b"\xff\xfe\0\x04hi" + b"junk" + plain[2:])
    # With an Adobe marker inks are stored inverted, as Pillow writes them; without it they are not.
    inks = np.dstack([255 - RGB, np.zeros_like(GREY)])
    adobe = write("cmyk-adobe.jpg", jpeg(inks, "CMYK"))
    at = adobe.index(b"\xff\xee")
    length = struct.unpack(">H", adobe[at + 2 : at + 4])[0]
    inverted = jpeg(255 - inks, "CMYK")
    write("cmyk.jpg", inverted[:at] + inverted[at + 2 + length :])
    # YCCK: luma and chroma of the inks as if they were red, green and blue, and the inverted black.
    ycc = np.asarray(Image.fromarray(255 - RGB).convert("YCbCr"))
    ycck = jpeg(255 - np.dstack([ycc, np.full_like(GREY, 255)]), "CMYK")
    transform = ycck.index(b"Adobe") + 11
    write("ycck-adobe.jpg", ycck[:transform] + b"\x02" + ycck[transform + 1 :])
    # A decompression bomb: 30000 x 30000.
    frame = plain.index(b"\xff\xc0")
    scan = plain.index(b"\xff\xda")
    write("huge.jpg", plain[: frame + 5] + struct.pack(">HH", 30000, 30000) + plain[frame + 9 : scan + 14])
    grey = jpeg(GREY)
    write("scan-bomb.jpg", grey[:-2] + grey[grey.index(b"\xff\xda") : -2] * 70 + grey[-2:])
    hostile = b"Exif\0\0MM\0*\xff\xff\xff\xff" + exif(6)
    write("exif-hostile.jpg", with_app1(plain, hostile))


def pngs():
    colour = write("colour.png", png(WIDTH, HEIGHT, 8, 2, rows(RGB)))
    write("interlaced.png", png(WIDTH, HEIGHT, 8, 2, adam7(RGB), interlace=1))
    write("interlaced-one.png", png(1, 1, 8, 2, b"\0\xc8\x64\x32", interlace=1))
    write("exif-6.png", png(HEIGHT, WIDTH, 8, 2, rows(np.ascontiguousarray(STORED[6](RGB))), chunk(b"eXIf", exif(6))))
    write("rgb16.png", png(WIDTH, HEIGHT, 16, 2, rows((scene() * 257).round().astype(">u2"))))
    write("grey16.png", png(WIDTH, HEIGHT, 16, 0, rows((GREY.astype(np.uint32) * 257).astype(">u2"))))
    write("grey8.png", png(WIDTH, HEIGHT, 8, 0, rows(GREY)))
    for bits in (1, 2, 4):  # steps from black to white, the most significant bits first
        steps = np.arange(16) % (1 << bits)
        packed = np.packbits(((steps[:, None] >> np.arange(bits)[::-1]) & 1).astype(np.uint8))
        write(f"grey{bits}.png", png(16, 1, bits, 0, b"\0" + packed.tobytes()))
    # A palette of four colours, the second half transparent.
    write("palette.png", png(4, 1, 8, 3, b"\0\0\1\2\3",
                             chunk(b"PLTE", bytes([255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]))
                             + chunk(b"tRNS", bytes([255, 128, 0]))))
    alpha = np.dstack([RGB, np.broadcast_to(np.where(np.arange(WIDTH) < WIDTH // 2, 255, 51).astype(np.uint8),
                                            (HEIGHT, WIDTH))])
    write("alpha.png", png(WIDTH, HEIGHT, 8, 6, rows(alpha)))
    write("grey-alpha.png", png(2, 1, 8, 4, bytes([0, 100, 255, 100, 0])))
    write("one.png", png(1, 1, 8, 2, b"\0\xc8\x64\x32"))
    write("truncated.png", colour[: len(colour) * 2 // 3])
    write("no-end.png", colour[:-12])
    write("flipped.png", colour[:60] + bytes([colour[60] ^ 0x55]) + colour[61:])
    write("huge.png", png(30000, 30000, 8, 2, b"")[:33])
    write("zero.png", png(0, 4, 8, 2, b""))


def jp2s():
    lossless = dict(format="JPEG2000", irreversible=False)
    colour = write("colour.jp2", encoded(Image.fromarray(RGB), **lossless, num_resolutions=4))
    write("grey.jp2", encoded(Image.fromarray(GREY), **lossless))
    write("grey16.jp2", encoded(Image.fromarray(GREY.astype(np.uint16) * 257), **lossless))
    write("alpha.jp2", encoded(Image.fromarray(np.dstack([RGB, np.full_like(GREY, 51)])), **lossless))
    raw = write("colour.j2k", encoded(Image.fromarray(RGB), **lossless, no_jp2=True))
    write("flat.j2k", encoded(Image.fromarray(RGB), **lossless, no_jp2=True, num_resolutions=1))
    write("tiles.j2k", encoded(Image.fromarray(RGB), **lossless, no_jp2=True, tile_size=(16, 16)))
    write("one.jp2", encoded(Image.fromarray(np.full((1, 1, 3), (200, 100, 50), np.uint8)), **lossless))
    subsampled("halved.jp2")
    subsampled("halved.j2k")
    write("truncated.jp2", colour[: len(colour) * 2 // 3])
    write("truncated.j2k", raw[: len(raw) * 2 // 3])
    write("huge.jp2", resized(colour, 30000)[: colour.index(b"\xff\x4f\xff\x51") + 60])


# JPEG 2000 with chroma of half the size, which Pillow cannot write: subsampled WIDTH HEIGHT OUT < planes
# The extension .jp2 selects boxes with the colour space sYCC. Embedded here, so that the recipe is one file.
SUBSAMPLED = r"""
#include <openjpeg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments) {
  if (count != 4) return 2;
  unsigned width = (unsigned)atoi(arguments[1]), height = (unsigned)atoi(arguments[2]);
  int boxed = strstr(arguments[3], ".jp2") != NULL;
  opj_image_cmptparm_t planes[3];
  memset(planes, 0, sizeof planes);
  for (unsigned i = 0; i < 3; i++) {
    unsigned step = i == 0 ? 1 : 2;
    planes[i].dx = planes[i].dy = step;
    planes[i].w = width / step;
    planes[i].h = height / step;
    planes[i].prec = 8;
  }
  opj_image_t *image = opj_image_create(3, planes, boxed ? OPJ_CLRSPC_SYCC : OPJ_CLRSPC_UNSPECIFIED);
  image->x1 = width;
  image->y1 = height;
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned at = 0; at < planes[i].w * planes[i].h; at++) image->comps[i].data[at] = getchar();
  }
  opj_cparameters_t parameters;
  opj_set_default_encoder_parameters(&parameters);
  parameters.tcp_numlayers = 1;
  parameters.cp_disto_alloc = 1;
  parameters.numresolution = 3;
  opj_codec_t *codec = opj_create_compress(boxed ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K);
  opj_stream_t *stream = opj_stream_create_default_file_stream(arguments[3], OPJ_FALSE);
  int written = opj_setup_encoder(codec, &parameters, image) && opj_start_compress(codec, image, stream) &&
                opj_encode(codec, stream) && opj_end_compress(codec, stream);
  opj_stream_destroy(stream);
  opj_destroy_codec(codec);
  opj_image_destroy(image);
  return !written;
}
"""


def subsampled(name):
    luma, *chroma = np.asarray(Image.fromarray(RGB).convert("YCbCr")).transpose(2, 0, 1).astype(np.float64)
    halves = [plane.reshape(HEIGHT // 2, 2, WIDTH // 2, 2).mean(axis=(1, 3)) for plane in chroma]
    data = b"".join(np.rint(plane).astype(np.uint8).tobytes() for plane in (luma, *halves))
    with TemporaryDirectory() as folder:
        tool = f"{folder}/subsampled"
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libopenjp2"], check=True, capture_output=True,
                               text=True).stdout.split()
        subprocess.run(["cc", "-x", "c", "-o", tool, "-", *flags], input=SUBSAMPLED, text=True, check=True)
        subprocess.run([tool, str(WIDTH), str(HEIGHT), str(HERE / name)], input=data, check=True)


# Primaries as in ICC profiles (columns of XYZ, adapted to D50), and the curve: value to light, and back.
SRGB = ((0.43607, 0.22249, 0.01392), (0.38515, 0.71687, 0.09708), (0.14307, 0.06061, 0.71410))
DISPLAY_P3 = ((0.51512, 0.24120, -0.00105), (0.29198, 0.69225, 0.04189), (0.15710, 0.06657, 0.78407))
ADOBE_RGB = ((0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457))
ADOBE_GAMMA = 0x0233 / 256


def srgb_light(value):
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def srgb_value(light):
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def fixed(*values):
    """s15Fixed16Number"""
    return b"".join(struct.pack(">i", round(value * 65536)) for value in values)


def profile(space, tags, pcs=b"XYZ ", kind=b"mntr"):
    """An ICC profile (ICC.1) with these tags, each with its type's bytes."""
    tags = {b"desc": b"desc" + bytes(4) + struct.pack(">I", 5) + b"made\0" + bytes(78), b"cprt": b"text\0\0\0\0none\0",
            b"wtpt": b"XYZ \0\0\0\0" + fixed(0.96420, 1, 0.82491), **tags}
    table, data, at = struct.pack(">I", len(tags)), b"", 128 + 4 + 12 * len(tags)
    for name, value in tags.items():
        table += name + struct.pack(">II", at + len(data), len(value))
        data += value + bytes(-len(value) % 4)
    header = (bytes(8) + bytes([4 if b"rTRC" in tags and tags[b"rTRC"][:4] == b"para" else 2, 0x10]) + bytes(2) + kind
              + space + pcs + struct.pack(">6H", 2024, 1, 1, 0, 0, 0) + b"acsp" + bytes(28)
              + fixed(0.96420, 1, 0.82491) + bytes(48))
    size = len(header) + len(table) + len(data)
    return struct.pack(">I", size) + header[4:] + table + data


def rgb_profile(primaries, curve):
    colorants = {name: b"XYZ \0\0\0\0" + fixed(*column) for name, column in zip((b"rXYZ", b"gXYZ", b"bXYZ"), primaries)}
    return profile(b"RGB ", {**colorants, **{name: curve for name in (b"rTRC", b"gTRC", b"bTRC")}})


SRGB_CURVE = b"para\0\0\0\0\0\3\0\0" + fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
P3_PROFILE = rgb_profile(DISPLAY_P3, SRGB_CURVE)


def gamma_curve(gamma):
    return b"curv\0\0\0\0\0\0\0\1" + struct.pack(">H", round(gamma * 256))


def inks_profile():
    """Cyan, magenta, yellow and black that all print grey: the mean of the inks."""
    corners = [sum(n >> bit & 1 for bit in range(4)) for n in range(16)]
    table = bytes(byte for inks in corners for byte in (255 - inks * 255 // 4, 128, 128))
    steps = bytes(range(256))
    lut = (b"mft1\0\0\0\0\4\3\2\0" + fixed(1, 0, 0, 0, 1, 0, 0, 0, 1) + steps * 4 + table + steps * 3)
    return profile(b"CMYK", {b"A2B0": lut, b"A2B1": lut}, pcs=b"Lab ", kind=b"prtr")


def in_space(primaries, value_of_light, picture=None):
    """The scene in another colour space, with the same appearance."""
    light = srgb_light((scene() if picture is None else picture) / 255)
    other = light @ np.array(SRGB) @ np.linalg.inv(np.array(primaries))
    return np.rint(255 * value_of_light(np.clip(other, 0, 1))).astype(np.uint8)


def profiles():
    p3 = in_space(DISPLAY_P3, srgb_value)
    adobe = in_space(ADOBE_RGB, lambda light: light ** (1 / ADOBE_GAMMA))
    adobe_profile = rgb_profile(ADOBE_RGB, gamma_curve(ADOBE_GAMMA))
    write("p3.jpg", jpeg(p3, icc_profile=P3_PROFILE))
    write("p3.png", encoded(Image.fromarray(p3), format="PNG", icc_profile=P3_PROFILE))
    write("p3.webp", encoded(Image.fromarray(p3), format="WEBP", lossless=True, icc_profile=P3_PROFILE))
    write("p3.tif", encoded(Image.fromarray(p3), format="TIFF", icc_profile=P3_PROFILE))
    write("p3.jp2", with_colour_box(encoded(Image.fromarray(p3), format="JPEG2000", irreversible=False), P3_PROFILE))
    write("adobe.jpg", jpeg(adobe, icc_profile=adobe_profile))
    write("adobe.png", encoded(Image.fromarray(adobe), format="PNG", icc_profile=adobe_profile))
    write("srgb.png", encoded(Image.fromarray(RGB), format="PNG", icc_profile=rgb_profile(SRGB, SRGB_CURVE)))
    write("cicp.png", png(WIDTH, HEIGHT, 8, 2, rows(p3), chunk(b"cICP", bytes([12, 13, 0, 1]))))
    write("pq.png", png(WIDTH, HEIGHT, 8, 2, rows(RGB), chunk(b"cICP", bytes([9, 16, 0, 1]))))
    light = np.rint(255 * srgb_light(GREY / 255) ** (1 / 1.8)).astype(np.uint8)
    write("gamma.png", encoded(Image.fromarray(light), format="PNG",
                               icc_profile=profile(b"GRAY", {b"kTRC": gamma_curve(1.8)})))
    inks = np.dstack([255 - RGB, np.zeros_like(GREY)])
    write("inks.jpg", jpeg(inks, "CMYK", icc_profile=inks_profile()))
    write("broken-profile.jpg", jpeg(RGB, icc_profile=P3_PROFILE[:200]))
    write("broken-profile.png", encoded(Image.fromarray(RGB), format="PNG", icc_profile=b"\0" * 200))
    write("broken-profile.webp", encoded(Image.fromarray(RGB), format="WEBP", lossless=True, icc_profile=b"none"))
    write("broken-profile.tif", encoded(Image.fromarray(RGB), format="TIFF", icc_profile=P3_PROFILE[:300]))
    write("inks-profile.png", png(WIDTH, HEIGHT, 8, 2, rows(RGB),
                                  chunk(b"iCCP", b"x\0\0" + zlib.compress(inks_profile()))))
    # Two segments, the second first; and one of two.
    plain = jpeg(RGB)
    at = len(P3_PROFILE) // 2
    parts = [b"ICC_PROFILE\0" + bytes([n + 1, 2]) + part for n, part in enumerate((P3_PROFILE[:at], P3_PROFILE[at:]))]
    segments = [b"\xff\xe2" + struct.pack(">H", len(part) + 2) + part for part in parts]
    p3_plain = jpeg(p3)
    write("p3-parts.jpg", p3_plain[:2] + segments[1] + segments[0] + p3_plain[2:])
    write("half-profile.jpg", plain[:2] + segments[0] + plain[2:])
    folder = SEEDS.with_name("profile")
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in (("p3", P3_PROFILE), ("adobe", adobe_profile), ("inks", inks_profile()),
                       ("grey", profile(b"GRAY", {b"kTRC": gamma_curve(1.8)}))):
        (folder / name).write_bytes(data)


def with_colour_box(data, icc):
    """A JP2 whose colr box, the last in its jp2h box, contains a profile."""
    header, colr = data.index(b"jp2h") - 4, data.index(b"colr") - 4
    old = struct.unpack(">I", data[colr : colr + 4])[0]
    box = struct.pack(">I", 11 + len(icc)) + b"colr\2\0\0" + icc
    size = struct.unpack(">I", data[header : header + 4])[0] + len(box) - old
    return data[:header] + struct.pack(">I", size) + data[header + 4 : colr] + box + data[colr + old :]


def webps():
    picture = Image.fromarray(RGB)
    colour = write("colour.webp", encoded(picture, format="WEBP", lossless=True))
    write("lossy.webp", encoded(picture, format="WEBP", quality=95))
    turned = Image.fromarray(np.ascontiguousarray(STORED[6](RGB)))
    write("exif-6.webp", encoded(turned, format="WEBP", lossless=True, exif=b"Exif\0\0" + exif(6)))
    alpha = np.dstack([RGB, np.full_like(GREY, 51)])
    write("alpha.webp", encoded(Image.fromarray(alpha), format="WEBP", lossless=True, exact=True))
    write("lossy-alpha.webp", encoded(Image.fromarray(alpha), format="WEBP", quality=95, exact=True))
    write("animated.webp", encoded(picture, format="WEBP", save_all=True, append_images=[turned.resize(picture.size)]))
    write("one.webp", encoded(Image.fromarray(np.full((1, 1, 3), (200, 100, 50), np.uint8)), format="WEBP",
                              lossless=True))
    write("truncated.webp", colour[: len(colour) * 2 // 3])
    # 16384 x 16384, the maximum, in the 28 bits after the signature of a lossless picture.
    at = colour.index(b"VP8L") + 9
    bits = struct.unpack("<I", colour[at : at + 4])[0] | 0xFFFFFFF
    write("huge.webp", colour[:at] + struct.pack("<I", bits) + colour[at + 4 :])


class HeifError(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("subcode", ctypes.c_int), ("message", ctypes.c_char_p)]


class HeifEncodingOptions(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint8), ("alpha", ctypes.c_uint8), ("mac", ctypes.c_uint8),
                ("two_colours", ctypes.c_uint8), ("nclx", ctypes.c_void_p), ("mac_nclx", ctypes.c_uint8),
                ("orientation", ctypes.c_int)]


class HeifNclx(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint8), ("primaries", ctypes.c_int), ("transfer", ctypes.c_int),
                ("matrix", ctypes.c_int), ("full_range", ctypes.c_uint8), ("rest", ctypes.c_float * 8)]


def heif(array, codec, icc=None, primaries=None, orientation=1, lossless=True):
    """A HEIF file: codec 1 is HEVC, 4 is AV1."""
    library = ctypes.CDLL("libheif.so.1")
    pointer = ctypes.c_void_p
    for name, result, arguments in (
        ("heif_context_alloc", pointer, []),
        ("heif_image_create", HeifError, [ctypes.c_int] * 4 + [ctypes.POINTER(pointer)]),
        ("heif_image_add_plane", HeifError, [pointer] + [ctypes.c_int] * 4),
        ("heif_image_get_plane", ctypes.POINTER(ctypes.c_uint8), [pointer, ctypes.c_int, ctypes.POINTER(ctypes.c_int)]),
        ("heif_image_set_raw_color_profile", HeifError, [pointer, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]),
        ("heif_nclx_color_profile_alloc", ctypes.POINTER(HeifNclx), []),
        ("heif_image_set_nclx_color_profile", HeifError, [pointer, ctypes.POINTER(HeifNclx)]),
        ("heif_context_get_encoder_for_format", HeifError, [pointer, ctypes.c_int, ctypes.POINTER(pointer)]),
        ("heif_encoder_set_lossless", HeifError, [pointer, ctypes.c_int]),
        ("heif_encoder_set_lossy_quality", HeifError, [pointer, ctypes.c_int]),
        ("heif_encoder_set_parameter_string", HeifError, [pointer, ctypes.c_char_p, ctypes.c_char_p]),
        ("heif_encoding_options_alloc", ctypes.POINTER(HeifEncodingOptions), []),
        ("heif_context_encode_image", HeifError, [pointer] * 3 + [ctypes.POINTER(HeifEncodingOptions),
                                                                 ctypes.POINTER(pointer)]),
        ("heif_context_write_to_file", HeifError, [pointer, ctypes.c_char_p]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments

    def checked(error):
        assert error.code == 0, error.message

    height, width, channels = array.shape
    context, image, encoder, handle = library.heif_context_alloc(), pointer(), pointer(), pointer()
    checked(library.heif_image_create(width, height, 1, {3: 10, 4: 11}[channels], ctypes.byref(image)))
    checked(library.heif_image_add_plane(image, 10, width, height, 8))
    stride = ctypes.c_int()
    plane = library.heif_image_get_plane(image, 10, ctypes.byref(stride))
    for y, row in enumerate(array):
        ctypes.memmove(ctypes.addressof(plane.contents) + y * stride.value, row.tobytes(), channels * width)
    options = library.heif_encoding_options_alloc()
    if icc:
        checked(library.heif_image_set_raw_color_profile(image, b"prof", icc, len(icc)))
    nclx = library.heif_nclx_color_profile_alloc()
    nclx.contents.primaries, nclx.contents.transfer = primaries or 1, 13
    nclx.contents.matrix, nclx.contents.full_range = 0 if lossless else 6, 1
    checked(library.heif_image_set_nclx_color_profile(image, nclx))
    options.contents.nclx = ctypes.cast(nclx, pointer)
    options.contents.orientation = orientation
    checked(library.heif_context_get_encoder_for_format(context, codec, ctypes.byref(encoder)))
    checked(library.heif_encoder_set_lossy_quality(encoder, 95))
    checked(library.heif_encoder_set_lossless(encoder, lossless))
    checked(library.heif_encoder_set_parameter_string(encoder, b"chroma", b"444"))
    checked(library.heif_context_encode_image(context, image, encoder, options, ctypes.byref(handle)))
    with TemporaryDirectory() as folder:
        checked(library.heif_context_write_to_file(context, f"{folder}/out".encode()))
        return Path(f"{folder}/out").read_bytes()


def heifs():
    p3 = in_space(DISPLAY_P3, srgb_value)
    hevc, av1 = 1, 4
    colour = write("colour.heic", heif(RGB, hevc, lossless=False))
    avif = write("colour.avif", heif(RGB, av1, lossless=False))
    write("p3.heic", heif(p3, hevc, icc=P3_PROFILE, lossless=False))
    write("p3.avif", heif(p3, av1, primaries=12, lossless=False))
    # Stored sideways; the file's own property rotates it upright. EXIF would rotate it again, and is ignored.
    write("turned.heic", heif(np.ascontiguousarray(STORED[6](RGB)), hevc, orientation=6, lossless=False))
    write("alpha.avif", heif(np.dstack([RGB, np.full_like(GREY, 51)]), av1, lossless=False))
    write("truncated.heic", colour[:-60])
    write("truncated.avif", avif[:-60])
    at = colour.rindex(b"ispe") + 8  # the first is the tile's
    write("huge.heic", colour[:at] + struct.pack(">II", 30000, 30000) + colour[at + 8 :])
    folder = SEEDS.with_name("heif")
    folder.mkdir(parents=True, exist_ok=True)
    for source in sorted(HERE.iterdir()):
        if source.suffix in (".heic", ".avif"):
            (folder / source.name).write_bytes(source.read_bytes())


def resized(data, side):
    at = data.index(b"\xff\x4f\xff\x51") + 8
    return data[:at] + struct.pack(">II", side, side) + data[at + 8 :]


def large():
    """98 megapixels of black and white noise in squares of 33 pixels, in a file of some kilobytes."""
    squares = np.random.default_rng(1).integers(0, 2, (300, 300), np.uint8)
    packed = np.packbits(np.repeat(squares, 33, 1), axis=1)
    again = (b"\2" + bytes(packed.shape[1])) * 32  # 2: a row is the difference from the previous one
    write("noise.png", png(9900, 9900, 1, 0, b"".join(b"\0" + row.tobytes() + again for row in packed)))


def others():
    write("text.jpg", b"this is a letter, not a picture\n")
    write("empty.jpg", b"")


def seeds():
    """Small seeds for the fuzzer, one per path through the decoders."""
    SEEDS.mkdir(parents=True, exist_ok=True)
    for source in sorted(HERE.iterdir()):
        if source.suffix in (".jpg", ".png", ".jp2", ".j2k", ".tif", ".bmp", ".webp") and 0 < source.stat().st_size < 3000:
            (SEEDS / source.name).write_bytes(source.read_bytes())


if __name__ == "__main__":
    jpegs()
    pngs()
    jp2s()
    scans()
    large()
    webps()
    profiles()
    heifs()
    others()
    seeds()
