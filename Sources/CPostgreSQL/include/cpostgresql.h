// PostgreSQL's client library, loaded on first use: nothing links it, and without it only PostgreSQL is unavailable.
#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

#include <stdbool.h>

typedef struct cpostgresql_connection cpostgresql_connection;
typedef struct cpostgresql_result cpostgresql_result;

// Whether libpq (libpq.so.5) is installed. Thread-safe.
bool cpostgresql_is_available(void);

// Connects; never NULL if the library is available. Check the result with `cpostgresql_is_connected`.
cpostgresql_connection *cpostgresql_connect(const char *address);
bool cpostgresql_is_connected(const cpostgresql_connection *connection);
void cpostgresql_close(cpostgresql_connection *connection);
// The error message of the last call, owned by the connection and valid until its next call.
const char *cpostgresql_message(const cpostgresql_connection *connection);

// Runs one statement with values as text, NULL for SQL's null. Returns NULL if out of memory.
cpostgresql_result *cpostgresql_run(
    cpostgresql_connection *connection, const char *sql, int count, const char *const *values);
// Runs several statements without values.
cpostgresql_result *cpostgresql_script(cpostgresql_connection *connection, const char *sql);
bool cpostgresql_succeeded(const cpostgresql_result *result);
int cpostgresql_row_count(const cpostgresql_result *result);
int cpostgresql_column_count(const cpostgresql_result *result);
// Owned by the result; NULL for SQL's null.
const char *cpostgresql_value(const cpostgresql_result *result, int row, int column);
void cpostgresql_free(cpostgresql_result *result);

#endif
