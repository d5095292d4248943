package faceverify

// #include <faceverify.h>
//
// // Points the view to Go's memory here: a struct that Go passes must not.
// static fv_status image_from_pixels(fv_image **out, const void *data, fv_image_view view,
//                                    const fv_image_limits *limits, char *message, size_t message_bytes) {
//   view.data = data;
//   return fv_image_from_pixels(out, &view, limits, message, message_bytes);
// }
import "C"

import (
	"image"
	"image/color"
	"image/draw"
	"unsafe"
)

// An Image is an image whose header was read and checked. Its pixels are decoded by the call that uses it: damage
// outside the header is an error of that call.
type Image struct {
	imageHandle
}

// Pixels are raw upright pixels owned by the caller. All fields are validated against each other before a pixel is
// read.
type Pixels struct {
	Data   []byte // the first row is the top one; at least (Height - 1) * Stride and one row
	Width  int    // pixels, 1 to 2^20
	Height int    // rows, 1 to 2^20
	Stride int    // bytes from one row to the next; 0: rows are contiguous
	Format PixelFormat
}

// ImageFromFile reads a JPEG, PNG, JPEG 2000, WebP, TIFF or BMP file, or HEIC or AVIF if libheif is installed; the
// format is recognised by the content. Only regular files are read. EXIF orientation and colour profiles are applied.
//
// Errors: [ErrUnreadable], [ErrUnknownFormat], [ErrDamaged], [ErrTooLarge].
func ImageFromFile(path string, limits ImageLimits) (*Image, error) {
	var a arguments
	text, c := a.text(path), limits.c(&a)
	return newImage(&a, func(out **C.fv_image, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_image_from_file(out, text, &c, message, messageBytes)
	})
}

// ImageFromBytes is ImageFromFile for a file in memory, which is copied.
func ImageFromBytes(file []byte, limits ImageLimits) (*Image, error) {
	var a arguments
	c := limits.c(&a)
	return newImage(&a, func(out **C.fv_image, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_image_from_bytes(out, address(file), C.size_t(len(file)), &c, message, messageBytes)
	})
}

// ImageFromPixels copies raw pixels.
//
// Errors: [ErrBadArgument], [ErrTooLarge].
func ImageFromPixels(pixels Pixels, limits ImageLimits) (*Image, error) {
	var a arguments
	c := limits.c(&a)
	view := C.fv_image_view{
		struct_size:  C.sizeof_fv_image_view,
		byte_count:   C.size_t(len(pixels.Data)),
		width:        C.int64_t(pixels.Width),
		height:       C.int64_t(pixels.Height),
		row_stride:   C.int64_t(pixels.Stride),
		pixel_format: C.fv_pixel_format(pixels.Format),
	}
	return newImage(&a, func(out **C.fv_image, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.image_from_pixels(out, address(pixels.Data), view, &c, message, messageBytes)
	})
}

func newImage(
	a *arguments, body func(out **C.fv_image, message *C.char, messageBytes C.size_t) C.fv_status,
) (*Image, error) {
	var handle *C.fv_image
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return body(&handle, message, messageBytes)
	})
	if err != nil {
		return nil, err
	}
	return &Image{newImageHandle(handle)}, nil
}

// ImageFromImage copies the pixels of an upright Go image: image/jpeg does not apply EXIF orientation, ImageFromFile
// and ImageFromBytes do. Transparency is composited over white.
//
// An opaque *image.RGBA or *image.NRGBA and an *image.Gray are passed on without a copy in Go; others are drawn first.
//
// Errors: [ErrBadArgument], [ErrTooLarge].
func ImageFromImage(picture image.Image, limits ImageLimits) (*Image, error) {
	switch picture := picture.(type) {
	case nil:
		return nil, &Error{ErrBadArgument, "the image is nil"}
	case *image.Gray:
		return imageFromRows(picture.Pix, picture.Stride, picture.Rect, PixelFormatGray8, limits)
	case *image.RGBA:
		if picture.Opaque() {
			return imageFromRows(picture.Pix, picture.Stride, picture.Rect, PixelFormatRGBA8, limits)
		}
	case *image.NRGBA:
		if picture.Opaque() {
			return imageFromRows(picture.Pix, picture.Stride, picture.Rect, PixelFormatRGBA8, limits)
		}
	}
	bounds := picture.Bounds()
	if !limits.allow(bounds) {
		return nil, &Error{ErrTooLarge, "the image has more pixels than the limit allows"}
	}
	canvas := image.NewRGBA(image.Rect(0, 0, bounds.Dx(), bounds.Dy()))
	draw.Draw(canvas, canvas.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(canvas, canvas.Rect, picture, bounds.Min, draw.Over)
	return imageFromRows(canvas.Pix, canvas.Stride, canvas.Rect, PixelFormatRGBA8, limits)
}

// imageFromRows takes the common fields of image types with a Pix, which begins with the pixel at bounds.Min.
func imageFromRows(
	pix []byte, stride int, bounds image.Rectangle, format PixelFormat, limits ImageLimits,
) (*Image, error) {
	return ImageFromPixels(Pixels{pix, bounds.Dx(), bounds.Dy(), stride, format}, limits)
}

// allow reports whether an image of this size may be drawn, before the library sees it: an image.Uniform, for example,
// has 4e18 pixels.
func (l ImageLimits) allow(bounds image.Rectangle) bool {
	const maximumSide = 1 << 20
	maximumPixels := l.MaximumPixels
	if maximumPixels == 0 {
		maximumPixels = 100_000_000
	}
	width, height := bounds.Dx(), bounds.Dy()
	return width <= maximumSide && height <= maximumSide && width*height <= maximumPixels
}

// Info describes the image.
func (i *Image) Info() (info ImageInfo, err error) {
	i.owner.copyTexts(func() { info, err = describeImage(i.handle) })
	return info, err
}

// Pixels decodes the upright pixels: [PixelFormatRGB8], rows contiguous.
//
// Errors: [ErrDamaged].
func (i *Image) Pixels() (Pixels, error) {
	info, err := i.Info()
	if err != nil {
		return Pixels{}, err
	}
	pixels := Pixels{Width: info.Width, Height: info.Height, Format: PixelFormatRGB8}
	err = new(arguments).call(func(message *C.char, messageBytes C.size_t) (status C.fv_status) {
		pixels.Data, status = copied[byte](func(room unsafe.Pointer, capacity C.size_t, count *C.size_t) C.fv_status {
			return C.fv_image_pixels(i.handle, room, capacity, count, message, messageBytes)
		})
		return status
	}, i)
	if err != nil {
		return Pixels{}, err
	}
	return pixels, nil
}

// Encode returns the image as a file, such as the selfie of a session.
//
// Errors: [ErrDamaged]; [ErrTooLarge] for a JPEG with a side of more than 65,535 pixels.
func (i *Image) Encode(encoding ImageEncoding) (file []byte, err error) {
	err = new(arguments).call(func(message *C.char, messageBytes C.size_t) (status C.fv_status) {
		file, status = copied[byte](func(room unsafe.Pointer, capacity C.size_t, count *C.size_t) C.fv_status {
			return C.fv_image_encode(i.handle, C.fv_image_encoding(encoding), room, capacity, count, message, messageBytes)
		})
		return status
	}, i)
	return file, err
}

// optionalImage returns the image of a new handle; nil if the call created none.
func optionalImage(status C.fv_status, handle **C.fv_image, closed string) (*Image, error) {
	if status == C.FV_E_ABSENT {
		return nil, nil
	}
	if err := newError(status, closed); err != nil {
		return nil, err
	}
	return &Image{newImageHandle(*handle)}, nil
}
