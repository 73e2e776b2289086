package report

import (
	"context"
	"database/sql"
	"regexp"
	"slices"
	"strings"
)

// stageOrder is the order of work, and of the parts of a bar.
var stageOrder = []string{"route", "embed", "retrieve", "tool", "rerank", "grade", "llm", "generate", "external", "untracked"}

// stageChart is one measure of the stages as stacked bars, all on one scale.
type stageChart struct {
	Title, Unit, Scale string
	Legend             []string
	Bars               []stageBar
}

// stageBar is one system.
type stageBar struct {
	Name, Total string
	Parts       []stagePart
}

// stagePart is one stage of a bar; Width is in percent of the longest bar.
type stagePart struct {
	Stage, Text string
	Width       float64
	Wide        bool // there is room for its name
}

// stageRow is a line of the table behind the bars.
type stageRow struct {
	System, Stage         string
	Steps                 int64
	Time, Tokens, Dollars string
	ms                    float64
	cost                  sql.NullFloat64
}

// ingested is what was made for a system, as text.
type ingested struct {
	Name, Chunks, Vectors, Tokens, Time, Cost, Built string
}

// readStages fills time and cost by stage, a question, and what ingestion made.
func (p *page) readStages(ctx context.Context, r reader, systems []systemInfo) error {
	rows := map[int64][]stageRow{}
	err := r.rows(ctx, "stages", nil, func(in *sql.Rows) error {
		var id, answers, embedding, prompt, completion int64
		var ms sql.NullFloat64
		var row stageRow
		if err := in.Scan(&id, &row.Stage, &row.Steps, &answers, &ms, &embedding, &prompt, &completion, &row.cost); err != nil {
			return err
		}
		row.Stage = strings.TrimPrefix(row.Stage, "stage_")
		n := float64(max(1, p.measures[id].ok))
		row.ms, row.cost.Float64 = ms.Float64/n, row.cost.Float64/n
		row.Time = duration(row.ms)
		if row.Stage == "untracked" && row.ms < 0 {
			row.Time = "−" + duration(-row.ms) // steps that ran side by side
		}
		row.Tokens = tokensText(float64(prompt+completion)/n, float64(embedding)/n)
		if row.Dollars = "unknown"; row.cost.Valid {
			row.Dollars = dollars(row.cost.Float64)
		}
		rows[id] = append(rows[id], row)
		return nil
	})
	if err != nil {
		return err
	}
	for _, s := range systems {
		slices.SortStableFunc(rows[s.ID], func(a, b stageRow) int {
			return slices.Index(stageOrder, a.Stage) - slices.Index(stageOrder, b.Stage)
		})
		for _, row := range rows[s.ID] {
			row.System = s.Name
			p.StageRows = append(p.StageRows, row)
		}
		if in := s.Ingest; in != nil {
			line := ingested{Name: s.Name, Chunks: count(in.Chunks), Vectors: count(in.Vectors), Time: duration(in.WallMS),
				Tokens: tokensText(float64(in.LLMTokens), float64(in.EmbeddingTokens)), Cost: "unknown", Built: shown(clip(builtText(in), previewChars))}
			if in.Cost != nil {
				line.Cost = dollars(*in.Cost)
			}
			p.Ingested = append(p.Ingested, line)
		}
	}
	p.addStageChart("Time by stage", "per question", systems, rows, func(r stageRow) float64 { return r.ms }, duration)
	p.addStageChart("Cost by stage", "per question", systems, rows, func(r stageRow) float64 { return r.cost.Float64 }, dollars)
	return nil
}

// addStageChart adds bars of one measure when any of it is above 0.
func (p *page) addStageChart(title, unit string, systems []systemInfo, rows map[int64][]stageRow, value func(stageRow) float64, format func(float64) string) {
	longest := 0.0
	totals := map[int64]float64{}
	for id, list := range rows {
		for _, r := range list {
			totals[id] += max(0, value(r))
		}
		longest = max(longest, totals[id])
	}
	if longest == 0 {
		return
	}
	c := stageChart{Title: title, Unit: unit, Scale: format(longest)}
	used := map[string]bool{}
	for _, s := range systems {
		if len(rows[s.ID]) == 0 {
			continue
		}
		b := stageBar{Name: s.Name, Total: format(totals[s.ID])}
		for _, r := range rows[s.ID] {
			v := value(r)
			if v/longest < 0.0005 {
				continue
			}
			used[r.Stage] = true
			b.Parts = append(b.Parts, stagePart{Stage: r.Stage, Text: format(v), Width: round2(100 * v / longest), Wide: v/longest > 0.16})
		}
		c.Bars = append(c.Bars, b)
	}
	for _, s := range stageOrder {
		if used[s] {
			c.Legend = append(c.Legend, s)
		}
	}
	p.Stages = append(p.Stages, c)
}

func tokensText(llm, embedding float64) string {
	var parts []string
	if llm > 0 {
		parts = append(parts, count(int64(llm+0.5))+" LLM")
	}
	if embedding > 0 {
		parts = append(parts, count(int64(embedding+0.5))+" embedding")
	}
	if len(parts) == 0 {
		return "0"
	}
	return strings.Join(parts, ", ")
}

// digest is a SHA-256 in hexadecimal; twelve digits of it are enough to tell indexes apart.
var digest = regexp.MustCompile(`\b([0-9a-f]{12})[0-9a-f]{52}\b`)

// builtText says what was made and what was there.
func builtText(in *ingestion) string {
	var parts []string
	if len(in.Built) > 0 {
		parts = append(parts, "built "+strings.Join(in.Built, ", "))
	}
	if len(in.Reused) > 0 {
		parts = append(parts, "shared "+strings.Join(in.Reused, ", "))
	}
	if len(in.Warnings) > 0 {
		parts = append(parts, "warned: "+strings.Join(in.Warnings, ", "))
	}
	return digest.ReplaceAllString(strings.Join(parts, "; "), "$1…")
}

func round2(v float64) float64 { return float64(int64(v*100+0.5)) / 100 }
