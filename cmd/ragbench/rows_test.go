package main

import (
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3" // registers the driver sqlite3

	"ragbench/internal/score/scoretest"
)

// Two files hold the same when every row of every table is the same by natural keys: ids of rows are replaced by what they
// stand for, times are left out. A table or column that is added is compared, too, without being named here.

// stands says what the id of a row stands for, by the name of the column; %s is the column.
var stands = map[string]string{
	"document_id":   "(SELECT k.doc_id || ' ' || k.sha256 FROM documents AS k WHERE k.document_id = %s)",
	"dataset_id":    "(SELECT k.name || ' ' || k.sha256 FROM datasets AS k WHERE k.dataset_id = %s)",
	"question_id":   "(SELECT k.qid FROM questions AS k WHERE k.question_id = %s)",
	"index_id":      "(SELECT k.key FROM indexes AS k WHERE k.index_id = %s)",
	"chunk_id":      "(SELECT i.key || ' ' || k.key FROM chunks AS k JOIN indexes AS i USING (index_id) WHERE k.chunk_id = %s)",
	"analysis_id":   "(SELECT i.key || ' ' || k.tokenizer || k.bigrams || k.stop_words FROM lexical_analyses AS k JOIN indexes AS i USING (index_id) WHERE k.analysis_id = %s)",
	"lexical_id":    "(SELECT k.formula || ' ' || k.k1 || ' ' || k.b FROM lexical_indexes AS k WHERE k.lexical_id = %s)",
	"embedder_id":   "(SELECT k.provider || ':' || k.model || ' ' || k.revision || k.dims || k.prefix || k.query_prefix FROM embedders AS k WHERE k.embedder_id = %s)",
	"vector_id":     "'vectors'",
	"community_id":  "(SELECT k.level || ' ' || k.title FROM graph_communities AS k WHERE k.community_id = %s)",
	"entity_id":     "(SELECT k.name FROM graph_entities AS k WHERE k.entity_id = %s)",
	"relation_id":   "'relation'",
	"price_id":      "(SELECT k.model || ' ' || k.as_of || ' ' || k.source FROM prices AS k WHERE k.price_id = %s)",
	"prompt_id":     "(SELECT hex(k.sha256) FROM prompts AS k WHERE k.prompt_id = %s)",
	"call_id":       "(SELECT hex(k.key) || ' ' || k.status FROM model_calls AS k WHERE k.call_id = %s)",
	"run_id":        "(SELECT k.name FROM runs AS k WHERE k.run_id = %s)",
	"system_id":     "(SELECT k.name FROM systems AS k WHERE k.system_id = %s)",
	"answer_id":     "(SELECT s.name || ' ' || q.qid || ' ' || k.repeat FROM answers AS k JOIN systems AS s USING (system_id) JOIN questions AS q USING (question_id) WHERE k.answer_id = %s)",
	"decision_id":   "'decision'",
	"judgment_id":   "'judgment'",
	"parent_id":     "chunk_id",
	"from_chunk_id": "chunk_id",
	"to_chunk_id":   "chunk_id",
	"source_id":     "entity_id",
	"target_id":     "entity_id",
	"baseline_id":   "system_id",
	"winner_id":     "system_id",
	"closest_id":    "system_id",
	"doc_id":        "%s", // natural already
}

// unlike are columns that may differ between two ways to the same result, beside those that end in _ms or _at.
var unlike = map[string]bool{
	"runs.label":         true, // holds the time of the start
	"ingestions.built":   true, // what an interrupted run had built, the next one reuses
	"ingestions.reused":  true,
	"vector_slots.block": true, // where a vector lies; the view embeddings is compared
	"vector_slots.slot":  true,
	"lexical_rows.data":  true, // holds ids of chunks; compared after decoding
	"step_calls.cached":  true, // which of two systems asks the same first
}

