/*
** bm25_search(index, query [, k]) and vector_search(index, vector [, k]) as eponymous, read-only virtual tables.
** A search is one call into Go, which leaves all its hits; stepping over them stays in C.
*/
#include "sqlext.h"
#include <limits.h>
#include <string.h>
#include <time.h>

enum { COL_CHUNK_ID, COL_SCORE, COL_RANK, COL_ELAPSED, COL_INDEX, COL_ARGUMENT, COL_K };
enum { HAS_INDEX = 1, HAS_ARGUMENT = 2, HAS_K = 4 };   /* idxNum: the arguments that xFilter gets, in this order */
enum { DEFAULT_K = 10 };

typedef struct Function Function;
struct Function {
  const char *name, *argument, *schema;
  int type;                 /* of the argument: SQLITE_TEXT or SQLITE_BLOB */
};

/*
** The tables have no rowid: SQLite unites the branches of an OR by row identity, and a rank alone would make the first hit
** of one search the duplicate of the first hit of another.
*/
static const Function bm25 = {
  "bm25_search", "query",
  "CREATE TABLE x(chunk_id INTEGER, score REAL, rank INTEGER, elapsed_ms REAL, \"index\" HIDDEN, query HIDDEN, k HIDDEN,"
  " PRIMARY KEY (\"index\", query, k, rank)) WITHOUT ROWID",
  SQLITE_TEXT
};
static const Function vector = {
  "vector_search", "vector",
  "CREATE TABLE x(chunk_id INTEGER, score REAL, rank INTEGER, elapsed_ms REAL, \"index\" HIDDEN, vector HIDDEN, k HIDDEN,"
  " PRIMARY KEY (\"index\", vector, k, rank)) WITHOUT ROWID",
  SQLITE_BLOB
};

typedef struct Table Table;
struct Table {
  sqlite3_vtab base;
  sqlite3 *db;
  const Function *function;
};

/* The cursor keeps its last arguments with their hits: a join that filters it once per outer row searches once. */
typedef struct Cursor Cursor;
struct Cursor {
  sqlite3_vtab_cursor base;
  ragbench_search search;
  void *argument;           /* owned copy, search.argument points here */
  int argument_cap;
  int null;                 /* the argument was NULL */
  sqlite3_int64 k;          /* as written; search.k is cut to an int */
  int valid;                /* search.hits answer the arguments held */
  int row;
  double elapsed_ms;        /* wall time of the search */
};

static int fail(Table *t, char *message) {
  sqlite3_free(t->base.zErrMsg);
  t->base.zErrMsg = message;
  return message ? SQLITE_ERROR : SQLITE_NOMEM;
}

static int connect_table(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out, char **error) {
  const Function *f = aux;
  Table *t;
  int rc = sqlite3_declare_vtab(db, f->schema);
  (void)argc; (void)argv; (void)error;
  if (rc != SQLITE_OK) return rc;
  rc = sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
  if (rc != SQLITE_OK) return rc;
  t = sqlite3_malloc(sizeof *t);
  if (!t) return SQLITE_NOMEM;
  memset(t, 0, sizeof *t);
  t->db = db;
  t->function = f;
  *out = &t->base;
  return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *base) {
  sqlite3_free(base);
  return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
  Cursor *c = sqlite3_malloc(sizeof *c);
  (void)base;
  if (!c) return SQLITE_NOMEM;
  memset(c, 0, sizeof *c);
  *out = &c->base;
  return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
  Cursor *c = (Cursor *)base;
  sqlite3_free(c->search.hits);
  sqlite3_free(c->search.error);
  sqlite3_free(c->argument);
  sqlite3_free(c);
  return SQLITE_OK;
}

