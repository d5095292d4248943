package faceverify_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	faceverify "faceverify.invalid/bindings/go"
)

var noLimits faceverify.ImageLimits

func TestImageFromFileAndBytes(t *testing.T) {
	needPhotos(t)
	file := try(os.ReadFile("selfie.jpg")).must(t)
	config := try(jpeg.DecodeConfig(bytes.NewReader(file))).must(t)
	hash := sha256.Sum256(file)
	want := faceverify.ImageInfo{
		Width: config.Width, Height: config.Height, Format: "jpeg", SHA256: hex.EncodeToString(hash[:]),
	}
	if got := try(testImage(t, "selfie.jpg").Info()).must(t); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	fromBytes := try(faceverify.ImageFromBytes(file, noLimits)).must(t)
	for i := range file {
		file[i] = 0
	}
	if got := try(fromBytes.Info()).must(t); got != want {
		t.Errorf("%+v, want %+v: the bytes were not copied", got, want)
	}
}

func TestImageEncode(t *testing.T) {
	picture := try(faceverify.ImageFromImage(ycbcr(image.Rect(0, 0, 64, 48)), noLimits)).must(t)
	pixels := try(picture.Pixels()).must(t)
	file := try(picture.Encode(faceverify.ImageEncodingPNG)).must(t)
	decoded := try(png.Decode(bytes.NewReader(file))).must(t)
	if !bytes.Equal(overWhite(decoded), pixels.Data) {
		t.Error("the PNG has other pixels")
	}
	file = try(picture.Encode(faceverify.ImageEncodingJPEG)).must(t)
	if config := try(jpeg.DecodeConfig(bytes.NewReader(file))).must(t); config.Width != 64 || config.Height != 48 {
		t.Errorf("%+v", config)
	}
	try(picture.Encode(3)).wants(t, faceverify.ErrBadArgument)
}

func TestImageErrors(t *testing.T) {
	picture := pngOf(t, noise(64, 48))
	folder := t.TempDir()
	path := filepath.Join(folder, "picture.png")
	if err := os.WriteFile(path, picture, 0o600); err != nil {
		t.Fatal(err)
	}
	few, small := faceverify.ImageLimits{MaximumPixels: 64*48 - 1}, faceverify.ImageLimits{MaximumBytes: 100}

	try(faceverify.ImageFromFile("no such file", noLimits)).wants(t, faceverify.ErrUnreadable)
	try(faceverify.ImageFromFile(folder, noLimits)).wants(t, faceverify.ErrUnreadable)
	try(faceverify.ImageFromFile("", noLimits)).wants(t, faceverify.ErrBadArgument)
	try(faceverify.ImageFromFile(path+"\x00", noLimits)).wants(t, faceverify.ErrBadArgument)
	try(faceverify.ImageFromFile(path, few)).wants(t, faceverify.ErrTooLarge)
	try(faceverify.ImageFromFile(path, small)).wants(t, faceverify.ErrTooLarge)
	try(faceverify.ImageFromBytes(picture, few)).wants(t, faceverify.ErrTooLarge)
	try(faceverify.ImageFromBytes(picture, small)).wants(t, faceverify.ErrTooLarge)
	try(faceverify.ImageFromBytes(picture[:20], noLimits)).wants(t, faceverify.ErrDamaged)
	try(faceverify.ImageFromBytes([]byte("no picture"), noLimits)).wants(t, faceverify.ErrUnknownFormat)
	try(faceverify.ImageFromBytes(nil, noLimits)).wants(t, faceverify.ErrUnknownFormat)
	try(faceverify.ImageFromBytes([]byte{}, noLimits)).wants(t, faceverify.ErrUnknownFormat)
	try(faceverify.ImageFromImage(noise(64, 48), few)).wants(t, faceverify.ErrTooLarge)
	try(faceverify.ImageFromImage(nil, noLimits)).wants(t, faceverify.ErrBadArgument)
	try(faceverify.ImageFromFile(path, faceverify.ImageLimits{MaximumPixels: -1})).wants(t, faceverify.ErrBadArgument)
}

