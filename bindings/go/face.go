package faceverify

// #include <faceverify.h>
import "C"

import "unsafe"

// Faces are those of a picture.
type Faces struct {
	All  []Face
	JSON string // as `faceverify detect --json` prints each photo's faces
}

// A Face was found in a picture.
type Face struct {
	Box   Rectangle // around the face from the brows to the chin; it may reach beyond the picture
	Score float64   // how sure the detector is: 0 to 1; in the "dlib" set dlib's own scale, 0 = its threshold
	Turn  int       // 0, 90, 180 or 270 degrees clockwise, after which the face was found

	LeftEyeOuter  Point
	LeftEyeInner  Point
	RightEyeOuter Point
	RightEyeInner Point
	NoseBase      Point

	InterEyeDistance float64 // pixels between the eyes' centres (ISO/IEC 29794-5)

	// Degrees (ISO/IEC 39794-5); NaN in the "dlib" set.
	Yaw   float64 // positive to the subject's left
	Pitch float64 // positive downwards
	Roll  float64 // positive towards the subject's right shoulder

	// Gap between the lids over the distance between the corners: 0.02-0.05 in a blink, 0.18-0.29 open (medians of 13
	// clips); NaN in the "dlib" set.
	LeftEyeOpenness  float64
	RightEyeOpenness float64

	// 468 points, in the numbering of MediaPipe's face mesh (arXiv 1907.06724); nil in the "dlib" set.
	Mesh []MeshPoint
	// Lower lid from corner to corner (9 points), upper lid between them (7), the iris's centre, its rim (4); nil in
	// the "dlib" set.
	LeftEye  []Point
	RightEye []Point
}

// A Rectangle is in pixels.
type Rectangle struct {
	X, Y, Width, Height float64
}

// A Point is in pixels.
type Point struct {
	X, Y float64
}

// A MeshPoint is in pixels; depth grows away from the camera, from the head's centre.
type MeshPoint struct {
	X, Y, Depth float64
}

func readFaces(handle *C.fv_faces) ([]Face, error) {
	faces := make([]Face, C.fv_faces_count(handle))
	for i := range faces {
		if err := faces[i].read(handle, C.size_t(i)); err != nil {
			return nil, err
		}
	}
	return faces, nil
}

func (f *Face) read(handle *C.fv_faces, index C.size_t) error {
	c := C.fv_face{struct_size: C.sizeof_fv_face}
	if err := newError(C.fv_faces_get(&c, handle, index), "a face is not listed"); err != nil {
		return err
	}
	*f = Face{
		Box:              Rectangle{float64(c.x), float64(c.y), float64(c.width), float64(c.height)},
		Score:            float64(c.score),
		Turn:             int(c.turn),
		LeftEyeOuter:     readPoint(c.left_eye_outer),
		LeftEyeInner:     readPoint(c.left_eye_inner),
		RightEyeOuter:    readPoint(c.right_eye_outer),
		RightEyeInner:    readPoint(c.right_eye_inner),
		NoseBase:         readPoint(c.nose_base),
		InterEyeDistance: float64(c.inter_eye_distance),
		Yaw:              float64(c.yaw),
		Pitch:            float64(c.pitch),
		Roll:             float64(c.roll),
		LeftEyeOpenness:  float64(c.left_eye_openness),
		RightEyeOpenness: float64(c.right_eye_openness),
	}
	var err error
	if f.Mesh, err = readMesh(handle, index); err != nil {
		return err
	}
	if f.LeftEye, err = readEye(handle, index, C.FV_EYE_LEFT); err != nil {
		return err
	}
	f.RightEye, err = readEye(handle, index, C.FV_EYE_RIGHT)
	return err
}

func readPoint(point C.fv_point) Point {
	return Point{float64(point.x), float64(point.y)}
}

// readMesh returns nil if there is no mesh.
func readMesh(handle *C.fv_faces, index C.size_t) ([]MeshPoint, error) {
	var count C.size_t
	status := C.fv_faces_mesh(handle, index, nil, 0, &count)
	if Status(status) == ErrAbsent {
		return nil, nil
	}
	if err := newError(status, "the mesh cannot be measured"); err != nil || count == 0 {
		return nil, err
	}
	// A MeshPoint is three doubles, as C lays them out.
	points := make([]MeshPoint, count)
	status = C.fv_faces_mesh(handle, index, (*C.double)(unsafe.Pointer(&points[0])), count, &count)
	return points, newError(status, "the mesh cannot be read")
}

// readEye returns nil if there is no contour of the eye.
func readEye(handle *C.fv_faces, index C.size_t, eye C.int) ([]Point, error) {
	var count C.size_t
	status := C.fv_faces_eye(handle, index, eye, nil, 0, &count)
	if Status(status) == ErrAbsent {
		return nil, nil
	}
	if err := newError(status, "the eye cannot be measured"); err != nil || count == 0 {
		return nil, err
	}
	// A Point is two doubles, as fv_point.
	points := make([]Point, count)
	status = C.fv_faces_eye(handle, index, eye, (*C.fv_point)(unsafe.Pointer(&points[0])), count, &count)
	return points, newError(status, "the eye cannot be read")
}
