package report

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// runInfo is the run and its dataset.
type runInfo struct {
	ID                               int64
	Name, Label, Mode, Status        string
	Seed                             int64
	KValues                          []int
	PrimaryK, DeepestK               int
	Depth, ContextK                  int
	Gain, Version, Started, Finished string
	Config, ConfigSHA                string
	Dataset, Source, SHA, CorpusSHA  string
	Documents, NumQuestions          int64
	Unanswerable                     int64
}

// Mock tells whether the models were simulated.
func (r runInfo) Mock() bool { return r.Mode == "mock" }

// Primary is the metric systems are compared by: recall at the primary k.
func (r runInfo) Primary() string { return fmt.Sprintf("recall@%d", r.PrimaryK) }

// NDCG is the metric of the run's gain at its deepest k, as scores name it.
func (r runInfo) NDCG() string {
	if r.Gain == "exponential" {
		return fmt.Sprintf("ndcg_exp@%d", r.DeepestK)
	}
	return fmt.Sprintf("ndcg@%d", r.DeepestK)
}

// When is the start of the run for people, in UTC, and how long it took where that is known.
func (r runInfo) When() string {
	start, err := time.Parse(time.RFC3339, r.Started)
	if err != nil {
		return r.Started
	}
	s := start.UTC().Format("2 January 2006, 15:04 UTC")
	if end, err := time.Parse(time.RFC3339, r.Finished); err == nil {
		took := end.Sub(start).Round(time.Second)
		if took < time.Second {
			return s + ", took under 1 s"
		}
		return s + ", took " + took.String()
	}
	return s
}

// Ks lists the cut-offs.
func (r runInfo) Ks() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(r.KValues), " ", ", "), "[]")
}

func readRun(ctx context.Context, r reader) (runInfo, error) {
	var i runInfo
	var ks string
	var finished sql.NullString
	err := r.one(ctx, "run", nil, &i.ID, &i.Name, &i.Label, &i.Mode, &i.Status, &i.Seed, &ks, &i.PrimaryK, &i.DeepestK, &i.Depth,
		&i.ContextK, &i.Gain, &i.Version, &i.Started, &finished, &i.Config, &i.ConfigSHA, &i.Dataset, &i.Source, &i.SHA,
		&i.CorpusSHA, &i.Documents, &i.NumQuestions, &i.Unanswerable)
	if err != nil {
		return i, err
	}
	i.Finished = finished.String
	for _, s := range []*string{&i.Name, &i.Label, &i.Dataset, &i.Source, &i.Version} {
		*s = shown(*s)
	}
	if err := json.Unmarshal([]byte(ks), &i.KValues); err != nil {
		return i, fmt.Errorf("read k_values: %w", err)
	}
	return i, nil
}

// systemInfo is one system of the run. Color is its place in the palette, which all charts share.
type systemInfo struct {
	ID                int64
	Name, Type        string
	Config, ConfigSHA string
	SQL               string
	Ingest            *ingestion
	Color             int
}

// ingestion is what was made for a system before it could answer.
type ingestion struct {
	Chunks, Vectors, EmbeddingTokens, LLMTokens int64
	Built, Reused, Warnings                     []string
	WallMS                                      float64
	Cost                                        *float64
}

// Shade is the colour of the system in the charts.
func (s systemInfo) Shade() int { return s.Color % palette }

// Imported tells whether the system is a ranking that another program made.
func (s systemInfo) Imported() bool { return s.Type == "trec_run" }

func readSystems(ctx context.Context, r reader) ([]systemInfo, error) {
	var list []systemInfo
	err := r.rows(ctx, "systems", nil, func(rows *sql.Rows) error {
		s := systemInfo{Color: len(list)}
		var chunks, vectors, embedding, llm *int64
		var built, reused, warnings *string
		var wall *float64
		var in ingestion
		if err := rows.Scan(&s.ID, &s.Name, &s.Type, &s.Config, &s.ConfigSHA, &s.SQL, &chunks, &vectors, &built, &reused, &wall,
			&embedding, &llm, &in.Cost, &warnings); err != nil {
			return err
		}
		if chunks != nil {
			in.Chunks, in.Vectors, in.WallMS, in.EmbeddingTokens, in.LLMTokens = *chunks, *vectors, *wall, *embedding, *llm
			if err := errors.Join(json.Unmarshal([]byte(*built), &in.Built), json.Unmarshal([]byte(*reused), &in.Reused),
				json.Unmarshal([]byte(*warnings), &in.Warnings)); err != nil {
				return err
			}
			s.Ingest = &in
		}
		s.Name, s.Type = shown(s.Name), shown(s.Type)
		list = append(list, s)
		return nil
	})
	return list, err
}

// notice is one count of the trust line. Level is ok, info or warn.
type notice struct {
	Level, Text string
}

// warning is one remark of ingestion on the input.
type warning struct {
	Code, Subject, Message string
}

// readTrust reads how far the numbers can be trusted.
func (p *page) readTrust(ctx context.Context, r reader) error {
	var missing, errs, truncated, unpricedAnswers, unpriced, unjudged, failed, fallbacks, unlabelled, warnings, imports, judged int64
	if err := r.one(ctx, "trust", nil, &missing, &errs, &truncated, &unpricedAnswers, &unpriced, &unjudged, &failed, &fallbacks,
		&unlabelled, &warnings, &imports, &judged); err != nil {
		return err
	}
	add := func(level string, n int64, one, many string) {
		if n == 0 {
			level = "ok"
		}
		p.Trust = append(p.Trust, notice{level, plural(n, one, many)})
	}
	add("warn", errs, "error", "errors")
	add("warn", missing, "missing cell", "missing cells")
	add("warn", truncated, "truncated answer", "truncated answers")
	add("warn", unpriced, "unpriced call", "unpriced calls")
	if unpriced == 0 && unpricedAnswers > 0 {
		add("warn", unpricedAnswers, "answer of unknown cost", "answers of unknown cost")
	}
	add("info", unlabelled, "unlabelled question", "unlabelled questions")
	add("info", warnings, "dataset warning", "dataset warnings")
	if imports > 0 {
		add("info", imports, "import warning", "import warnings")
	}
	if judged == 0 {
		p.Trust = append(p.Trust, notice{"info", "no judge has read the answers"})
	} else {
		add("info", unjudged, "unjudged answer", "unjudged answers")
		add("warn", failed, "failed judgment", "failed judgments")
		add("warn", fallbacks, "judge fallback", "judge fallbacks")
	}
	if p.Run.Status != "done" {
		p.Trust = append([]notice{{"warn", "the run is " + statusText(p.Run.Status)}}, p.Trust...)
	}
	return r.rows(ctx, "warnings", nil, func(rows *sql.Rows) error {
		var w warning
		err := rows.Scan(&w.Code, &w.Subject, &w.Message)
		w.Subject, w.Message = shown(clip(w.Subject, previewChars)), shown(clip(w.Message, previewChars))
		p.Warnings = append(p.Warnings, w)
		return err
	})
}

// statusText says what a status means for the numbers.
func statusText(status string) string {
	switch status {
	case "running":
		return "not finished: the numbers are of the answers so far"
	case "stopped":
		return "stopped: the numbers are of the answers so far"
	default:
		return status
	}
}
