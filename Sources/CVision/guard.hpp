// Runs C++ code and converts exceptions to a status and one line of text: none crosses into C.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <exception>
#include <new>

#include "cvision.h"

namespace cvision {

/// Writes a message, as printf does, and returns `status`.
__attribute__((format(printf, 3, 4))) inline cvision_status fail(char *message, cvision_status status,
                                                                 const char *format, ...) {
  std::va_list values;
  va_start(values, format);
  if (message) std::vsnprintf(message, CVISION_MESSAGE, format, values);
  va_end(values);
  return status;
}

/// A deleter that calls a C function.
template <auto close>
struct Closer {
  template <typename Object>
  void operator()(Object *object) const {
    close(object);
  }
};

template <typename Body>
cvision_status guarded(char *message, Body &&body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return fail(message, CVISION_E_MEMORY, "out of memory");
  } catch (const std::exception &error) {
    return fail(message, CVISION_E_INTERNAL, "%s", error.what());
  } catch (...) {
    return fail(message, CVISION_E_INTERNAL, "unknown C++ exception");
  }
}

}  // namespace cvision
