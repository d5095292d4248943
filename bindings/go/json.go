package faceverify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
)

// record returns the JSON of the library for an object; an error if it is closed.
func record(text, kind string) ([]byte, error) {
	if text == "" {
		return nil, &Error{ErrBadArgument, "the " + kind + " is closed"}
	}
	return []byte(text), nil
}

// marshalFields returns the fields by their names, those of embedded structs too. NaN and infinity, which JSON does not
// have, are null.
func marshalFields(value any) ([]byte, error) {
	var out bytes.Buffer
	if err := appendFields(&out, reflect.ValueOf(value)); err != nil {
		return nil, err
	}
	return append(append([]byte{'{'}, bytes.TrimPrefix(out.Bytes(), []byte{','})...), '}'), nil
}

func appendFields(out *bytes.Buffer, value reflect.Value) error {
	for i := 0; i < value.NumField(); i++ {
		field, kind := value.Field(i), value.Type().Field(i)
		if !kind.IsExported() {
			continue
		}
		if kind.Anonymous {
			if err := appendFields(out, field); err != nil {
				return err
			}
			continue
		}
		text := []byte("null")
		if field.Kind() != reflect.Float64 || !math.IsNaN(field.Float()) && !math.IsInf(field.Float(), 0) {
			var err error
			if text, err = json.Marshal(field.Interface()); err != nil {
				return err
			}
		}
		fmt.Fprintf(out, ",%q:%s", kind.Name, text)
	}
	return nil
}

// named returns the value of an enumeration with a name.
func named[T interface {
	~int32 | ~int64
	String() string
}](text []byte, step T) (T, error) {
	for value := T(0); ; value += step {
		switch value.String() {
		case "unknown": // beyond the last
			return 0, &Error{ErrBadArgument, fmt.Sprintf("there is no %T %q", value, text)}
		case string(text):
			return value, nil
		}
	}
}

// MarshalJSON returns the face with its mesh and its eyes. A number that was not measured is null.
func (f DetectedFace) MarshalJSON() ([]byte, error) { return marshalFields(f) }

// MarshalJSON returns the JSON field.
func (f Faces) MarshalJSON() ([]byte, error) { return record(f.JSON, "result") }

// MarshalJSON returns the JSON field.
func (c Candidates) MarshalJSON() ([]byte, error) { return record(c.JSON, "result") }

// MarshalJSON returns the JSON field.
func (c Codes) MarshalJSON() ([]byte, error) { return record(c.JSON, "result") }

// MarshalJSON returns the JSON field.
func (m Models) MarshalJSON() ([]byte, error) { return record(m.JSON, "result") }
