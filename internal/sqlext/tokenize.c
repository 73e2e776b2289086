/* FTS5's tokenizers, reached through the pointer that SELECT fts5(?) fills on a private in-memory connection. */
#include "sqlext.h"
#include <string.h>

enum { MAX_TOKEN_BYTES = 32768 };   /* FTS5_MAX_TOKEN_SIZE: FTS5 cuts what its tokenizers return */

int ragbench_fts5_open(ragbench_fts5 *f, char **error) {
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_open_v2(":memory:", &f->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY, NULL);
  f->api = NULL;
  if (rc == SQLITE_OK) rc = sqlite3_prepare_v2(f->db, "SELECT fts5(?1)", -1, &stmt, NULL);
  if (rc == SQLITE_OK) rc = sqlite3_bind_pointer(stmt, 1, &f->api, "fts5_api_ptr", NULL);
  if (rc == SQLITE_OK && sqlite3_step(stmt) != SQLITE_ROW) rc = sqlite3_errcode(f->db);
  if (rc == SQLITE_OK && !f->api) rc = SQLITE_ERROR;
  sqlite3_finalize(stmt);
  if (rc != SQLITE_OK) {
    *error = sqlite3_mprintf("%s", f->db ? sqlite3_errmsg(f->db) : sqlite3_errstr(rc));
    ragbench_fts5_close(f);
  }
  return rc;
}

void ragbench_fts5_close(ragbench_fts5 *f) {
  sqlite3_close_v2(f->db);
  f->db = NULL;
  f->api = NULL;
}

int ragbench_tokenizer_new(ragbench_fts5 *f, const char *words, int n, ragbench_tokenizer **out, char **error) {
  const char **argv = sqlite3_malloc64((n + 1) * sizeof *argv);
  ragbench_tokenizer *t = sqlite3_malloc(sizeof *t);
  void *data = NULL;
  const char *p = words;
  int i, rc = SQLITE_NOMEM;
  if (argv && t) {
    memset(t, 0, sizeof *t);
    for (i = 0; i < n; i++) {
      argv[i] = p;
      p += strlen(p) + 1;
    }
    rc = f->api->xFindTokenizer(f->api, argv[0], &data, &t->methods);
    if (rc != SQLITE_OK) {
      *error = sqlite3_mprintf("no such tokenizer: %s", argv[0]);
    } else {
      rc = t->methods.xCreate(data, argv + 1, n - 1, &t->instance);
      if (rc != SQLITE_OK) {
        t->instance = NULL;
        *error = sqlite3_mprintf("%s does not accept these options", argv[0]);
      }
    }
  }
  sqlite3_free(argv);
  if (rc != SQLITE_OK) {
    sqlite3_free(t);
    t = NULL;
  }
  *out = t;
  return rc;
}

/* Makes *p hold at least need items of the given size, growing by half. */
static int grow(void **p, sqlite3_int64 *cap, sqlite3_int64 need, sqlite3_int64 size) {
  sqlite3_int64 to = *cap + *cap / 2;
  void *q;
  if (need <= *cap) return SQLITE_OK;
  if (to < need) to = need;
  if (to < 256) to = 256;
  q = sqlite3_realloc64(*p, (sqlite3_uint64)(to * size));
  if (!q) return SQLITE_NOMEM;
  *p = q;
  *cap = to;
  return SQLITE_OK;
}

static int append(void *ctx, int flags, const char *term, int n, int start, int end) {
  ragbench_tokenizer *t = ctx;
  ragbench_span *s;
  (void)flags;
  if (n > MAX_TOKEN_BYTES) n = MAX_TOKEN_BYTES;
  if (grow((void **)&t->terms, &t->terms_cap, t->terms_n + n, 1)) return SQLITE_NOMEM;
  if (grow((void **)&t->spans, &t->spans_cap, t->spans_n + 1, sizeof *t->spans)) return SQLITE_NOMEM;
  memcpy(t->terms + t->terms_n, term, n);
  t->terms_n += n;
  s = &t->spans[t->spans_n++];
  s->length = n;
  s->start = start;
  s->end = end;
  return SQLITE_OK;
}

int ragbench_tokenizer_run(ragbench_tokenizer *t, int flags, const char *text, int n) {
  t->terms_n = 0;
  t->spans_n = 0;
  return t->methods.xTokenize(t->instance, t, flags, text, n, append);
}

void ragbench_tokenizer_trim(ragbench_tokenizer *t, sqlite3_int64 bytes) {
  if (t->terms_cap + t->spans_cap * (sqlite3_int64)sizeof *t->spans <= bytes) return;
  sqlite3_free(t->terms);
  sqlite3_free(t->spans);
  t->terms = NULL;
  t->spans = NULL;
  t->terms_n = t->terms_cap = t->spans_n = t->spans_cap = 0;
}

void ragbench_tokenizer_free(ragbench_tokenizer *t) {
  if (t->instance) t->methods.xDelete(t->instance);
  sqlite3_free(t->terms);
  sqlite3_free(t->spans);
  sqlite3_free(t);
}
