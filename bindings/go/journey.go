package faceverify

// #include <faceverify.h>
//
// extern fv_status faceverifySign(void *bytes, size_t byte_count, void *signature, uintptr_t number);
//
// static fv_status sign_in_go(const void *bytes, size_t byte_count, void *signature, void *number) {
//   return faceverifySign((void *)bytes, byte_count, signature, (uintptr_t)number);
// }
//
// // Signs by a function if its number is not 0.
// static fv_status journey_record(fv_record **out, const fv_journey *journey, const char *private_key,
//                                 const char *public_key, uintptr_t sign, char *message, size_t message_bytes) {
//   fv_signer signer = FV_SIGNER_INIT;
//   signer.private_key = private_key;
//   signer.public_key = public_key;
//   if (sign) signer.sign = sign_in_go;
//   signer.sign_user = (void *)sign;
//   return fv_journey_record(out, journey, &signer, message, message_bytes);
// }
import "C"

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Error makes a LogicalError an error, which errors.Is finds in the [*Error] of a call that a [Journey] refused.
func (e LogicalError) Error() string {
	return "faceverify: " + e.String()
}

// Is matches the [LogicalError] that the message begins with.
func (e *Error) Is(target error) bool {
	logical, ok := target.(LogicalError)
	return ok && logical != 0 && e.Status == ErrWrongState && strings.HasPrefix(e.Message, logical.String()+": ")
}

// JourneyOptions are the configuration of a journey. The zero value requests a document and its holder's face.
type JourneyOptions struct {
	Configuration map[string]any // docs/journeys.md lists the members, all optional
	Portrait      *Template      // the expected person; nil: the holder of the document
	Trust         *TrustStore    // trust anchors for chips; nil: none
}

// A Journey is one identity check, from consent to a result, with documents, their chips and the face. It has no clock:
// each call has its time, usually time.Now(), not earlier than the previous call's. Its context is that of NewJourney:
// when that ends, a running call ends, and the journey is cancelled.
//
// It is not safe for concurrent use: a concurrent call returns [ErrBusy]. But any goroutine may perform
// [JourneyCallCancel] at any time. A call that is not due returns [ErrWrongState], and
// errors.Is matches its [LogicalError]; one that cannot be executed returns [ErrBadArgument]. The journey is then
// unchanged. Events report everything that concerns the person.
type Journey struct {
	journeyHandle
	wake   chan struct{} // buffered, one element
	closed chan struct{}
	events sync.Once
	stream chan JourneyEvent
}

// NewJourney creates a journey; [JourneyCallStart] starts it. The end of the context cancels it. Close it.
//
// Errors: [ErrBadArgument], with the name of the member of the configuration in the message; [ErrWrongState], as for a
// refused call, if it requires another version, another region, or something that is not implemented.
func (e *Engine) NewJourney(ctx context.Context, now time.Time, options JourneyOptions) (*Journey, error) {
	var a arguments
	at := a.time(now)
	c := C.fv_journey_options{
		struct_size: C.sizeof_fv_journey_options,
		portrait:    options.Portrait.c(),
		trust:       options.Trust.c(),
	}
	if options.Configuration != nil {
		written, err := json.Marshal(options.Configuration)
		if err != nil {
			a.fail("the configuration cannot be written as JSON: " + err.Error())
		}
		c.json = a.text(string(written))
	}
	if ctx.Err() != nil && a.err == nil {
		a.err = ended(ctx)
	}
	var handle *C.fv_journey
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_journey_create(&handle, e.handle, &c, at, message, messageBytes)
	}, e, options)
	if err != nil {
		return nil, err
	}
	j := &Journey{wake: make(chan struct{}, 1), closed: make(chan struct{})}
	wake, closed := j.wake, j.closed
	var once sync.Once
	j.journeyHandle = journeyHandle{handle, own(func() {
		C.fv_journey_free(handle)
		once.Do(func() { close(closed) })
	})}
	if ctx.Done() != nil {
		go func() {
			select {
			case <-ctx.Done():
				// At the time of the last call: the calls' clock is unknown here.
				C.fv_journey_perform(handle, C.FV_JOURNEY_CALL_CANCEL, 0, nil, 0)
				signal(wake)
			case <-closed:
			}
		}()
	}
	return j, nil
}

// signal never blocks.
func signal(wake chan struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}