/* Hits arrive by (score descending, chunk id ascending), and rank numbers them: three orders need no sorting. */
static int already_ordered(const sqlite3_index_info *info) {
  const struct sqlite3_index_orderby *o = info->aOrderBy;
  if (info->nOrderBy == 0) return 0;
  if (o[0].iColumn == COL_RANK) return !o[0].desc;
  if (o[0].iColumn != COL_SCORE || !o[0].desc) return 0;
  if (info->nOrderBy == 1) return 1;
  return (o[1].iColumn == COL_CHUNK_ID || o[1].iColumn == COL_RANK) && !o[1].desc;
}

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
  int chosen[3] = {-1, -1, -1}, unusable = 0, usable = 0, argv = 0, i;
  (void)base;
  for (i = 0; i < info->nConstraint; i++) {
    const struct sqlite3_index_constraint *c = &info->aConstraint[i];
    int slot = c->iColumn - COL_INDEX;
    if (slot < 0 || c->op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (!c->usable) {
      unusable |= 1 << slot;
    } else if (chosen[slot] < 0) {
      chosen[slot] = i;
      usable |= 1 << slot;
    }
  }
  if (unusable & ~usable) return SQLITE_CONSTRAINT;
  for (i = 0; i < 3; i++) {
    if (chosen[i] < 0) continue;
    info->aConstraintUsage[chosen[i]].argvIndex = ++argv;
    info->aConstraintUsage[chosen[i]].omit = 1;
  }
  info->idxNum = usable;
  if ((usable & HAS_INDEX) && (usable & HAS_ARGUMENT)) {
    info->estimatedCost = 1000;
    info->estimatedRows = 20;
    info->orderByConsumed = already_ordered(info);
  } else {
    /* Not an error yet: while it weighs an OR of other columns, SQLite shows one branch without the arguments. */
    info->estimatedCost = 1e99;
    info->estimatedRows = 1000000;
  }
  return SQLITE_OK;
}

static const char *type_name(int type) {
  switch (type) {
    case SQLITE_INTEGER: return "INTEGER";
    case SQLITE_FLOAT: return "REAL";
    case SQLITE_TEXT: return "TEXT";
    case SQLITE_BLOB: return "BLOB";
  }
  return "NULL";
}

static int want_integer(Table *t, const char *name, sqlite3_value *v, sqlite3_int64 *out) {
  int type = sqlite3_value_type(v);
  if (type == SQLITE_NULL) {
    return fail(t, sqlite3_mprintf("%s: %s is NULL, an INTEGER is needed (a misspelt parameter binds NULL)",
                                   t->function->name, name));
  }
  if (type != SQLITE_INTEGER) {
    return fail(t, sqlite3_mprintf("%s: %s must be an INTEGER, got %s (nothing is converted)",
                                   t->function->name, name, type_name(type)));
  }
  *out = sqlite3_value_int64(v);
  return SQLITE_OK;
}

/* Reads and checks the argument. data stays NULL for SQL's NULL only. */
static int want_argument(Table *t, sqlite3_value *v, const void **data, int *n) {
  const Function *f = t->function;
  int type = sqlite3_value_type(v);
  *data = NULL;
  *n = 0;
  if (type == SQLITE_NULL) return SQLITE_OK;
  if (type != f->type) {
    return fail(t, sqlite3_mprintf("%s: %s must be a %s, got %s (nothing is converted)",
                                   f->name, f->argument, type_name(f->type), type_name(type)));
  }
  *data = type == SQLITE_TEXT ? (const void *)sqlite3_value_text(v) : sqlite3_value_blob(v);
  *n = sqlite3_value_bytes(v);
  if (type == SQLITE_BLOB && (*n == 0 || *n % 4 != 0)) {
    return fail(t, sqlite3_mprintf("%s: vector has %d bytes, float32 values of 4 bytes are needed", f->name, *n));
  }
  return *data ? SQLITE_OK : SQLITE_NOMEM;
}

static int same_arguments(const Cursor *c, sqlite3_int64 index, const void *data, int n, sqlite3_int64 k) {
  return c->valid && c->search.index == index && c->k == k && c->null == (data == NULL) &&
         c->search.argument_bytes == n && (n == 0 || memcmp(c->argument, data, n) == 0);
}

