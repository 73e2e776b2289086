package trec

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"ragbench/internal/rag"
	"ragbench/internal/sqlfile"
)

//go:embed trec.sql
var files embed.FS

var statements = sqlfile.MustLoad(files, "trec.sql",
	"dataset_exists", "run_dataset", "label_taken", "add_run", "system_taken", "add_system", "add_answers", "answers",
	"questions", "documents", "add_hit", "find_system", "ranking", "judgments")

// SystemType is systems.type of an imported ranking. Views leave tokens and latency of such a system blank.
const SystemType = "trec_run"

// Target says where an imported ranking goes: into the run RunID, or with RunID 0 into a new run of mode import.
type Target struct {
	DatasetID   int64
	RunID       int64
	System      string    // name of the system within the run; empty means the file's run tag
	RunName     string    // of a new run; empty means the system's name
	KValues     []int     // cut-offs of a new run; empty means 1, 3, 5, 10
	PrimaryK    int       // of a new run; 0 means 5 when it is among KValues, else the middle one
	CodeVersion string    // of a new run
	Now         time.Time // start and end of a new run
}

// Report says what an import wrote. Warnings are kept in the configuration of the system, too.
type Report struct {
	RunID    int64
	SystemID int64
	Queries  int // rankings written
	Hits     int
	Warnings []rag.Warning
}

// Import writes the ranking as a system with one answer a question of the dataset and its documents as leg final.
// Questions that the file lacks have an empty ranking. Queries and documents unknown to the dataset are warnings; that no
// query is known, a name that is taken and a run over another dataset are errors. Scores are not computed.
func Import(ctx context.Context, tx *sql.Tx, run *Run, to Target) (Report, error) {
	if to.System == "" {
		to.System = run.Tag
	}
	rep, err := doImport(ctx, tx, run, to)
	if err != nil {
		return Report{}, fmt.Errorf("import %s: %w", run.Name, err)
	}
	return rep, nil
}

func doImport(ctx context.Context, tx *sql.Tx, run *Run, to Target) (rep Report, err error) {
	if rep.RunID, err = ensureRun(ctx, tx, run, to); err != nil {
		return rep, err
	}
	var taken int
	if err := one(ctx, tx, "system_taken", &taken, sql.Named("run_id", rep.RunID), sql.Named("name", to.System)); err != nil {
		return rep, err
	}
	if taken > 0 {
		return rep, fmt.Errorf("run %d has a system %q already", rep.RunID, to.System)
	}
	questions, err := column(ctx, tx, "questions", sql.Named("dataset_id", to.DatasetID))
	if err != nil {
		return rep, err
	}
	documents, err := column(ctx, tx, "documents", sql.Named("dataset_id", to.DatasetID))
	if err != nil {
		return rep, err
	}
	for _, q := range run.Queries {
		if questions[q.QueryID] {
			rep.Queries++
		}
	}
	if rep.Queries == 0 {
		return rep, fmt.Errorf("none of its %d queries, such as %q, is a question of dataset %d",
			len(run.Queries), run.Queries[0].QueryID, to.DatasetID)
	}
	rep.Warnings = warnings(run, questions, documents)
	if rep.SystemID, err = addSystem(ctx, tx, run, to, rep); err != nil {
		return rep, err
	}
	rep.Hits, err = addHits(ctx, tx, run, to, rep.SystemID)
	return rep, err
}

// addSystem adds the row of the system. Its configuration names the file, the tag and what there is to know.
func addSystem(ctx context.Context, tx *sql.Tx, run *Run, to Target, rep Report) (int64, error) {
	type warning struct {
		Code    string `json:"code"`
		Subject string `json:"subject"`
		Message string `json:"message"`
	}
	ws := make([]warning, len(rep.Warnings))
	for i, w := range rep.Warnings {
		ws[i] = warning(w)
	}
	config, err := json.Marshal(map[string]any{"file": filepath.Base(run.Name), "tag": run.Tag, "warnings": ws})
	if err != nil {
		return 0, err
	}
	var id int64
	err = one(ctx, tx, "add_system", &id, sql.Named("run_id", rep.RunID), sql.Named("name", to.System),
		sql.Named("config", string(config)), sql.Named("config_sha256", hash(string(config))))
	return id, err
}

// addHits adds one answer a question and the hits of the queries that are questions.
func addHits(ctx context.Context, tx *sql.Tx, run *Run, to Target, systemID int64) (int, error) {
	system := sql.Named("system_id", systemID)
	if _, err := tx.ExecContext(ctx, statements.SQL("add_answers"), system, sql.Named("dataset_id", to.DatasetID)); err != nil {
		return 0, fmt.Errorf("add answers: %w", err)
	}
	answers, err := answerIDs(ctx, tx, systemID)
	if err != nil {
		return 0, err
	}
	add, err := tx.PrepareContext(ctx, statements.SQL("add_hit"))
	if err != nil {
		return 0, fmt.Errorf("add hits: %w", err)
	}
	defer add.Close()
	n := 0
	for _, q := range run.Queries {
		answer, ok := answers[q.QueryID]
		if !ok {
			continue
		}
		for i, d := range q.Docs {
			_, err := add.ExecContext(ctx, sql.Named("answer_id", answer), sql.Named("rank", i+1),
				sql.Named("doc_id", d.ID), sql.Named("score", d.Score))
			if err != nil {
				return 0, fmt.Errorf("add hit of line %d: %w", d.Line, err)
			}
			n++
		}
	}
	return n, nil
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
