#define _GNU_SOURCE
#include "cpostgresql.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

// libpq's interface, https://www.postgresql.org/docs/15/libpq.html; its SONAME has had version 5 since 2006.
enum { CONNECTION_OK = 0, PGRES_COMMAND_OK = 1, PGRES_TUPLES_OK = 2 };

static struct {
  void *(*connectdb)(const char *);
  int (*status)(const void *);
  void (*finish)(void *);
  const char *(*error_message)(const void *);
  void *(*exec_params)(
      void *, const char *, int, const unsigned *, const char *const *, const int *, const int *, int);
  void *(*exec)(void *, const char *);
  int (*result_status)(const void *);
  int (*ntuples)(const void *);
  int (*nfields)(const void *);
  const char *(*getvalue)(const void *, int, int);
  int (*getisnull)(const void *, int, int);
  void (*clear)(void *);
} pq;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool available = false;

static void load(void) {
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  const struct { const char *name; void *place; } functions[] = {
      {"PQconnectdb", &pq.connectdb},       {"PQstatus", &pq.status},
      {"PQfinish", &pq.finish},             {"PQerrorMessage", &pq.error_message},
      {"PQexecParams", &pq.exec_params},    {"PQexec", &pq.exec},
      {"PQresultStatus", &pq.result_status}, {"PQntuples", &pq.ntuples},
      {"PQnfields", &pq.nfields},           {"PQgetvalue", &pq.getvalue},
      {"PQgetisnull", &pq.getisnull},       {"PQclear", &pq.clear},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *found = dlsym(library, functions[i].name);
    if (found == NULL) return;
    *(void **)functions[i].place = found;
  }
  available = true;
}

bool cpostgresql_is_available(void) {
  pthread_once(&once, load);
  return available;
}

cpostgresql_connection *cpostgresql_connect(const char *address) {
  return cpostgresql_is_available() ? (cpostgresql_connection *)pq.connectdb(address) : NULL;
}

bool cpostgresql_is_connected(const cpostgresql_connection *connection) {
  return connection != NULL && pq.status(connection) == CONNECTION_OK;
}

void cpostgresql_close(cpostgresql_connection *connection) {
  if (connection != NULL) pq.finish(connection);
}

const char *cpostgresql_message(const cpostgresql_connection *connection) {
  return connection == NULL ? "" : pq.error_message(connection);
}

cpostgresql_result *cpostgresql_run(
    cpostgresql_connection *connection, const char *sql, int count, const char *const *values) {
  return pq.exec_params(connection, sql, count, NULL, values, NULL, NULL, 0);
}

cpostgresql_result *cpostgresql_script(cpostgresql_connection *connection, const char *sql) {
  return pq.exec(connection, sql);
}

bool cpostgresql_succeeded(const cpostgresql_result *result) {
  const int status = pq.result_status(result);
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

int cpostgresql_row_count(const cpostgresql_result *result) { return pq.ntuples(result); }
int cpostgresql_column_count(const cpostgresql_result *result) { return pq.nfields(result); }

const char *cpostgresql_value(const cpostgresql_result *result, int row, int column) {
  return pq.getisnull(result, row, column) ? NULL : pq.getvalue(result, row, column);
}

void cpostgresql_free(cpostgresql_result *result) {
  if (result != NULL) pq.clear(result);
}
