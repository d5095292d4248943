// The two compiled parts of dlib that its frontal detector needs to unpack the filters stored as text in its header.
//
// Everything else used of dlib is templates. Debian packages its compiled parts as a shared library, which depends on
// libjpeg, LAPACK and BLAS, and as an archive that cannot be linked into a shared library.
#include <dlib/base64.h>
#include <dlib/entropy_decoder/entropy_decoder_kernel_2.h>

#include <istream>
#include <ostream>

namespace dlib {

// base64 (RFC 4648). The members for tables are unused: only decoding is implemented.

base64::base64() : encode_table(nullptr), decode_table(nullptr), bad_value(100), eol_style(LF) {}
base64::~base64() {}

void base64::decode(std::istream &in, std::ostream &out) const {
  uint32_t bits = 0;
  int count = 0;
  for (int character; (character = in.get()) != std::istream::traits_type::eof() && character != '=';) {
    int value = character >= 'A' && character <= 'Z'   ? character - 'A'
                : character >= 'a' && character <= 'z' ? character - 'a' + 26
                : character >= '0' && character <= '9' ? character - '0' + 52
                : character == '+'                     ? 62
                : character == '/'                     ? 63
                                                       : -1;
    if (value < 0) continue;  // line ends
    bits = bits << 6 | uint32_t(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out.put(char(bits >> count));
    }
  }
}

// A range decoder with 32-bit fractions, as dlib's header describes it. Bytes past the end of the data are zero.

static uint32 next_byte(std::streambuf &from) {
  int byte = from.sbumpc();
  return byte == std::streambuf::traits_type::eof() ? 0 : uint32(byte);
}

entropy_decoder_kernel_2::entropy_decoder_kernel_2()
    : initial_low(1), initial_high(0xffffffff), in(nullptr), low(1), high(0xffffffff), target(0), r(0),
      streambuf(nullptr) {}
entropy_decoder_kernel_2::~entropy_decoder_kernel_2() {}

void entropy_decoder_kernel_2::set_stream(std::istream &stream) {
  in = &stream;
  streambuf = stream.rdbuf();
  low = initial_low, high = initial_high, target = 0, r = 0;
  for (int i = 0; i < 4; i++) target = target << 8 | next_byte(*streambuf);
}

uint32 entropy_decoder_kernel_2::get_target(uint32 total) {
  r = (high - low + 1) / total;
  uint32 value = (target - low) / r;
  return value < total ? value : total - 1;
}

void entropy_decoder_kernel_2::decode(uint32 low_count, uint32 high_count) {
  high = low + r * high_count - 1;
  low += r * low_count;
  r = 0;
  for (;;) {
    if ((high ^ low) >> 24 == 0) {  // the first byte is decided
      low = low << 8;
      if (low == 0) low = 1;
      high = high << 8 | 0xff;
      target = target << 8 | next_byte(*streambuf);
      continue;
    }
    uint32 distance = high - low;
    if (distance >= 0x10000) return;
    // The range is too narrow: the encoder moved both ends to the middle, so that their first bytes become the same.
    uint32 middle = high / 2 + low / 2;
    uint32 margin = distance > 0x1000 ? 0xff : 0;
    high = middle + margin;
    low = middle - margin;
  }
}

}  // namespace dlib
