// PostgreSQL's client library, loaded when it is first asked for: nothing links it, and a machine without it does all else.
#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

#include <stdbool.h>

typedef struct cpostgresql_connection cpostgresql_connection;
typedef struct cpostgresql_result cpostgresql_result;

// Whether libpq (libpq.so.5) is on this machine. Any thread.
bool cpostgresql_is_available(void);

// Connects; never NULL if the library is available. `cpostgresql_is_connected` tells whether it worked.
cpostgresql_connection *cpostgresql_connect(const char *address);
bool cpostgresql_is_connected(const cpostgresql_connection *connection);
void cpostgresql_close(cpostgresql_connection *connection);
// Of the last call; the connection's, until the next one.
const char *cpostgresql_message(const cpostgresql_connection *connection);

// Runs one statement with values as text, NULL for null; NULL if there is no memory.
cpostgresql_result *cpostgresql_run(
    cpostgresql_connection *connection, const char *sql, int count, const char *const *values);
// Runs several statements without values.
cpostgresql_result *cpostgresql_script(cpostgresql_connection *connection, const char *sql);
bool cpostgresql_succeeded(const cpostgresql_result *result);
int cpostgresql_row_count(const cpostgresql_result *result);
int cpostgresql_column_count(const cpostgresql_result *result);
// The result's; NULL for null.
const char *cpostgresql_value(const cpostgresql_result *result, int row, int column);
void cpostgresql_free(cpostgresql_result *result);

#endif
