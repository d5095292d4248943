// The functions of PostgreSQL's client library that the server calls (https://www.postgresql.org/docs/15/libpq.html).
// The library is loaded on first use: nothing links it, and without it only PostgreSQL is unavailable.
#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

// Only the functions have nullability.
#pragma clang diagnostic ignored "-Wnullability-completeness"

typedef struct cpostgresql_connection cpostgresql_connection;
typedef struct cpostgresql_result cpostgresql_result;

enum { CPOSTGRESQL_CONNECTION_OK = 0, CPOSTGRESQL_COMMAND_OK = 1, CPOSTGRESQL_TUPLES_OK = 2 };
enum { CPOSTGRESQL_POLLING_READING = 1, CPOSTGRESQL_POLLING_WRITING = 2, CPOSTGRESQL_POLLING_OK = 3 };

// Each has the name and the contract of libpq: `connectStart` is PQconnectStart.
typedef struct {
  cpostgresql_connection *(*_Nonnull connectStart)(const char *address);
  int (*_Nonnull connectPoll)(cpostgresql_connection *);
  int (*_Nonnull setnonblocking)(cpostgresql_connection *, int isNonblocking);
  int (*_Nonnull socket)(const cpostgresql_connection *);
  int (*_Nonnull status)(const cpostgresql_connection *);
  void (*_Nonnull finish)(cpostgresql_connection *);
  const char *(*_Nonnull errorMessage)(const cpostgresql_connection *);
  int (*_Nonnull sendQueryParams)(
      cpostgresql_connection *, const char *sql, int count, const unsigned *types, const char *const *values,
      const int *lengths, const int *formats, int format);
  int (*_Nonnull sendQuery)(cpostgresql_connection *, const char *sql);
  int (*_Nonnull flush)(cpostgresql_connection *);
  int (*_Nonnull consumeInput)(cpostgresql_connection *);
  int (*_Nonnull isBusy)(cpostgresql_connection *);
  cpostgresql_result *(*_Nonnull getResult)(cpostgresql_connection *);
  int (*_Nonnull resultStatus)(const cpostgresql_result *);
  int (*_Nonnull ntuples)(const cpostgresql_result *);
  int (*_Nonnull nfields)(const cpostgresql_result *);
  const char *(*_Nonnull getvalue)(const cpostgresql_result *, int row, int column);
  int (*_Nonnull getisnull)(const cpostgresql_result *, int row, int column);
  void (*_Nonnull clear)(cpostgresql_result *);
} cpostgresql;

// Returns the functions; NULL if libpq.so.5 is not installed. Thread-safe.
const cpostgresql *cpostgresql_load(void);

#endif
