package index

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// TestStockShell queries, checks and rebuilds the FTS5 table with the sqlite3 program, which knows nothing of ragbench.
func TestStockShell(t *testing.T) {
	shell, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("the program sqlite3 is not here")
	}
	db := openStore(t)
	set := openSet(t, db)
	indexID := addIndex(t, db, scripts)
	analysisID, lexical := buildLexical(t, db, indexID, Analysis{Tokenizer: "porter", StopWords: "english"})
	var want strings.Builder
	for _, h := range mustSearch(t, set, lexical["fts5"], "the boilers and crew of the ferry") {
		fmt.Fprintf(&want, "%d|%.9f\n", h.ChunkID, h.Score)
	}
	search := fmt.Sprintf(`SELECT rowid, printf('%%.9f', -bm25(fts_%d)) FROM fts_%[1]d
		WHERE fts_%[1]d MATCH '"boilers" OR "crew" OR "ferry"' ORDER BY bm25(fts_%[1]d), rowid;`, analysisID)
	rebuild := fmt.Sprintf(`INSERT INTO fts_%d (fts_%[1]d) VALUES ('rebuild'); INSERT INTO fts_%[1]d (fts_%[1]d, rank) VALUES ('integrity-check', 1);`, analysisID)
	for name, statements := range map[string]string{"as built": search, "rebuilt": rebuild + search} {
		got, err := exec.Command(shell, db.Path(), statements).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", name, err, got)
		}
		if string(got) != want.String() {
			t.Errorf("%s: got\n%swant\n%s", name, got, want.String())
		}
	}
}
