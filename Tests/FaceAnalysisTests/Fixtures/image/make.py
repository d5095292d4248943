#!/usr/bin/env python3
"""Makes the picture fixtures: python3 make.py (needs Pillow with JPEG 2000, numpy, a C compiler and OpenJPEG).

All show one synthetic scene whose pixels the tests compute themselves: four quarters (red, green, blue, yellow,
clockwise from the top left) of WIDTH x HEIGHT, darkened from left to right by the factor 1 - x / (2 * WIDTH).
Nothing here is a photograph; the files are under the project's licence.
"""
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


# How a picture is stored so that EXIF orientation N turns it upright: the inverse of what the reader does.
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
    """A JPEG with an APP1 segment right behind its start marker."""
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(payload) + 2) + payload + data[2:]


def scans():
    """What scanners write: TIFF and BMP. Rows of the grey and coloured ones are long enough for codes of 12 bits."""
    rgb, grey = Image.fromarray(RGB), Image.fromarray(GREY)
    write("lzw.tif", encoded(rgb, format="TIFF", compression="tiff_lzw"))
    write("grey.tif", encoded(grey, format="TIFF", compression="tiff_lzw"))
    write("packed.tif", encoded(rgb, format="TIFF", compression="packbits"))
    write("plain.tif", encoded(rgb, format="TIFF"))
    # Differences, big-endian, and turned by the directory's own tag.
    turned = Image.fromarray(np.ascontiguousarray(STORED[6](RGB)))
    write("turned.tif", encoded(turned, format="TIFF", compression="tiff_lzw", tiffinfo={317: 2, 274: 6}))
    write("fax.tif", encoded(grey.convert("1"), format="TIFF", compression="group4"))
    noise = np.random.default_rng(1).integers(0, 256, (64, 512), np.uint8)
    write("noise.tif", encoded(Image.fromarray(noise), format="TIFF", compression="tiff_lzw"))
    write("noise-tif.png", encoded(Image.fromarray(noise), format="PNG"))
    write("colour.bmp", encoded(rgb, format="BMP"))
    write("alpha.bmp", encoded(rgb.convert("RGBA"), format="BMP"))
    write("grey.bmp", encoded(grey, format="BMP"))
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
    # Inks are stored inverted behind an Adobe marker, as Pillow writes them; without it they are what they say.
    inks = np.dstack([255 - RGB, np.zeros_like(GREY)])
    adobe = write("cmyk-adobe.jpg", jpeg(inks, "CMYK"))
    at = adobe.index(b"\xff\xee")
    length = struct.unpack(">H", adobe[at + 2 : at + 4])[0]
    inverted = jpeg(255 - inks, "CMYK")
    write("cmyk.jpg", inverted[:at] + inverted[at + 2 + length :])
    # YCCK: luma and chroma of the inks taken as red, green and blue, and the inverted black.
    ycc = np.asarray(Image.fromarray(255 - RGB).convert("YCbCr"))
    ycck = jpeg(255 - np.dstack([ycc, np.full_like(GREY, 255)]), "CMYK")
    transform = ycck.index(b"Adobe") + 11
    write("ycck-adobe.jpg", ycck[:transform] + b"\x02" + ycck[transform + 1 :])
    # A bomb in a header: 30000 x 30000.
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
# A name in .jp2 gives boxes with the colour space sYCC. It stands here so that the recipe is one file.
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


def resized(data, side):
    at = data.index(b"\xff\x4f\xff\x51") + 8
    return data[:at] + struct.pack(">II", side, side) + data[at + 8 :]


def large():
    """98 megapixels of black and white noise in squares of 33 pixels, in a file of some kilobytes."""
    squares = np.random.default_rng(1).integers(0, 2, (300, 300), np.uint8)
    packed = np.packbits(np.repeat(squares, 33, 1), axis=1)
    again = (b"\2" + bytes(packed.shape[1])) * 32  # 2: a row is the difference from the one above
    write("noise.png", png(9900, 9900, 1, 0, b"".join(b"\0" + row.tobytes() + again for row in packed)))


def others():
    write("text.jpg", b"this is a letter, not a picture\n")
    write("empty.jpg", b"")


def seeds():
    """Small starting points for the fuzzer, one for each path through the readers."""
    SEEDS.mkdir(parents=True, exist_ok=True)
    for source in sorted(HERE.iterdir()):
        if source.suffix in (".jpg", ".png", ".jp2", ".j2k", ".tif", ".bmp") and 0 < source.stat().st_size < 3000:
            (SEEDS / source.name).write_bytes(source.read_bytes())


if __name__ == "__main__":
    jpegs()
    pngs()
    jp2s()
    scans()
    large()
    others()
    seeds()
