import array
import gc
import hashlib
import io
import mmap
import sys
import tempfile
import unittest

from support import PORTRAIT, SELFIE, engine, faceverify, grey, needs, needs_samples

from faceverify import BadArgumentError, Image


def sha256(pixels):
    return hashlib.sha256(bytes(pixels)).hexdigest()


@needs_samples
class FileTests(unittest.TestCase):
    def test_path_and_bytes_give_the_same_picture(self):
        data = SELFIE.read_bytes()
        for image in (Image.from_file(SELFIE), Image.from_file(str(SELFIE)), Image.from_bytes(data)):
            self.assertEqual((image.width, image.height, image.format), (910, 1137, "jpeg"))
            self.assertEqual(image.sha256, sha256(data))

    def test_buffers_are_read(self):
        data = SELFIE.read_bytes()
        with open(SELFIE, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            for source in (bytearray(data), memoryview(data), array.array("B", data), mapped):
                self.assertEqual(Image.from_bytes(source).sha256, sha256(data))

    def test_open_files_are_read(self):
        class Drip:
            """Returns less than requested, like a socket."""

            def __init__(self, data):
                self.file = io.BytesIO(data)

            def read(self, size):
                return self.file.read(min(size, 10_000))

        data = SELFIE.read_bytes()
        expected = engine().compare(SELFIE, PORTRAIT).comparison
        with open(SELFIE, "rb") as file, open(PORTRAIT, "rb", buffering=0) as raw:
            self.assertEqual(engine().compare(file, raw).comparison, expected)
            self.assertEqual(file.read(), b"")
        self.assertEqual(engine().compare(Drip(data), PORTRAIT).comparison, expected)
        self.assertEqual(len(engine().detect(io.BytesIO(data))), 1)
        self.assertEqual(str(faceverify.read_codes(io.BytesIO(data)).fault), "none-there")
        document = engine().read_document([io.BytesIO(data)], date="2026-11-21")
        self.assertEqual(str(document.portrait_source), "page")
        with faceverify.LivenessSession(engine(), policy="photo") as session:
            self.assertTrue(session.add(io.BytesIO(data), time=0).has_face)

    def test_bytes_may_change_afterwards(self):
        data = bytearray(SELFIE.read_bytes())
        image = Image.from_bytes(data)
        data[:] = bytes(len(data))  # also checks that no buffer export is left, which would forbid this
        data.clear()
        self.assertEqual(len(engine().compare(image, image).selfie.faces), 1)

    def test_limits(self):
        self.assertEqual(Image.from_file(SELFIE, maximum_pixels=910 * 1137).width, 910)
        with self.assertRaisesRegex(faceverify.TooLargeError, "910"):
            Image.from_file(SELFIE, maximum_pixels=910 * 1137 - 1)
        with self.assertRaises(faceverify.TooLargeError):
            Image.from_bytes(SELFIE.read_bytes(), maximum_bytes=1000)
        with self.assertRaises(BadArgumentError):
            Image.from_file(SELFIE, maximum_bytes=-1)

    def test_a_truncated_file(self):
        data = SELFIE.read_bytes()
        with self.assertRaisesRegex(faceverify.DamagedError, "the JPEG file is truncated"):
            engine().detect(Image.from_bytes(data[: len(data) // 2]))


class WrongFileTests(unittest.TestCase):
    def test_open_files_that_are_no_photos(self):
        class Endless:
            count = 0

            def read(self, size):
                self.count += size
                return bytes(size)

        endless = Endless()
        with self.assertRaises(faceverify.TooLargeError):
            engine().detect(endless)
        self.assertEqual(endless.count, 2**26 + 1)
        with self.assertRaisesRegex(TypeError, "binary mode"):
            engine().detect(io.StringIO("text"))
        with self.assertRaises(faceverify.UnknownFormatError):
            engine().detect(io.BytesIO(b"no picture"))

    def test_a_missing_file_is_reported(self):
        with self.assertRaises(faceverify.UnreadableError) as caught:
            Image.from_file("/nowhere/photo.jpg")
        self.assertIsInstance(caught.exception, OSError)
        self.assertIn("/nowhere/photo.jpg", str(caught.exception))
        self.assertEqual((caught.exception.name, caught.exception.status), ("unreadable", -2))
        self.assertTrue(caught.exception.retryable)

    def test_input_that_is_not_a_picture_is_rejected(self):
        for data in (b"GIF89a" + bytes(100), b"", bytes(100)):
            with self.assertRaises((faceverify.UnknownFormatError, BadArgumentError)):
                Image.from_bytes(data)

    def test_a_path_with_a_zero_byte_is_rejected(self):
        with tempfile.NamedTemporaryFile() as file:
            with self.assertRaisesRegex(BadArgumentError, "0 byte"):
                Image.from_file(file.name + "\0.jpg")

    def test_a_path_that_is_not_utf_8(self):
        with self.assertRaisesRegex(BadArgumentError, "UTF-8"):
            Image.from_file("/tmp/\udcff.jpg")

    def test_bytes_with_gaps(self):
        with self.assertRaises(BufferError):
            Image.from_bytes(memoryview(bytes(100))[::2])

    def test_an_image_is_not_made_directly(self):
        with self.assertRaisesRegex(TypeError, "made by"):
            Image("photo.jpg")


class PixelTests(unittest.TestCase):
    """The hash of an image is that of its pixels as RGB: it detects a pixel read from the wrong position."""

    def test_memory_with_a_shape(self):
        pixels = bytes(range(2 * 3 * 4))
        image = Image.from_pixels(memoryview(pixels).cast("B", (2, 4, 3)))
        self.assertEqual((image.width, image.height, image.format), (4, 2, "pixels"))
        self.assertEqual(image.sha256, sha256(pixels))

    def test_grey(self):
        image = Image.from_pixels(memoryview(bytes([1, 2, 3, 4, 5, 6])).cast("B", (2, 3)))
        self.assertEqual((image.width, image.height), (3, 2))
        self.assertEqual(image.sha256, sha256(bytes(value for value in (1, 2, 3, 4, 5, 6) for _ in range(3))))

    def test_invalid_pixels(self):
        for view, reason in (
            (memoryview(bytes(24)), "shape"),
            (memoryview(bytes(24)).cast("B", (2, 6, 2)), "shape"),
            (memoryview(bytes(24)).cast("B", (2, 2, 2, 3)), "shape"),
            (memoryview(bytes(96)).cast("i", (2, 4, 3)), "'i'"),
            (memoryview(bytes(24)).cast("b", (2, 4, 3)), "'b'"),
        ):
            with self.assertRaisesRegex(BadArgumentError, reason):
                Image.from_pixels(view)

    def test_frames(self):
        rows = b"".join(bytes(range(12 * row, 12 * row + 12)) + b"\xff" * 4 for row in range(2))
        expected = sha256(range(24))
        for pixel_format in (faceverify.PixelFormat.RGB8, "rgb8"):
            self.assertEqual(Image.from_frame(rows, pixel_format, 4, 2, 16).sha256, expected)
            self.assertEqual(Image.from_frame(bytearray(range(24)), pixel_format, 4, 2).sha256, expected)
        bgr = bytes(value for pixel in range(8) for value in (3 * pixel + 2, 3 * pixel + 1, 3 * pixel))
        self.assertEqual(Image.from_frame(bgr, "bgr8", 4, 2).sha256, expected)
        for pixel_format, count in (("nv12", 12), ("i420", 12), ("yuyv", 16)):
            grey = Image.from_frame(bytes([128]) * count, pixel_format, 4, 2)
            self.assertEqual((grey.width, grey.height), (4, 2))
        for data, pixel_format, width, height, row_stride in (
            (bytes(11), "nv12", 4, 2, 0),
            (bytes(23), "rgb8", 4, 2, 0),
            (bytes(24), "rgb8", 4, 3, 0),
            (bytes(24), "rgb8", 4, 2, 11),
            (bytes(24), "rgb8", 0, 2, 0),
            (bytes(24), "rgb8", 4, -2, 0),
            (bytes(24), "rgb9", 4, 2, 0),
            (b"", "rgb8", 4, 2, 0),
        ):
            with self.assertRaises(BadArgumentError):
                Image.from_frame(data, pixel_format, width, height, row_stride)

    def test_encoding(self):
        pixels = bytes(range(0, 240, 5))
        image = Image.from_frame(pixels, "rgb8", 4, 4)
        png = Image.from_bytes(image.encode("png"))
        self.assertEqual((png.format, bytes(png.pixels())), ("png", pixels))
        jpeg = Image.from_bytes(image.encode(faceverify.ImageEncoding.JPEG))
        self.assertEqual((jpeg.format, jpeg.width, jpeg.height), ("jpeg", 4, 4))
        self.assertLess(max(abs(a - b) for a, b in zip(bytes(jpeg.pixels()), pixels)), 30)
        for encoding in ("gif", ""):
            with self.assertRaisesRegex(BadArgumentError, "png, jpeg"):
                image.encode(encoding)

    def test_an_unknown_order(self):
        with self.assertRaisesRegex(BadArgumentError, "'rbg'"):
            Image.from_pixels(memoryview(bytes(24)).cast("B", (2, 4, 3)), order="rbg")

    def test_objects_without_a_buffer(self):
        for source in (None, 3, [[1, 2], [3, 4]], object()):
            with self.assertRaises(TypeError):
                Image.from_pixels(source)

    def test_too_many_pixels(self):
        with self.assertRaises(faceverify.TooLargeError):
            Image.from_pixels(memoryview(bytes(100)).cast("B", (10, 10)), maximum_pixels=99)


@needs("numpy")
class ArrayTests(unittest.TestCase):
    def setUp(self):
        import numpy

        self.numpy = numpy
        self.rgb = numpy.arange(5 * 7 * 3, dtype=numpy.uint8).reshape(5, 7, 3)

    def check(self, array, expected, **options):
        image = Image.from_pixels(array, **options)
        self.assertEqual((image.height, image.width), expected.shape[:2])
        self.assertEqual(image.sha256, sha256(self.numpy.ascontiguousarray(expected)))

    def test_orders_and_channels(self):
        numpy, rgb = self.numpy, self.rgb
        bgr = numpy.ascontiguousarray(rgb[:, :, ::-1])
        fourth = numpy.full((5, 7, 1), 99, numpy.uint8)
        self.check(rgb, rgb)
        self.check(bgr, rgb, order="bgr")
        self.check(numpy.concatenate([rgb, fourth], 2), rgb)
        self.check(numpy.concatenate([bgr, fourth], 2), rgb, order="bgr")
        grey = rgb[:, :, 0].copy()
        self.check(grey, numpy.stack([grey] * 3, 2))
        self.check(grey, numpy.stack([grey] * 3, 2), order="bgr")

    def test_floating_point_numbers(self):
        numpy, rgb = self.numpy, self.rgb
        for kind in (numpy.float16, numpy.float32, numpy.float64, ">f4"):
            with self.subTest(kind):
                self.check((rgb / 255).astype(kind), rgb)
        self.check((rgb / 255)[:, ::-1, ::-1], rgb[:, ::-1], order="bgr")
        steps = numpy.array([[0, 0.4 / 255, 0.6 / 255, 1]])
        self.check(steps, numpy.stack([numpy.array([[0, 0, 1, 255]], numpy.uint8)] * 3, 2))

    def test_a_single_channel(self):
        grey = self.numpy.stack([self.rgb[:, :, 0]] * 3, 2)
        self.check(self.rgb[:, :, :1], grey)
        self.check(self.numpy.ascontiguousarray(self.rgb[:, :, :1]), grey, order="bgr")
        self.check(self.numpy.ascontiguousarray(self.rgb[:, :, :1])[::2], grey[::2])
        self.check(self.rgb[:, :, :1] / 255, grey)

    def test_strides(self):
        numpy, rgb = self.numpy, self.rgb
        grey = rgb[:, :, 1]
        for view in (
            rgb[1:4], rgb[:, 2:5], rgb[::2], rgb[2:3, 2:4], rgb[:, 3:4], rgb[::-1], rgb[:, ::-1], rgb[:, ::2],
            rgb[:, :, ::-1], rgb.transpose(1, 0, 2), numpy.asfortranarray(rgb), numpy.broadcast_to(rgb[:1], (4, 7, 3)),
        ):  # fmt: skip
            self.check(view, view)
        for view in (grey, grey.T, grey[:, ::-1], grey.copy()[:, 1:5], grey.copy()[::2]):
            self.check(view, numpy.stack([view] * 3, 2))

    def test_an_array_that_cannot_be_written(self):
        self.rgb.flags.writeable = False
        self.check(self.rgb, self.rgb)

    def test_padded_rows_are_not_copied_in_python(self):
        frame = self.numpy.zeros((2000, 3000, 3), self.numpy.uint8)
        import tracemalloc

        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)
        Image.from_pixels(frame[100:, 100:])
        self.assertLess(tracemalloc.get_traced_memory()[1], 100_000)
        Image.from_pixels(frame[:, ::-1])
        self.assertGreater(tracemalloc.get_traced_memory()[1], 10_000_000)

    def test_no_reference_is_kept(self):
        before = sys.getrefcount(self.rgb)
        image = Image.from_pixels(self.rgb)
        with self.assertRaises(BadArgumentError):
            Image.from_pixels(self.rgb, order="?")
        self.assertEqual(sys.getrefcount(self.rgb), before)
        digest = image.sha256
        self.rgb[:] = 0
        self.assertEqual(image.sha256, digest)

    def test_wrong_types_and_shapes(self):
        numpy = self.numpy
        for wrong, reason in (
            (self.rgb.astype(numpy.float32), "from 0 to 1, not 0 to 104: divide those from 0 to 255 by 255"),
            (self.rgb / -255, "from 0 to 1, not -"),
            (numpy.full((5, 7), numpy.nan), "from 0 to 1, not nan to nan"),
            ((self.rgb / 255)[:, :, :2], r"\(5, 7, 2\)"),
            (numpy.zeros((0, 5)), ""),
            (self.rgb.astype(complex), "'Zd'"),
            (self.rgb.astype(numpy.int8), "'b'"),
            (self.rgb.astype(numpy.uint16), "'H'"),
            (self.rgb.astype(bool), r"'\?'"),
            (self.rgb[0, 0], r"\(3,\)"),
            (self.rgb[:, :, :2], r"\(5, 7, 2\)"),
            (self.rgb[None], r"\(1, 5, 7, 3\)"),
            (numpy.zeros((0, 5, 3), numpy.uint8), ""),
            (numpy.zeros((5, 0, 3), numpy.uint8), ""),
            (numpy.zeros((), numpy.uint8), r"\(\)"),
        ):
            with self.assertRaisesRegex(BadArgumentError, reason):
                Image.from_pixels(wrong)

    @needs_samples
    def test_an_array_is_a_photo(self):
        noise = self.numpy.zeros((64, 64, 3), self.numpy.uint8)
        with self.assertRaisesRegex(faceverify.NoFaceError, "^selfie: "):
            engine().compare(noise, PORTRAIT)
        with self.assertRaisesRegex(BadArgumentError, "^portrait: pixels are"):
            engine().compare(SELFIE, noise.astype(int))


@needs("PIL")
class PILTests(unittest.TestCase):
    def setUp(self):
        import PIL.Image

        self.pil = PIL.Image
        self.colours = bytes(range(0, 240, 5))
        self.rgb = PIL.Image.frombytes("RGB", (4, 4), self.colours)

    def test_modes(self):
        for mode in ("RGB", "RGBA", "RGBX", "L", "LA", "P", "1", "CMYK", "YCbCr"):
            image = self.rgb.convert("L").convert("LA") if mode == "LA" else self.rgb.convert(mode)
            self.assertEqual(Image.from_pil(image).sha256, sha256(image.convert("RGB").tobytes()), mode)

    def test_ambiguous_modes(self):
        for mode in ("I", "F", "I;16"):
            with self.assertRaisesRegex(BadArgumentError, mode):
                Image.from_pil(self.pil.new(mode, (4, 4)))

    def test_an_empty_image(self):
        with self.assertRaises(BadArgumentError):
            Image.from_pil(self.pil.new("RGB", (0, 4)))

    def test_orientation_is_applied(self):
        file = io.BytesIO()
        exif = self.pil.Exif()
        exif[0x0112] = 6
        self.rgb.resize((16, 8)).save(file, "PNG", exif=exif)
        turned = Image.from_pil(self.pil.open(file))
        self.assertEqual((turned.width, turned.height), (8, 16))
        expected = self.rgb.resize((16, 8)).transpose(self.pil.Transpose.ROTATE_270)
        self.assertEqual(turned.sha256, sha256(expected.tobytes()))

    @needs_samples
    def test_a_pil_image_is_a_photo(self):
        decision = engine().compare(self.pil.open(SELFIE), PORTRAIT)
        self.assertIs(decision.result, faceverify.Result.MATCH)
        self.assertEqual(decision.selfie.faces[0].turn, 0)


class CloseTests(unittest.TestCase):
    def test_a_closed_image_is_rejected(self):
        image = grey()
        image.close()
        image.close()
        with self.assertRaisesRegex(BadArgumentError, "this Image is closed"):
            image.width
        with self.assertRaisesRegex(BadArgumentError, "this Image is closed"), image:
            pass

    def test_with_closes(self):
        with grey() as image:
            self.assertEqual(image.width, 64)
        with self.assertRaises(BadArgumentError):
            image.sha256

    def test_objects_cannot_be_copied_or_pickled(self):
        import copy
        import pickle

        for way in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "faceverify.Image cannot be copied or pickled"):
                way(grey())

    def test_unreferenced_objects_are_freed(self):
        from faceverify._generated import lib

        gc.collect()
        before = lib.fv_live_objects()
        image = grey()
        self.assertEqual(lib.fv_live_objects(), before + 1)
        del image
        self.assertEqual(lib.fv_live_objects(), before)
