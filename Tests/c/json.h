/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a text is JSON (RFC 8259), of any depth and with numbers of any size. */
#ifndef JSON_H
#define JSON_H

#include <string.h>

static inline const char *json_value(const char *at);

static inline const char *json_space(const char *at) { return at + strspn(at, " \t\r\n"); }

static inline const char *json_string(const char *at) {
  if (*at++ != '"') return NULL;
  for (; *at != '"'; at++) {
    if ((unsigned char)*at < 0x20) return NULL;
    if (*at != '\\') continue;
    at++;
    if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") >= 4)
      at += 4;
    else if (*at == '\0' || strchr("\"\\/bfnrt", *at) == NULL)
      return NULL;
  }
  return at + 1;
}

static inline const char *json_number(const char *at) {
  const char *digits;
  if (*at == '-') at++;
  digits = at;
  at += strspn(at, "0123456789");
  if (at == digits || (*digits == '0' && at > digits + 1)) return NULL;
  if (*at == '.') {
    digits = ++at;
    at += strspn(at, "0123456789");
    if (at == digits) return NULL;
  }
  if (*at == 'e' || *at == 'E') {
    at++;
    if (*at == '+' || *at == '-') at++;
    digits = at;
    at += strspn(at, "0123456789");
    if (at == digits) return NULL;
  }
  return at;
}

/* An array or an object: the contents between `at` and `close`. */
static inline const char *json_members(const char *at, char close) {
  at = json_space(at + 1);
  if (*at == close) return at + 1;
  for (;;) {
    if (close == '}') {
      at = json_string(json_space(at));
      if (at == NULL || *(at = json_space(at)) != ':') return NULL;
      at++;
    }
    at = json_value(at);
    if (at == NULL) return NULL;
    at = json_space(at);
    if (*at == close) return at + 1;
    if (*at++ != ',') return NULL;
  }
}

static inline const char *json_value(const char *at) {
  at = json_space(at);
  switch (*at) {
    case '{':
      return json_members(at, '}');
    case '[':
      return json_members(at, ']');
    case '"':
      return json_string(at);
    case 't':
      return strncmp(at, "true", 4) == 0 ? at + 4 : NULL;
    case 'f':
      return strncmp(at, "false", 5) == 0 ? at + 5 : NULL;
    case 'n':
      return strncmp(at, "null", 4) == 0 ? at + 4 : NULL;
    default:
      return json_number(at);
  }
}

static inline int is_json(const char *text) {
  const char *end = text ? json_value(text) : NULL;
  return end != NULL && *json_space(end) == '\0';
}

#endif