// perform makes a call, which may cause events.
func (j *Journey) perform(
	a *arguments, now time.Time, body func(at C.double, message *C.char, messageBytes C.size_t) C.fv_status, used ...any,
) error {
	defer signal(j.wake)
	at := a.time(now)
	return a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return body(at, message, messageBytes)
	}, j, used)
}

// Perform makes a call without arguments other than its time.
//
// Errors: [ErrWrongState], [ErrBadArgument], [ErrBusy]; [ErrCancelled] if another goroutine cancels the journey during
// the call.
func (j *Journey) Perform(call JourneyCall, now time.Time) error {
	return j.perform(new(arguments), now, func(at C.double, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_journey_perform(j.handle, C.fv_journey_call(call), at, message, messageBytes)
	})
}

// Consent sets the person's decision about one item of the event "initialized", counted from 0. Errors: as
// [Journey.Perform].
func (j *Journey) Consent(item int, isGiven bool, now time.Time) error {
	return j.perform(new(arguments), now, func(at C.double, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_journey_consent(j.handle, C.size_t(item), number(isGiven), at, message, messageBytes)
	})
}

// StartCredential starts one of the credentials that the configuration requests, counted from 0, in any order. Errors:
// as [Journey.Perform].
func (j *Journey) StartCredential(credential int, now time.Time) error {
	return j.perform(new(arguments), now, func(at C.double, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_journey_start_credential(j.handle, C.size_t(credential), at, message, messageBytes)
	})
}

// Choices returns the documents that a credential may be configured with; none if it is not an identity document.
func (j *Journey) Choices(credential int) (choices []DocumentChoice, err error) {
	j.owner.copyTexts(func() { choices, err = listJourneyChoices(j.handle, C.size_t(credential)) })
	return choices, err
}

// Configure chooses the document of the active credential, one of its choices. Errors: as [Journey.Perform].
func (j *Journey) Configure(choice DocumentChoice, now time.Time) error {
	var a arguments
	c := choice.c(&a)
	return j.perform(&a, now, func(at C.double, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_journey_configure(j.handle, &c, at, message, messageBytes)
	})
}

// StartPart starts a part of the active credential; a mode of 0 is the first allowed one. Errors: as [Journey.Perform].
func (j *Journey) StartPart(part JourneyPart, mode ScanMode, now time.Time) error {
	return j.perform(new(arguments), now, func(at C.double, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_journey_start_part(
			j.handle, C.fv_journey_part(part), C.fv_scan_mode(mode), at, message, messageBytes)
	})
}

// AddFrame adds the next frame of a camera. The feedback's state is 0 unless the part is a face.
//
// Errors: as [Journey.Perform] and [LivenessSession.Add].
func (j *Journey) AddFrame(frame LivenessFrame, now time.Time) (LivenessFeedback, error) {
	c, image, done, err := frame.c()
	if err != nil {
		return LivenessFeedback{}, err
	}
	defer done()
	feedback := C.fv_liveness_feedback{struct_size: C.sizeof_fv_liveness_feedback}
	err = j.perform(new(arguments), now, func(at C.double, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_journey_add_frame(&feedback, j.handle, &c, at, message, messageBytes)
	}, image)
	if err != nil {
		return LivenessFeedback{}, err
	}
	return readLivenessFeedback(&feedback), nil
}

// AttachImage adds a photo instead of frames. Errors: as [Journey.Perform]; [ErrDamaged] and other errors of images.
func (j *Journey) AttachImage(photo Input, now time.Time) error {
	var a arguments
	image, done := a.picture(photo)
	defer done()
	return j.perform(&a, now, func(at C.double, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_journey_attach_image(j.handle, image.c(), at, message, messageBytes)
	}, image)
}

// AttachChip adds the files read from the chip. Errors: as [Journey.Perform].
func (j *Journey) AttachChip(chip *Chip, now time.Time) error {
	return j.perform(new(arguments), now, func(at C.double, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_journey_attach_chip(j.handle, chip.c(), at, message, messageBytes)
	}, chip)
}

// AttachCode adds the content of the code on the back of a driving licence: the bytes of a [Code]. Errors: as
// [Journey.Perform]; [ErrUnknownFormat] for a code that is not a licence's.
func (j *Journey) AttachCode(bytes []byte, now time.Time) error {
	return j.perform(new(arguments), now, func(at C.double, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_journey_attach_code(j.handle, address(bytes), C.size_t(len(bytes)), at, message, messageBytes)
	})
}

