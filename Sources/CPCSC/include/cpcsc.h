// The functions of the PC/SC client library (https://pcsclite.apdu.fr/api/), which reads smart cards. The library is
// loaded on first use: nothing links it, and without it only readers are unavailable.
#ifndef CPCSC_H
#define CPCSC_H

// Only the functions have nullability.
#pragma clang diagnostic ignored "-Wnullability-completeness"

// SCARD_READERSTATE.
typedef struct {
  const char *reader;
  void *user;
  unsigned long current_state;
  unsigned long event_state;
  unsigned long atr_bytes;
  unsigned char atr[33];
} cpcsc_state;

// SCARD_IO_REQUEST.
typedef struct {
  unsigned long protocol;
  unsigned long byte_count;
} cpcsc_protocol;

// Each has the name and the contract of PC/SC: `transmit` is SCardTransmit. Contexts and cards are numbers.
typedef struct {
  long (*_Nonnull establishContext)(unsigned long scope, const void *, const void *, long *context);
  long (*_Nonnull releaseContext)(long context);
  long (*_Nonnull listReaders)(long context, const char *groups, char *readers, unsigned long *byte_count);
  long (*_Nonnull getStatusChange)(
      long context, unsigned long milliseconds, cpcsc_state *states, unsigned long state_count);
  long (*_Nonnull connect)(
      long context, const char *reader, unsigned long sharing, unsigned long protocols, long *card,
      unsigned long *protocol);
  long (*_Nonnull disconnect)(long card, unsigned long disposition);
  long (*_Nonnull transmit)(
      long card, const cpcsc_protocol *protocol, const unsigned char *command, unsigned long command_bytes,
      cpcsc_protocol *, unsigned char *response, unsigned long *response_bytes);
  long (*_Nonnull control)(
      long card, unsigned long code, const void *input, unsigned long input_bytes, void *output,
      unsigned long output_capacity, unsigned long *output_bytes);
} cpcsc;

// Returns the functions; NULL if libpcsclite.so.1 is not installed. Thread-safe.
const cpcsc *cpcsc_load(void);

#endif
