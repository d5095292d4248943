package faceverify

// #include <faceverify.h>
import "C"

import "runtime"

// A Trust holds the certificates that chips are checked by. Any goroutines may use it at the same time.
type Trust struct {
	handle *C.fv_trust
	owner  *owner
}

// NewTrust reads a folder, without the folders in it: certificates of issuing states (CSCA), revocation lists, and
// master lists, whose signature is checked first. Files that are none of these are left out, and named in the JSON with
// the reason. An empty folder name makes an empty one: then no chip is [Authentic], and none is [Invalid] for that.
//
// Errors: [ErrUnreadable], [ErrTooLarge].
func NewTrust(folder string) (*Trust, error) {
	text, err := newOptionalText(folder)
	if err != nil {
		return nil, err
	}
	defer freeText(text)
	var handle *C.fv_trust
	var message messageBuffer
	if err := message.newError(C.fv_trust_create(&handle, text, &message[0], C.FV_MESSAGE_SIZE)); err != nil {
		return nil, err
	}
	return &Trust{handle, own(func() { C.fv_trust_free(handle) })}, nil
}

// Add adds what one file holds; the name is for the JSON. What was read with this before stays as it is.
//
// Errors: [ErrUnknownFormat] if there is nothing in it that can be trusted, [ErrDamaged] for a master list whose
// signature is wrong, [ErrTooLarge]; then nothing of it is trusted.
func (t *Trust) Add(name string, file []byte) error {
	defer runtime.KeepAlive(t)
	text, err := newText(name)
	if err != nil {
		return err
	}
	defer freeText(text)
	var message messageBuffer
	return message.newError(C.fv_trust_add(t.handle, text, address(file), C.size_t(len(file)), &message[0],
		C.FV_MESSAGE_SIZE))
}

// AnchorCount returns the number of certificates that may sign the signers of chips, each counted once.
func (t *Trust) AnchorCount() int {
	defer runtime.KeepAlive(t)
	return int(C.fv_trust_anchor_count(t.handle))
}

// JSON is what each file brought, the certificates and the revocation lists; "" if the trust is closed.
func (t *Trust) JSON() (text string) {
	t.owner.copyTexts(func() { text = C.GoString(C.fv_trust_json(t.handle)) })
	return text
}

// Close frees the trust; documents keep what they need of it.
func (t *Trust) Close() error {
	return t.owner.close()
}

// c returns nil, which trusts no certificate, for a nil trust.
func (t *Trust) c() *C.fv_trust {
	if t == nil {
		return nil
	}
	return t.handle
}

// A Chip holds the files of one chip: EF.COM, EF.SOD, EF.DG1... Any goroutines may use it at the same time.
type Chip struct {
	handle *C.fv_chip
	owner  *owner
}

// NewChip reads a folder, without the folders in it. Files may have any usual name (EF.DG1, dg01.bin, 0101) and be
// plain, in hexadecimal or in base64; others are left out. An empty folder name makes an empty one. Damage is found by
// [Engine.ReadDocument], and is no error there.
//
// Errors: [ErrUnreadable], [ErrTooLarge]; [ErrBadArgument] if no file is a chip's, or two are the same one and differ.
func NewChip(folder string) (*Chip, error) {
	text, err := newOptionalText(folder)
	if err != nil {
		return nil, err
	}
	defer freeText(text)
	var handle *C.fv_chip
	var message messageBuffer
	if err := message.newError(C.fv_chip_create(&handle, text, &message[0], C.FV_MESSAGE_SIZE)); err != nil {
		return nil, err
	}
	return &Chip{handle, own(func() { C.fv_chip_free(handle) })}, nil
}

// Add adds one file.
//
// Errors: [ErrUnknownFormat] if it is none of a chip's, [ErrTooLarge]; [ErrBadArgument] if it differs from the one that
// is there.
func (c *Chip) Add(name string, file []byte) error {
	defer runtime.KeepAlive(c)
	text, err := newText(name)
	if err != nil {
		return err
	}
	defer freeText(text)
	var message messageBuffer
	return message.newError(C.fv_chip_add(c.handle, text, address(file), C.size_t(len(file)), &message[0],
		C.FV_MESSAGE_SIZE))
}

// Close frees the chip; documents keep what they need of it.
func (c *Chip) Close() error {
	return c.owner.close()
}

// c returns nil, which is no chip, for a nil chip.
func (c *Chip) c() *C.fv_chip {
	if c == nil {
		return nil
	}
	return c.handle
}