func TestImageFromPixels(t *testing.T) {
	rgb := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12} // 2 x 2
	want := hashOf(rgb)
	for name, pixels := range map[string]faceverify.Pixels{
		"RGB":  {rgb, 2, 2, 0, faceverify.PixelFormatRGB8},
		"BGR":  {[]byte{3, 2, 1, 6, 5, 4, 9, 8, 7, 12, 11, 10}, 2, 2, 6, faceverify.PixelFormatBGR8},
		"RGBA": {[]byte{1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 0}, 2, 2, 8, faceverify.PixelFormatRGBA8},
		"BGRA": {[]byte{3, 2, 1, 0, 6, 5, 4, 0, 9, 8, 7, 0, 12, 11, 10, 0}, 2, 2, 0, faceverify.PixelFormatBGRA8},
		"rows apart, without the end of the last": {
			[]byte{1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12}, 2, 2, 8, faceverify.PixelFormatRGB8,
		},
	} {
		info := try(try(faceverify.ImageFromPixels(pixels, noLimits)).must(t).Info()).must(t)
		if info != (faceverify.ImageInfo{Width: 2, Height: 2, Format: "pixels", SHA256: want}) {
			t.Errorf("%s: %+v, want hash %s", name, info, want)
		}
	}
	for name, pixels := range map[string]faceverify.Pixels{
		"none":                 {},
		"too few bytes":        {rgb[:11], 2, 2, 0, faceverify.PixelFormatRGB8},
		"rows overlap":         {rgb, 2, 2, 5, faceverify.PixelFormatRGB8},
		"negative stride":      {rgb, 2, 2, -6, faceverify.PixelFormatRGB8},
		"no width":             {rgb, 0, 2, 0, faceverify.PixelFormatRGB8},
		"negative height":      {rgb, 2, -2, 0, faceverify.PixelFormatRGB8},
		"stride overflows":     {rgb, 2, 2, 1 << 62, faceverify.PixelFormatRGB8},
		"no format":            {rgb, 2, 2, 0, 0},
		"unknown format":       {rgb, 2, 2, 0, 99},
		"many pixels, no data": {nil, 1000, 1000, 0, faceverify.PixelFormatRGB8},
	} {
		t.Run(name, func(t *testing.T) {
			try(faceverify.ImageFromPixels(pixels, noLimits)).wants(t, faceverify.ErrBadArgument)
		})
	}
	wide := faceverify.Pixels{make([]byte, 1<<20+1), 1<<20 + 1, 1, 0, faceverify.PixelFormatGray8}
	try(faceverify.ImageFromPixels(wide, noLimits)).wants(t, faceverify.ErrTooLarge)
	few := faceverify.ImageLimits{MaximumPixels: 3}
	four := faceverify.Pixels{rgb, 2, 2, 0, faceverify.PixelFormatRGB8}
	try(faceverify.ImageFromPixels(four, few)).wants(t, faceverify.ErrTooLarge)
}

