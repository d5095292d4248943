from __future__ import annotations

import ctypes
import os
from typing import Any, Literal, Tuple, Union, cast

from ._arguments import PHOTO, has_memory, kind_of
from ._buffer import Buffer, Bytes, ReadableFile, contents, layout, memory
from ._generated import BadArgumentError, CImageLimits, CImageView, ImageEncoding, ImageProperties, PixelFormat, lib
from ._handle import Handle, Path, call, encoded, filled, listed

Order = Literal["rgb", "bgr"]


_MAXIMUM_BYTES = 1 << 26  # default limit of the library

# By channel order and number of channels.
_FORMATS = {
    "rgb": {3: PixelFormat.RGB8, 4: PixelFormat.RGBA8, 1: PixelFormat.GRAY8},
    "bgr": {3: PixelFormat.BGR8, 4: PixelFormat.BGRA8, 1: PixelFormat.GRAY8},
}

_EXIF_ORIENTATION = 0x0112

# PIL modes with 8 bits per channel that have one obvious conversion to RGB.
_CONVERTIBLE = {"1", "CMYK", "LA", "P", "PA", "YCbCr"}


class Image(Handle, ImageProperties):
    """An image whose header was read and checked; pixels are decoded when they are needed. Thread-safe.

    The limits are `maximum_pixels` of the stored image (0: 100 million) and `maximum_bytes` of the file (0: 64 MiB);
    beyond them `TooLargeError` is raised.
    """

    _instead = 'keep its file, or encode("png")'
    _free = lib.fv_image_free

    @classmethod
    def from_file(cls, path: Path, *, maximum_pixels: int = 0, maximum_bytes: int = 0) -> Image:
        """Reads a JPEG, PNG, JPEG 2000, WebP, TIFF or BMP file, or HEIC or AVIF if libheif is installed.

        The format is recognised by the content. EXIF orientation and colour profiles are applied. Raises
        `UnreadableError`, `UnknownFormatError`, `DamagedError`, `TooLargeError`. Damage outside the header is an error
        of the call that uses the image.
        """
        limits = CImageLimits(maximum_pixels=maximum_pixels, maximum_bytes=maximum_bytes)
        return cls._make(lib.fv_image_from_file, encoded(path), ctypes.byref(limits))

    @classmethod
    def from_bytes(cls, data: Bytes, *, maximum_pixels: int = 0, maximum_bytes: int = 0) -> Image:
        """Reads a file from memory: `bytes` or any object with the buffer protocol, which is copied."""
        limits = CImageLimits(maximum_pixels=maximum_pixels, maximum_bytes=maximum_bytes)
        with contents(data) as buffer:
            return cls._make(lib.fv_image_from_bytes, buffer.buf, buffer.len, ctypes.byref(limits))

    @classmethod
    def from_pixels(cls, array: Bytes, order: Order = "rgb", *, maximum_pixels: int = 0) -> Image:
        """Copies upright pixels: a NumPy array, or any object with the buffer protocol, of unsigned 8-bit numbers, or of
        floating-point numbers from 0 to 1.

        The shape is (height, width) or (height, width, 1) for grey, (height, width, 3), or (height, width, 4), whose
        fourth channel is ignored. `order` is that of the channels: red first ("rgb"), or "bgr" as in OpenCV, whose
        arrays make living people look like attacks if they are passed as "rgb". Rows may have any stride; other gaps
        cost an additional copy, and so do floating-point numbers, which need NumPy. Raises `BadArgumentError`, also for
        floating-point numbers that are not from 0 to 1, and `TooLargeError`.

        >>> image = Image.from_pixels(memoryview(bytes(6 * 4 * 3)).cast("B", (6, 4, 3)))
        >>> image.width, image.height, image.format
        (4, 6, 'pixels')
        """
        if _has_floats(array):
            array = _bytes_of_floats(array)
        with layout(array) as buffer:
            height, width, channels = _shape(buffer)
            if order not in ("rgb", "bgr"):
                raise BadArgumentError(f'the order of channels is "rgb" or "bgr", not {order!r}')
            pixel_format, row = _FORMATS[order][channels], width * channels
            if not _rows_are_tight(buffer, channels, row):
                tight = memory(array).tobytes()
                return cls.from_frame(tight, pixel_format, width, height, maximum_pixels=maximum_pixels)
            view = CImageView(width=width, height=height, pixel_format=pixel_format.number, data=buffer.buf)
            view.row_stride = buffer.strides[0] if height > 1 else row
            view.byte_count = (height - 1) * view.row_stride + row
            return cls._from_view(view, maximum_pixels)

    @classmethod
    def from_frame(
        cls,
        data: Bytes,
        pixel_format: Union[PixelFormat, str],
        width: int,
        height: int,
        row_stride: int = 0,
        *,
        maximum_pixels: int = 0,
    ) -> Image:
        """Copies the upright pixels of a contiguous buffer, as cameras supply them; `pixel_format` names the order of
        the channels: "rgb8" is red first, "bgr8" is that of OpenCV. Raises `BadArgumentError`, `TooLargeError`.

        `row_stride` is in bytes from one row to the next; 0: rows are contiguous.

        >>> Image.from_frame(bytes(6 * 4), "gray8", width=6, height=4)
        <Image 6x4 pixels>
        """
        number = listed(PixelFormat, pixel_format, "a pixel format").number
        view = CImageView(width=width, height=height, row_stride=row_stride, pixel_format=number)
        with contents(data) as buffer:
            view.data, view.byte_count = buffer.buf, buffer.len
            return cls._from_view(view, maximum_pixels)

    @classmethod
    def from_pil(cls, image: Any, *, maximum_pixels: int = 0) -> Image:
        """Copies a Pillow image with 8 bits per channel. Its EXIF orientation is applied, as for files."""
        if not hasattr(image, "getbands"):
            raise TypeError(f"image must be a PIL image, not {kind_of(image)}")
        if image.getexif().get(_EXIF_ORIENTATION, 1) != 1:
            from PIL import ImageOps

            image = ImageOps.exif_transpose(image)
        if image.mode in _CONVERTIBLE:
            image = image.convert("RGB")
        channels = {"L": 1, "RGB": 3, "RGBA": 4, "RGBX": 4}.get(image.mode)
        if channels is None:
            raise BadArgumentError(f'a PIL image of mode {image.mode!r}: convert it to "RGB" or "L" first')
        pixel_format = _FORMATS["rgb"][channels]
        return cls.from_frame(image.tobytes(), pixel_format, image.width, image.height, maximum_pixels=maximum_pixels)

    @classmethod
    def _from_view(cls, view: CImageView, maximum_pixels: int) -> Image:
        limits = CImageLimits(maximum_pixels=maximum_pixels)
        return cls._make(lib.fv_image_from_pixels, ctypes.byref(view), ctypes.byref(limits))

    def pixels(self) -> memoryview:
        """Decodes the upright pixels as RGB, of shape (height, width, 3), into memory owned by the caller.

        `numpy.asarray(image.pixels())` does not copy it. Raises `DamagedError`.

        >>> image = Image.from_pixels(memoryview(bytes(range(12))).cast("B", (2, 2, 3)), order="bgr")
        >>> image.pixels().tolist()
        [[[2, 1, 0], [5, 4, 3]], [[8, 7, 6], [11, 10, 9]]]
        """
        pixels = filled(call, lib.fv_image_pixels, self._use())
        return memoryview(pixels).cast("B", (self.height, self.width, 3))

    def encode(self, encoding: Union[ImageEncoding, str]) -> bytes:
        """Encodes the image as a file, "png" or "jpeg", such as the selfie of a session. Raises `DamagedError`,
        `TooLargeError`.

        >>> Image.from_frame(bytes(6 * 4), "gray8", 6, 4).encode("png")[:4]
        b'\\x89PNG'
        """
        number = listed(ImageEncoding, encoding, "an encoding").number
        return bytes(filled(call, lib.fv_image_encode, self._use(), number))

    def _summary(self) -> object:
        return f"{self.width}x{self.height} {self.format}"

    def _key(self) -> object:
        return self.width, self.height, self.sha256


