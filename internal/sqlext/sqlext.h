/*
** What the C and the Go half of package sqlext share: one search as a record, and FTS5's tokenizers as objects that need
** no connection of the application.
*/
#ifndef RAGBENCH_SQLEXT_H
#define RAGBENCH_SQLEXT_H

#include "sqlite3.h"

typedef struct ragbench_hit ragbench_hit;
struct ragbench_hit {
  sqlite3_int64 chunk_id;
  double score;
};

/* One search: the arguments that C checked, and the hits or the error that Go leaves. The memory is C's on both sides. */
typedef struct ragbench_search ragbench_search;
struct ragbench_search {
  int vector;               /* 0: argument is UTF-8 text. 1: argument is float32 values, little endian */
  const char *file;         /* absolute name of the database "main", "" when it has none */
  sqlite3_int64 index;
  const void *argument;
  int argument_bytes;
  int k;
  ragbench_hit *hits;       /* n used of cap allocated; the next search uses the same memory */
  int n, cap;
  char *error;              /* NULL, or from sqlite3_malloc */
};

/* Exported by Go: runs the search. It never unwinds through C. */
void ragbenchSearch(ragbench_search *search);

/* Called by Go: makes room for n hits, returns an SQLite result code; stores an error of n bytes. */
int ragbench_search_reserve(ragbench_search *search, int n);
void ragbench_search_fail(ragbench_search *search, const char *text, int n);

/* Registers bm25_search and vector_search on every connection that is opened from now on. Returns a result code. */
int ragbench_register(void);

/* A private connection whose only use is its table of tokenizers. */
typedef struct ragbench_fts5 ragbench_fts5;
struct ragbench_fts5 {
  sqlite3 *db;
  fts5_api *api;
};

/* Byte offsets of one token in the text, and the length of its term. */
typedef struct ragbench_span ragbench_span;
struct ragbench_span {
  int length, start, end;
};

/* One tokenizer instance with the output of its last run: terms end to end, one span each. Not thread-safe. */
typedef struct ragbench_tokenizer ragbench_tokenizer;
struct ragbench_tokenizer {
  fts5_tokenizer methods;
  Fts5Tokenizer *instance;
  char *terms;
  sqlite3_int64 terms_n, terms_cap;
  ragbench_span *spans;
  sqlite3_int64 spans_n, spans_cap;
};

/* All return an SQLite result code. *error is NULL or from sqlite3_malloc. words: n strings, each ended by a NUL. */
int ragbench_fts5_open(ragbench_fts5 *fts5, char **error);
void ragbench_fts5_close(ragbench_fts5 *fts5);
int ragbench_tokenizer_new(ragbench_fts5 *fts5, const char *words, int n, ragbench_tokenizer **out, char **error);
int ragbench_tokenizer_run(ragbench_tokenizer *t, int flags, const char *text, int n);
void ragbench_tokenizer_trim(ragbench_tokenizer *t, sqlite3_int64 bytes);
void ragbench_tokenizer_free(ragbench_tokenizer *t);

#endif