// Every kind of Go image, whole and in part, gives the pixels that At returns.
func TestImageFromImage(t *testing.T) {
	bounds := image.Rect(-7, 5, 24, 27)
	kinds := map[string]draw.Image{
		"RGBA":     image.NewRGBA(bounds),
		"NRGBA":    image.NewNRGBA(bounds),
		"Gray":     image.NewGray(bounds),
		"Gray16":   image.NewGray16(bounds),
		"RGBA64":   image.NewRGBA64(bounds),
		"NRGBA64":  image.NewNRGBA64(bounds),
		"CMYK":     image.NewCMYK(bounds),
		"Paletted": image.NewPaletted(bounds, palette.Plan9),
	}
	pictures := map[string]image.Image{"YCbCr": ycbcr(bounds)}
	for name, picture := range kinds {
		draw.Draw(picture, bounds, ycbcr(bounds), bounds.Min, draw.Src)
		pictures[name] = picture
	}
	translucent := image.NewNRGBA(bounds)
	random := rand.New(rand.NewSource(1))
	random.Read(translucent.Pix)
	premultiplied := image.NewRGBA(bounds)
	draw.Draw(premultiplied, bounds, translucent, bounds.Min, draw.Src)
	pictures["translucent NRGBA"], pictures["translucent RGBA"] = translucent, premultiplied

	for name, picture := range pictures {
		parts := map[string]image.Image{
			"whole": picture,
			"part": picture.(interface {
				SubImage(image.Rectangle) image.Image
			}).SubImage(image.Rect(-2, 9, 15, 20)),
		}
		for part, picture := range parts {
			t.Run(name+" "+part, func(t *testing.T) {
				info := try(try(faceverify.ImageFromImage(picture, noLimits)).must(t).Info()).must(t)
				want := faceverify.ImageInfo{
					Width: picture.Bounds().Dx(), Height: picture.Bounds().Dy(), Format: "pixels",
					SHA256: hashOf(overWhite(picture)),
				}
				if info != want {
					t.Errorf("%+v, want %+v", info, want)
				}
			})
		}
	}
}

func TestHugeAndEmptyImagesAreRejected(t *testing.T) {
	try(faceverify.ImageFromImage(image.NewUniform(color.White), noLimits)).wants(t, faceverify.ErrTooLarge)
	try(faceverify.ImageFromImage(image.NewAlpha(image.Rectangle{}), noLimits)).wants(t, faceverify.ErrBadArgument)
	try(faceverify.ImageFromImage(image.NewRGBA(image.Rectangle{}), noLimits)).wants(t, faceverify.ErrBadArgument)
	short := &image.Gray{Pix: make([]byte, 10), Stride: 10, Rect: image.Rect(0, 0, 10, 10)}
	try(faceverify.ImageFromImage(short, noLimits)).wants(t, faceverify.ErrBadArgument)
}

func TestOpaqueImagesAreNotCopiedInGo(t *testing.T) {
	bounds := image.Rect(0, 0, 1000, 1000)
	pictures := []draw.Image{image.NewRGBA(bounds), image.NewNRGBA(bounds), image.NewGray(bounds)}
	for _, picture := range pictures {
		draw.Draw(picture, bounds, image.Black, image.Point{}, draw.Src)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		try(faceverify.ImageFromImage(picture, noLimits)).must(t)
		runtime.ReadMemStats(&after)
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 100_000 {
			t.Errorf("%T: %d bytes were allocated", picture, allocated)
		}
	}
}

// overWhite returns RGB bytes as At returns them, composited over white.
func overWhite(picture image.Image) []byte {
	var rgb []byte
	bounds := picture.Bounds()
	canvas := image.NewRGBA(bounds)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			canvas.Set(x, y, color.White)
			pixel := image.Rect(x, y, x+1, y+1)
			draw.Draw(canvas, pixel, image.NewUniform(picture.At(x, y)), image.Point{}, draw.Over)
			c := canvas.RGBAAt(x, y)
			rgb = append(rgb, c.R, c.G, c.B)
		}
	}
	return rgb
}

func ycbcr(bounds image.Rectangle) *image.YCbCr {
	picture := image.NewYCbCr(bounds, image.YCbCrSubsampleRatio420)
	random := rand.New(rand.NewSource(2))
	random.Read(picture.Y)
	random.Read(picture.Cb)
	random.Read(picture.Cr)
	return picture
}

// noise has no face.
func noise(width, height int) *image.Gray {
	picture := image.NewGray(image.Rect(0, 0, width, height))
	rand.New(rand.NewSource(3)).Read(picture.Pix)
	return picture
}

func pngOf(t *testing.T, picture image.Image) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func hashOf(bytes []byte) string {
	hash := sha256.Sum256(bytes)
	return hex.EncodeToString(hash[:])
}