Photo = Union[Image, Path, Bytes, ReadableFile]
"""A photo: an `Image`, a path, an open binary file, the bytes of a file, an array of pixels, red first (RGB), or a PIL
image. Make an `Image` of an array of OpenCV, whose pixels are BGR: `Image.from_pixels(array, order="bgr")`."""


def _shape(buffer: Buffer) -> Tuple[int, int, int]:
    """Returns height, width and number of channels. Raises `BadArgumentError` unless the buffer has pixels."""
    shape = tuple(buffer.shape[: buffer.ndim]) if buffer.ndim else ()
    kind = buffer.format.decode()
    if kind.lstrip("@=<>!") == "B":
        if len(shape) == 2:
            return shape[0], shape[1], 1
        if len(shape) == 3 and shape[2] in (1, 3, 4):
            return shape[0], shape[1], shape[2]
    raise BadArgumentError(
        "pixels are unsigned 8-bit numbers, or floating-point numbers from 0 to 1, of shape (height, width) or "
        f"(height, width, channels) with 1, 3 or 4 channels, not of type {kind!r} and shape {shape}"
    )


def _has_floats(array: Bytes) -> bool:
    with layout(array) as buffer:
        return buffer.format.decode().lstrip("@=<>!") in ("e", "f", "d")


def _bytes_of_floats(array: Bytes) -> Bytes:
    """Returns pixels from 0 to 1 as the nearest of 256 steps."""
    import numpy

    pixels = numpy.asarray(array)
    if pixels.size:
        least, most = pixels.min(), pixels.max()
        if not (least >= 0 and most <= 1):  # also for NaN
            raise BadArgumentError(
                f"pixels of floating-point numbers are from 0 to 1, not {least:g} to {most:g}: divide those from 0 to "
                "255 by 255, or convert them to numpy.uint8"
            )
    return cast(Bytes, numpy.rint(pixels * 255).astype(numpy.uint8))


