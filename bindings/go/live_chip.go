package faceverify

// #include <faceverify.h>
//
// extern fv_status faceverifyTransmit(void *command, size_t command_bytes, void *response, size_t capacity_bytes,
//                                     size_t *response_bytes, uintptr_t number);
// extern void faceverifyProgress(char *file, double part, uintptr_t number);
//
// static fv_status transmit_to_go(const void *command, size_t command_bytes, void *response, size_t capacity_bytes,
//                                 size_t *response_bytes, void *number) {
//   return faceverifyTransmit((void *)command, command_bytes, response, capacity_bytes, response_bytes,
//                             (uintptr_t)number);
// }
//
// static void progress_to_go(const char *file, double part, void *number) {
//   faceverifyProgress((char *)file, part, (uintptr_t)number);
// }
//
// // Reads through a reader if has_transport is 0; both callbacks get the number.
// static fv_status live_chip_read(fv_live_chip **out, fv_live_chip_options options, int has_transport,
//                                 int64_t maximum_data_bytes, uintptr_t number, const fv_budget *budget, char *message,
//                                 size_t message_bytes) {
//   fv_chip_transport transport = FV_CHIP_TRANSPORT_INIT;
//   transport.transmit = transmit_to_go;
//   transport.user = (void *)number;
//   transport.maximum_data_bytes = maximum_data_bytes;
//   if (has_transport) options.transport = &transport;
//   options.progress = progress_to_go;
//   options.progress_user = (void *)number;
//   return fv_live_chip_read(out, &options, budget, message, message_bytes);
// }
import "C"

import (
	"context"
	"time"
)

// A ChipTransport sends a command APDU to a chip and returns the response APDU, its data followed by two status bytes
// (ISO/IEC 7816-3, 12.1): a phone that relays, a reader without PC/SC. It is called on the goroutine of [ReadChip]. An
// error ends the reading.
type ChipTransport func(command []byte) (response []byte, err error)

// LiveChipOptions are the connection to a chip, and its password.
type LiveChipOptions struct {
	// The password: the text of the machine-readable zone, or its document number, date of birth and date of expiry:
	// "L898902C3,740812,120415".
	MRZ string
	// The password, instead of MRZ: the digits printed on the document. Both empty: a chip without access control.
	CardAccessNumber string
	IsConfirmed      bool          // tries the password although one more wrong one blocks it
	Reader           string        // a part of the name of a smart card reader; empty: the only one with a card
	CardTimeout      time.Duration // how long to wait for a card on a reader, 10 to 60 seconds; 0: 30 seconds
	Transport        ChipTransport // instead of a reader; nil: a reader
	// The largest number of data bytes that the transport carries, below 256 without extended length; 0: unknown.
	MaximumDataBytes int
	// Receives the name of each file, such as "EF.DG2", and the fraction of it that was read, 0 to 1; nil: none.
	Progress func(file string, part float64)
}

// A LiveChip is a document's chip that [ReadChip] has read through a transport. It is safe for concurrent use.
type LiveChip struct {
	LiveChipInfo
	// The files that were read, for [DocumentInput]; nil if the chip was not opened. Closed with the chip.
	Files *Chip

	liveChipHandle
}

// ReadChip reads the chip of a document: opens it, reads its files, and lets it prove that it is no copy. It takes 5 to
// 30 seconds. A refused password, and a chip that was removed after it was opened, are results: see [LiveChipInfo].
// Close the chip.
//
// Errors: [ErrBadArgument], also for a zone with a wrong check digit; [ErrUnknownFormat] and [ErrDamaged] for a text that
// is no zone; [ErrAbsent] if libpcsclite is not installed, its service pcscd does not run, or there is no such reader;
// [ErrTimeout] without a card; [ErrBusy] if another program uses it; [ErrUnreadable], [ErrDamaged]; the error of the
// transport, if the chip was not opened yet; [ErrTimeout], [ErrCancelled].
func ReadChip(ctx context.Context, options LiveChipOptions) (*LiveChip, error) {
	var a arguments
	c := C.fv_live_chip_options{
		struct_size:        C.sizeof_fv_live_chip_options,
		reader:             a.optionalText(options.Reader),
		card_timeout:       C.double(options.CardTimeout.Seconds()),
		mrz:                a.optionalText(options.MRZ),
		card_access_number: a.optionalText(options.CardAccessNumber),
		is_confirmed:       number(options.IsConfirmed),
	}
	call := &chipCall{options: options}
	key := lastChipCall.Add(1)
	chipCalls.Store(key, call)
	defer chipCalls.Delete(key)
	var hasTransport C.int
	if options.Transport != nil {
		hasTransport = 1
	}
	var handle *C.fv_live_chip
	err := a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.live_chip_read(
			&handle, c, hasTransport, C.int64_t(options.MaximumDataBytes), C.uintptr_t(key), budget, message, messageBytes)
	})
	if err != nil {
		if call.err != nil {
			return nil, call.err
		}
		return nil, err
	}
	chip := &LiveChip{liveChipHandle: newLiveChipHandle(handle)}
	if chip.LiveChipInfo, err = describeLiveChip(handle); err != nil {
		chip.Close()
		return nil, err
	}
	if files := C.fv_live_chip_files(handle); files != nil {
		chip.Files = &Chip{chipHandle{files, chip.owner.lend()}}
	}
	return chip, nil
}

// A ChipReport is the authentication of a chip that was read live, and whether it is a copy. It is safe for concurrent
// use.
type ChipReport struct {
	ChipReportInfo
	Steps []DocumentCheck // of passive authentication, in the order of execution
	// The steps behind the proof: "active-authentication", "chip-authentication", "chip-authentication-mapping",
	// "announcement".
	ProofSteps []DocumentCheck

	chipReportHandle
}

// Report judges the chip: passive authentication of its files, and whether it is a copy. A nil store has no trust anchors.
// The date is that for which certificates are checked; isStrict forgives no violation of the standards. Close the report.
//
// Errors: [ErrBadArgument], also for the zero Time; [ErrWrongState] if the chip was not opened.
func (c *LiveChip) Report(trust *TrustStore, date time.Time, isStrict bool) (*ChipReport, error) {
	var a arguments
	day := a.date(date)
	var handle *C.fv_chip_report
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_live_chip_report(&handle, c.c(), trust.c(), day, number(isStrict), message, messageBytes)
	}, c, trust)
	if err != nil {
		return nil, err
	}
	report := &ChipReport{chipReportHandle: newChipReportHandle(handle)}
	if report.ChipReportInfo, err = describeChipReport(handle); err == nil {
		report.Steps, err = listChipReportSteps(handle)
	}
	if err == nil {
		report.ProofSteps, err = listChipReportProofSteps(handle)
	}
	if err != nil {
		report.Close()
		return nil, err
	}
	return report, nil
}

// CardReaders lists the smart card readers of this machine, and whether they have a card.
//
// Errors: [ErrAbsent] if libpcsclite is not installed, or its service pcscd does not run; [ErrUnreadable] if it denies
// access.
func CardReaders() ([]CardReader, error) {
	var handle *C.fv_card_readers
	err := new(arguments).call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_card_readers_list(&handle, message, messageBytes)
	})
	if err != nil {
		return nil, err
	}
	defer C.fv_card_readers_free(handle)
	return listCardReaders(handle)
}
