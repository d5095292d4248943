package faceverify

// #include <faceverify.h>
//
// // Makes the view here: a struct in C's memory must not hold a pointer to Go's.
// static fv_status image_from_pixels(fv_image **out, const void *data, size_t byte_count, int64_t width,
//                                    int64_t height, int64_t row_stride, int64_t pixel_format,
//                                    const fv_image_limits *limits, char *message, size_t capacity) {
//   fv_image_view view = FV_IMAGE_VIEW_INIT;
//   view.data = data;
//   view.byte_count = byte_count;
//   view.width = width;
//   view.height = height;
//   view.row_stride = row_stride;
//   view.pixel_format = pixel_format;
//   return fv_image_from_pixels(out, &view, limits, message, capacity);
// }
import "C"

import (
	"image"
	"image/color"
	"image/draw"
	"runtime"
	"unsafe"
)

// An Image is a picture whose header was read and checked. Its pixels are decoded by the call that uses it, which is
// what finds damage that is not in the header.
type Image struct {
	handle *C.fv_image
	owner  *owner
}

// ImageLimits say what a picture may cost at most. They are checked before anything of that size is allocated.
type ImageLimits struct {
	MaximumPixels int64 // of the stored picture. Default: 100 million
	MaximumBytes  int64 // of the file. Default: 64 MiB
}

func (l ImageLimits) c() *C.fv_image_limits {
	return &C.fv_image_limits{
		struct_size:    C.sizeof_fv_image_limits,
		maximum_pixels: C.int64_t(l.MaximumPixels),
		maximum_bytes:  C.int64_t(l.MaximumBytes),
	}
}

// A PixelFormat is the order of the 8-bit channels in memory. A fourth byte is not used.
type PixelFormat int

const (
	RGB8  PixelFormat = C.FV_PIXELS_RGB8
	BGR8  PixelFormat = C.FV_PIXELS_BGR8
	RGBA8 PixelFormat = C.FV_PIXELS_RGBA8
	BGRA8 PixelFormat = C.FV_PIXELS_BGRA8
	Gray8 PixelFormat = C.FV_PIXELS_GRAY8
)

// Pixels are raw pixels that belong to the caller, upright. All fields are checked against each other before a pixel is
// read.
type Pixels struct {
	Data   []byte // the first row is the upper one; at least (Height - 1) * Stride and one row
	Width  int    // pixels, 1 to 2^20
	Height int    // rows, 1 to 2^20
	Stride int    // bytes from one row to the next; 0: rows are tightly packed
	Format PixelFormat
}

// ImageFromFile reads a JPEG, PNG, JPEG 2000, TIFF or BMP file, known by its content. Only regular files are read.
// EXIF orientation is applied.
//
// Errors: [ErrUnreadable], [ErrUnknownFormat], [ErrDamaged], [ErrTooLarge].
func ImageFromFile(path string, limits ImageLimits) (*Image, error) {
	text, err := newText(path)
	if err != nil {
		return nil, err
	}
	defer freeText(text)
	var handle *C.fv_image
	var message messageBuffer
	status := C.fv_image_from_file(&handle, text, limits.c(), &message[0], C.FV_MESSAGE_SIZE)
	return newImage(handle, message.newError(status))
}

// ImageFromBytes is ImageFromFile for a file in memory, which is copied.
func ImageFromBytes(file []byte, limits ImageLimits) (*Image, error) {
	var handle *C.fv_image
	var message messageBuffer
	status := C.fv_image_from_bytes(&handle, address(file), C.size_t(len(file)), limits.c(), &message[0],
		C.FV_MESSAGE_SIZE)
	return newImage(handle, message.newError(status))
}

// ImageFromPixels copies raw pixels.
//
// Errors: [ErrBadArgument], [ErrTooLarge].
func ImageFromPixels(pixels Pixels, limits ImageLimits) (*Image, error) {
	var handle *C.fv_image
	var message messageBuffer
	status := C.image_from_pixels(&handle, address(pixels.Data), C.size_t(len(pixels.Data)), C.int64_t(pixels.Width),
		C.int64_t(pixels.Height), C.int64_t(pixels.Stride), C.int64_t(pixels.Format), limits.c(), &message[0],
		C.FV_MESSAGE_SIZE)
	return newImage(handle, message.newError(status))
}