// contents returns the rows of each table of a file, as sorted lines.
func contents(t *testing.T, path string) map[string][]string {
	t.Helper()
	db := open(t, path)
	all := map[string][]string{}
	_, tables := scoretest.Dump(t, db, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT GLOB 'fts_[0-9]*' ORDER BY name")
	for _, row := range tables {
		if table := row[0]; table != "vector_blocks" {
			all[table] = lines(t, db, selectRows(t, db, table))
		}
	}
	all["embeddings"] = lines(t, db, "SELECT "+fmt.Sprintf(stands["embedder_id"], "t.embedder_id")+", hex(text_sha256), hex(vector) FROM embeddings AS t")
	all["rows of lexical_rows"] = lexicalRows(t, db)
	for _, table := range []string{"chunks", "postings", "vector_slots", "embeddings", "rows of lexical_rows", "answers", "hits", "steps", "step_calls", "model_calls", "call_parts", "scores"} {
		if len(all[table]) == 0 {
			t.Errorf("%s: no rows, so that a comparison would hold for any file", table)
		}
	}
	return all
}

// open opens a file for reading, without the program's own settings.
func open(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// selectRows returns the statement that reads a table by natural keys.
func selectRows(t *testing.T, db *sql.DB, table string) string {
	t.Helper()
	var list []string
	_, columns := scoretest.Dump(t, db, "SELECT name, type FROM pragma_table_info(?) ORDER BY cid", table)
	for _, c := range columns {
		name, column := c[0], "t."+c[0]
		switch {
		case unlike[table+"."+name], strings.HasSuffix(name, "_ms"), strings.HasSuffix(name, "_at"):
		case strings.HasSuffix(name, "_id"):
			expr, ok := stands[name]
			if !ok {
				t.Fatalf("%s.%s: say in stands what the id stands for", table, name)
			}
			if other, ok := stands[expr]; ok {
				expr = other
			}
			list = append(list, strings.ReplaceAll(expr, "%s", column))
		case c[1] == "BLOB":
			list = append(list, "hex("+column+")")
		default:
			list = append(list, column)
		}
	}
	return "SELECT " + strings.Join(list, ", ") + " FROM " + table + " AS t"
}

// lines returns the rows of a statement as sorted lines.
func lines(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	_, rows := scoretest.Dump(t, db, query)
	list := make([]string, len(rows))
	for i, row := range rows {
		list[i] = strings.Join(row, " | ")
	}
	slices.Sort(list)
	return list
}

// lexicalRows returns each chunk of each analysis with its length in tokens.
func lexicalRows(t *testing.T, db *sql.DB) []string {
	t.Helper()
	_, keys := scoretest.Dump(t, db, "SELECT chunk_id, key FROM chunks")
	key := map[string]string{}
	for _, k := range keys {
		key[k[0]] = k[1]
	}
	_, blocks := scoretest.Dump(t, db, "SELECT "+fmt.Sprintf(stands["analysis_id"], "t.analysis_id")+", num_rows, hex(data) FROM lexical_rows AS t ORDER BY analysis_id, first_row")
	var list []string
	for _, b := range blocks {
		data, err := hex.DecodeString(b[2])
		if err != nil {
			t.Fatal(err)
		}
		var n, id int
		fmt.Sscan(b[1], &n)
		names := make([]string, n)
		next := func() int {
			v, used := binary.Uvarint(data)
			if used <= 0 {
				t.Fatalf("lexical rows of %s end early", b[0])
			}
			data = data[used:]
			return int(v)
		}
		for i := range names {
			id += next()
			names[i] = key[fmt.Sprint(id)]
		}
		for _, name := range names {
			list = append(list, fmt.Sprintf("%s | %s | %d", b[0], name, next()))
		}
	}
	slices.Sort(list)
	return list
}

// same fails the test where two files differ, and shows the first rows of each table that do.
func same(t *testing.T, want, got map[string][]string) {
	t.Helper()
	for table, rows := range want {
		if slices.Equal(rows, got[table]) {
			continue
		}
		t.Errorf("%s: got %d rows, want %d", table, len(got[table]), len(rows))
		shown := 0
		for i, j := 0, 0; (i < len(rows) || j < len(got[table])) && shown < 4; {
			switch {
			case j == len(got[table]) || i < len(rows) && rows[i] < got[table][j]:
				t.Errorf("  missing: %.400s", rows[i])
				i, shown = i+1, shown+1
			case i == len(rows) || got[table][j] < rows[i]:
				t.Errorf("  too much: %.400s", got[table][j])
				j, shown = j+1, shown+1
			default:
				i, j = i+1, j+1
			}
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d tables, want %d", len(got), len(want))
	}
}