def _rows_are_tight(buffer: Buffer, channels: int, row: int) -> bool:
    """Returns whether there are no gaps but between rows, each after the one above."""
    strides = buffer.strides[: buffer.ndim]
    return not buffer.suboffsets and strides[1:] == [channels, 1][: buffer.ndim - 1] and strides[0] >= row


def is_photo(source: object) -> bool:
    """Returns whether an object is one photo, not a list of them."""
    kinds = (Image, str, os.PathLike)
    return isinstance(source, kinds) or hasattr(source, "getbands") or hasattr(source, "read") or has_memory(source)


def as_image(source: Photo, name: str = "photo") -> Image:
    """Returns the image of a photo, which an `Image` is itself; `name` is that of the argument."""
    if isinstance(source, Image):
        return source
    if isinstance(source, (str, os.PathLike)):
        return Image.from_file(source)
    if hasattr(source, "getbands"):
        return Image.from_pil(source)
    try:
        dimensions = memory(cast(Bytes, source)).ndim
    except TypeError:
        if not hasattr(source, "read"):
            raise TypeError(f"{name} must be {PHOTO}, not {kind_of(source)}") from None
        return _read(cast(ReadableFile, source))
    return Image.from_bytes(cast(Bytes, source)) if dimensions == 1 else Image.from_pixels(cast(Bytes, source))


def _read(file: ReadableFile) -> Image:
    """Reads a file to its end, in parts, which raw files and sockets return."""
    data = bytearray()
    while len(data) <= _MAXIMUM_BYTES:  # one byte more is reported by the library
        part = file.read(_MAXIMUM_BYTES + 1 - len(data))
        if not isinstance(part, (bytes, bytearray, memoryview)):
            raise TypeError(f"a photo is read from a file opened in binary mode, which returns bytes, not {part!r:.60}")
        if not part:
            break
        data += part
    return Image.from_bytes(data)
