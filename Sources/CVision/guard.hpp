// Runs C++ code and converts exceptions to a status and one line of text: none crosses into C.
#pragma once

#include <cstdio>
#include <exception>
#include <new>

#include "cvision.h"

namespace cvision {

inline cvision_status fail(char *message, cvision_status status, const char *text) {
  if (message) std::snprintf(message, CVISION_MESSAGE, "%s", text);
  return status;
}

template <typename Body>
cvision_status guarded(char *message, Body &&body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return fail(message, CVISION_E_MEMORY, "out of memory");
  } catch (const std::exception &error) {
    return fail(message, CVISION_E_INTERNAL, error.what());
  } catch (...) {
    return fail(message, CVISION_E_INTERNAL, "unknown C++ exception");
  }
}

}  // namespace cvision
