// libjpeg-turbo's own interface. It reports errors by longjmp: a function that calls setjmp, and everything that it
// calls, must hold no objects with destructors.
#pragma once

#include <cstdio>
// jpeglib.h needs FILE first.
#include <jpeglib.h>

#include <csetjmp>
#include <cstring>

namespace cvision {

/// Stores the message of an error, or of the first warning.
struct JPEGErrors {
  jpeg_error_mgr manager;
  jmp_buf back;
  char text[JMSG_LENGTH_MAX] = "";

  JPEGErrors() {
    jpeg_std_error(&manager);
    manager.error_exit = [](j_common_ptr jpeg) {
      JPEGErrors &errors = of(jpeg);
      errors.manager.format_message(jpeg, errors.text);
      std::longjmp(errors.back, 1);
    };
    manager.emit_message = [](j_common_ptr jpeg, int level) {
      JPEGErrors &errors = of(jpeg);
      if (level < 0 && errors.manager.num_warnings++ == 0) errors.manager.format_message(jpeg, errors.text);
    };
  }

  // `manager` is the first member.
  static JPEGErrors &of(j_common_ptr jpeg) { return *reinterpret_cast<JPEGErrors *>(jpeg->err); }
};

}  // namespace cvision