// Report reports a failure outside the library: "H000000" is the camera, "E000000" no connection. Errors: as
// [Journey.Perform].
func (j *Journey) Report(code string, now time.Time) error {
	var a arguments
	text := a.text(code)
	return j.perform(&a, now, func(at C.double, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_journey_report(j.handle, text, at, message, messageBytes)
	})
}

// Describe returns the current state. It is safe for concurrent use.
func (j *Journey) Describe() (info JourneyInfo, err error) {
	j.owner.copyTexts(func() { info, err = describeJourney(j.handle) })
	return info, err
}

// Warnings returns warnings about the configuration: suspected personal data in identifiers, and settings that no
// result can pass.
func (j *Journey) Warnings() (warnings []string) {
	j.owner.copyTexts(func() { warnings = listJourneyWarnings(j.handle) })
	return warnings
}

// Events returns the channel of all events. It is closed after "finished", or when the journey is closed.
func (j *Journey) Events() <-chan JourneyEvent {
	j.events.Do(func() {
		j.stream = make(chan JourneyEvent)
		go j.send()
	})
	return j.stream
}

func (j *Journey) send() {
	defer close(j.stream)
	for {
		var event JourneyEvent
		var err error
		j.owner.copyTexts(func() { event, err = describeJourneyNextEvent(j.handle) })
		switch {
		case err == nil:
			select {
			case j.stream <- event:
			case <-j.closed:
				return
			}
			if event.Name == "finished" {
				return
			}
		case errors.Is(err, ErrAbsent):
			select {
			case <-j.wake:
			case <-j.closed:
				return
			}
		default:
			return
		}
	}
}

// Picture returns the picture to be confirmed; nil without one. Close it.
func (j *Journey) Picture() (*Image, error) {
	defer runtime.KeepAlive(j)
	var handle *C.fv_image
	return optionalImage(C.fv_journey_picture(&handle, j.handle), &handle, "the journey is closed")
}

// Result returns the result of the journey.
//
// Errors: [ErrWrongState] before the end.
func (j *Journey) Result() (outcome JourneyOutcome, err error) {
	j.owner.copyTexts(func() { outcome, err = describeJourneyResult(j.handle) })
	if errors.Is(err, ErrWrongState) {
		err = &Error{ErrWrongState, "the journey is not finished"}
	}
	return outcome, err
}

// A Credential is the result of one credential of a journey. Its document and decisions are closed when the journey is
// cleared.
type Credential struct {
	Category CredentialCategory // what was requested
	Result   CheckStatus        // of this credential alone; 0 if it is not judged
	// "liveness.", "comparison." or "document." and the reason, and where the evidence falls short of the policy. A
	// passed credential may have reasons, too.
	Reasons           []Reason
	Document          *Document         // the identity document; nil without one
	Liveness          *LivenessDecision // the liveness decision on the face, with the selfie; nil without one
	Decision          *Decision         // the comparison of the face with the portrait; nil if there was none
	Mode              ScanMode          // how the face was scanned; 0 without a face
	Presence          Presence          // level to which presence was proved; 0 if it is not judged
	DocumentAssurance DocumentAssurance // level to which the document was proved; 0 if it is not judged
	Binding           Binding           // reference that the face matched; 0 if it is not judged
	HasDeclined       bool              // the person declined a requested movement
}

func readCredential(c *C.fv_credential) Credential {
	return Credential{
		Category:          CredentialCategory(c.category),
		Result:            CheckStatus(c.result),
		Mode:              ScanMode(c.mode),
		Presence:          Presence(c.presence),
		DocumentAssurance: DocumentAssurance(c.document_assurance),
		Binding:           Binding(c.binding),
		HasDeclined:       c.has_declined == 1,
	}
}

// Credentials returns the results of the credentials, in the order in which they were requested; none before the end,
// and once the journey is cleared.
func (j *Journey) Credentials() (list []Credential, err error) {
	j.owner.copyTexts(func() {
		list, err = listJourneyCredentials(j.handle)
		for i := 0; i < len(list) && err == nil; i++ {
			err = j.complete(&list[i], C.size_t(i))
		}
	})
	return list, err
}