static int keep_arguments(Cursor *c, sqlite3_int64 index, const void *data, int n, sqlite3_int64 k) {
  if (n > c->argument_cap) {
    void *p = sqlite3_realloc(c->argument, n);
    if (!p) return SQLITE_NOMEM;
    c->argument = p;
    c->argument_cap = n;
  }
  if (n > 0) memcpy(c->argument, data, n);
  c->null = data == NULL;
  c->k = k;
  c->search.index = index;
  c->search.argument = c->argument;
  c->search.argument_bytes = n;
  c->search.k = k > INT_MAX ? INT_MAX : (int)k;
  return SQLITE_OK;
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int search(Table *t, Cursor *c) {
  ragbench_search *s = &c->search;
  const char *file = sqlite3_db_filename(t->db, "main");
  int rc = SQLITE_OK;
  double begin = now_ms();
  s->vector = t->function->type == SQLITE_BLOB;
  s->file = file ? file : "";
  if (sqlite3_is_interrupted(t->db)) return SQLITE_INTERRUPT;
  ragbenchSearch(s);
  c->elapsed_ms = now_ms() - begin;
  if (sqlite3_is_interrupted(t->db)) {
    rc = SQLITE_INTERRUPT;
  } else if (s->error) {
    rc = fail(t, sqlite3_mprintf("%s: %s", t->function->name, s->error));
  }
  sqlite3_free(s->error);
  s->error = NULL;
  if (rc != SQLITE_OK) s->n = 0;
  return rc;
}

static int filter(sqlite3_vtab_cursor *base, int has, const char *unused, int argc, sqlite3_value **argv) {
  Cursor *c = (Cursor *)base;
  Table *t = (Table *)base->pVtab;
  sqlite3_int64 index = 0, k = DEFAULT_K;
  const void *data;
  int n, rc;
  (void)unused; (void)argc;
  if (!(has & HAS_INDEX) || !(has & HAS_ARGUMENT)) {
    return fail(t, sqlite3_mprintf("%s needs (index, %s [, k]), each known before the join reaches it", t->function->name, t->function->argument));
  }
  rc = want_integer(t, "index", argv[0], &index);
  if (rc == SQLITE_OK) rc = want_argument(t, argv[1], &data, &n);
  if (rc == SQLITE_OK && (has & HAS_K)) rc = want_integer(t, "k", argv[2], &k);
  if (rc == SQLITE_OK && k < 0) {
    rc = fail(t, sqlite3_mprintf("%s: k is %lld, 0 or more is needed", t->function->name, k));
  }
  if (rc != SQLITE_OK) return rc;

  c->row = 0;
  if (same_arguments(c, index, data, n, k)) return SQLITE_OK;
  c->valid = 0;
  c->search.n = 0;
  rc = keep_arguments(c, index, data, n, k);
  if (rc == SQLITE_OK && !c->null && k > 0) rc = search(t, c);
  c->valid = rc == SQLITE_OK;
  return rc;
}

static int next(sqlite3_vtab_cursor *base) {
  ((Cursor *)base)->row++;
  return SQLITE_OK;
}

static int eof(sqlite3_vtab_cursor *base) {
  Cursor *c = (Cursor *)base;
  return c->row >= c->search.n;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int i) {
  Cursor *c = (Cursor *)base;
  const ragbench_hit *hit = &c->search.hits[c->row];
  switch (i) {
    case COL_CHUNK_ID: sqlite3_result_int64(ctx, hit->chunk_id); break;
    case COL_SCORE: sqlite3_result_double(ctx, hit->score); break;
    case COL_RANK: sqlite3_result_int(ctx, c->row + 1); break;
    case COL_ELAPSED: sqlite3_result_double(ctx, c->elapsed_ms); break;
    case COL_INDEX: sqlite3_result_int64(ctx, c->search.index); break;
    case COL_K: sqlite3_result_int64(ctx, c->k); break;
    case COL_ARGUMENT:
      if (((Table *)base->pVtab)->function->type == SQLITE_BLOB) {
        sqlite3_result_blob(ctx, c->argument, c->search.argument_bytes, SQLITE_TRANSIENT);
      } else {
        sqlite3_result_text(ctx, c->argument ? c->argument : "", c->search.argument_bytes, SQLITE_TRANSIENT);
      }
      break;
  }
  return SQLITE_OK;
}

/* No xCreate: the tables exist without CREATE VIRTUAL TABLE, and cannot be created with it. No xUpdate: read-only. */
static const sqlite3_module module = {
  .iVersion = 0,
  .xConnect = connect_table,
  .xDisconnect = disconnect_table,
  .xBestIndex = best_index,
  .xOpen = open_cursor,
  .xClose = close_cursor,
  .xFilter = filter,
  .xNext = next,
  .xEof = eof,
  .xColumn = column,
};

int ragbench_search_reserve(ragbench_search *s, int n) {
  if (n > s->cap) {
    ragbench_hit *p = sqlite3_realloc64(s->hits, (sqlite3_uint64)n * sizeof *p);
    if (!p) return SQLITE_NOMEM;
    s->hits = p;
    s->cap = n;
  }
  return SQLITE_OK;
}

void ragbench_search_fail(ragbench_search *s, const char *text, int n) {
  sqlite3_free(s->error);
  s->error = sqlite3_mprintf("%.*s", n, text);
  s->n = 0;
}

static int entry(sqlite3 *db, char **error, const sqlite3_api_routines *api) {
  int rc;
  /* A misspelt name in double quotes is an error, not a string. */
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
  rc = sqlite3_create_module_v2(db, bm25.name, &module, (void *)&bm25, NULL);
  (void)error; (void)api;
  if (rc == SQLITE_OK) rc = sqlite3_create_module_v2(db, vector.name, &module, (void *)&vector, NULL);
  return rc;
}

int ragbench_register(void) {
  return sqlite3_auto_extension((void (*)(void))entry);
}