// ImageFromImage copies the pixels of a Go image, which is taken to be upright: image/jpeg does not apply EXIF
// orientation, ImageFromFile and ImageFromBytes do. What is transparent is laid over white.
//
// An opaque *image.RGBA or *image.NRGBA and an *image.Gray are handed over as they are; others are drawn first.
//
// Errors: [ErrBadArgument], [ErrTooLarge].
func ImageFromImage(picture image.Image, limits ImageLimits) (*Image, error) {
	switch picture := picture.(type) {
	case nil:
		return nil, &Error{ErrBadArgument, "the image is nil"}
	case *image.Gray:
		return imageFromRows(picture.Pix, picture.Stride, picture.Rect, Gray8, limits)
	case *image.RGBA:
		if picture.Opaque() {
			return imageFromRows(picture.Pix, picture.Stride, picture.Rect, RGBA8, limits)
		}
	case *image.NRGBA:
		if picture.Opaque() {
			return imageFromRows(picture.Pix, picture.Stride, picture.Rect, RGBA8, limits)
		}
	}
	bounds := picture.Bounds()
	if !limits.allow(bounds) {
		return nil, &Error{ErrTooLarge, "the image has more pixels than the limit allows"}
	}
	canvas := image.NewRGBA(image.Rect(0, 0, bounds.Dx(), bounds.Dy()))
	draw.Draw(canvas, canvas.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(canvas, canvas.Rect, picture, bounds.Min, draw.Over)
	return imageFromRows(canvas.Pix, canvas.Stride, canvas.Rect, RGBA8, limits)
}

// imageFromRows takes what all image types with a Pix have; Pix begins with the pixel at bounds.Min.
func imageFromRows(
	pix []byte, stride int, bounds image.Rectangle, format PixelFormat, limits ImageLimits,
) (*Image, error) {
	return ImageFromPixels(Pixels{pix, bounds.Dx(), bounds.Dy(), stride, format}, limits)
}

// allow reports whether a picture of this size may be drawn: the library sees it only after that. An image.Uniform, for
// one, has 4e18 pixels.
func (l ImageLimits) allow(bounds image.Rectangle) bool {
	const maximumSide = 1 << 20
	maximumPixels := l.MaximumPixels
	if maximumPixels == 0 {
		maximumPixels = 100_000_000
	}
	width, height := int64(bounds.Dx()), int64(bounds.Dy())
	return width <= maximumSide && height <= maximumSide && width*height <= maximumPixels
}

func newImage(handle *C.fv_image, err error) (*Image, error) {
	if err != nil {
		return nil, err
	}
	return &Image{handle, own(func() { C.fv_image_free(handle) })}, nil
}

// Close frees the image.
func (i *Image) Close() error {
	return i.owner.close()
}

// c returns nil for a nil image.
func (i *Image) c() *C.fv_image {
	if i == nil {
		return nil
	}
	return i.handle
}

// ImageInfo describes an image.
type ImageInfo struct {
	Width  int // pixels, upright
	Height int
	Format string // "jpeg", "png", "jpeg2000", "tiff", "bmp" or "pixels"
	SHA256 string // of the file, or of the pixels as RGB; lower-case hexadecimal
}

// Info describes the image.
func (i *Image) Info() (info ImageInfo, err error) {
	i.owner.copyTexts(func() {
		c := C.fv_image_info{struct_size: C.sizeof_fv_image_info}
		err = newError(C.fv_image_describe(&c, i.handle), "the image is closed")
		info = ImageInfo{
			Width:  int(c.width),
			Height: int(c.height),
			Format: C.GoString(c.format),
			SHA256: C.GoString(c.sha256),
		}
	})
	return info, err
}

// Pixels decodes the pixels, upright: RGB8, rows tightly packed.
//
// Errors: [ErrDamaged].
func (i *Image) Pixels() (Pixels, error) {
	defer runtime.KeepAlive(i)
	info, err := i.Info()
	if err != nil {
		return Pixels{}, err
	}
	data := make([]byte, 3*info.Width*info.Height)
	var count C.size_t
	status := C.fv_image_pixels(i.handle, address(data), C.size_t(len(data)), &count)
	if err := newError(status, "the picture is cut off or broken"); err != nil {
		return Pixels{}, err
	}
	return Pixels{Data: data, Width: info.Width, Height: info.Height, Format: RGB8}, nil
}

// address is never nil, which to C is a missing argument and not an empty one.
func address(bytes []byte) unsafe.Pointer {
	if len(bytes) == 0 {
		return unsafe.Pointer(&empty)
	}
	return unsafe.Pointer(&bytes[0])
}

var empty byte