// complete sets the reasons and objects of a credential.
func (j *Journey) complete(credential *Credential, index C.size_t) (err error) {
	c := C.fv_credential{struct_size: C.sizeof_fv_credential}
	if err = newError(C.fv_journey_credential_at(&c, j.handle, index), "the journey is closed"); err != nil {
		return err
	}
	if credential.Reasons, err = listJourneyReasons(j.handle, index); err != nil {
		return err
	}
	if c.document != nil {
		if credential.Document, err = newDocument(documentHandle{c.document, j.owner.lend()}); err != nil {
			return err
		}
	}
	if c.liveness != nil {
		credential.Liveness, err = newLivenessDecision(livenessDecisionHandle{c.liveness, j.owner.lend()})
		if err != nil {
			return err
		}
	}
	if c.decision != nil {
		credential.Decision, err = newDecision(decisionHandle{c.decision, j.owner.lend()})
	}
	return err
}

// Clear removes all personal data, and overwrites pictures and templates in memory; identifiers and error remain.
//
// Errors: [ErrWrongState] before the end.
func (j *Journey) Clear() error {
	return new(arguments).call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_journey_clear(j.handle, message, messageBytes)
	}, j)
}

// A Signer is a private key, or a public key and a callback.
type Signer struct {
	PrivateKey string // Ed25519 in PEM without a passphrase; empty: Sign is used
	PublicKey  string // in PEM, to verify what Sign returns
	// Sign returns the 64 bytes of an Ed25519 signature, such as that of an HSM. Its error becomes that of Record.
	Sign func(bytes []byte) ([]byte, error)
}

// One call of a Signer's callback.
type signing struct {
	sign func([]byte) ([]byte, error)
	err  error
}

var (
	signings    sync.Map
	lastSigning atomic.Uintptr
)

//export faceverifySign
func faceverifySign(bytes unsafe.Pointer, count C.size_t, signature unsafe.Pointer, number C.uintptr_t) C.fv_status {
	one, ok := signings.Load(uintptr(number))
	if !ok {
		return C.FV_E_INTERNAL
	}
	call := one.(*signing)
	made, err := call.sign(C.GoBytes(bytes, C.int(count)))
	if err == nil && len(made) != 64 {
		err = &Error{ErrBadArgument, "an Ed25519 signature has 64 bytes"}
	}
	if err != nil {
		call.err = err
		return C.FV_E_INTERNAL
	}
	copy(unsafe.Slice((*byte)(signature), 64), made)
	return C.FV_OK
}

// Record returns the signed record of the journey: docs/records.md. Close it.
//
// Errors: [ErrWrongState] before the end, and once the journey is cleared; [ErrUnknownFormat] for a malformed key;
// [ErrInternal] for an invalid signature; the error of the signer's callback.
func (j *Journey) Record(signer Signer) (*Record, error) {
	var a arguments
	var handle *C.fv_record
	privateKey, publicKey := a.optionalText(signer.PrivateKey), a.optionalText(signer.PublicKey)
	call, number := &signing{sign: signer.Sign}, uintptr(0)
	if signer.Sign != nil {
		number = lastSigning.Add(1)
		signings.Store(number, call)
		defer signings.Delete(number)
	}
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.journey_record(
			&handle, j.handle, privateKey, publicKey, C.uintptr_t(number), message, messageBytes)
	}, j)
	if call.err != nil {
		return nil, call.err
	}
	if err != nil {
		return nil, err
	}
	return &Record{newRecordHandle(handle)}, nil
}

// A Record is a signed record of a journey, not verified until Verify is called. It is safe for concurrent use.
type Record struct {
	recordHandle
}

// ReadRecord reads a record without verifying it. Close it.
//
// Errors: [ErrDamaged], [ErrTooLarge], [ErrUnknownFormat].
func ReadRecord(bytes []byte) (*Record, error) {
	var handle *C.fv_record
	err := new(arguments).call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_record_from_bytes(&handle, address(bytes), C.size_t(len(bytes)), message, messageBytes)
	})
	if err != nil {
		return nil, err
	}
	return &Record{newRecordHandle(handle)}, nil
}

// Verify verifies the record alone, without its evidence. The trusted key is a public key in PEM; if it is empty, the
// signer is unknown, and the result at best [CheckStatusNotChecked].
//
// Errors: [ErrUnknownFormat] for a malformed key.
func (r *Record) Verify(trustedKey string) (verification RecordVerification, err error) {
	var a arguments
	key := a.optionalText(trustedKey)
	c := C.fv_record_verification{struct_size: C.sizeof_fv_record_verification}
	r.owner.copyTexts(func() {
		err = a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
			return C.fv_record_verify(&c, r.handle, key, message, messageBytes)
		}, r)
		verification = readRecordVerification(&c)
	})
	return verification, err
}
