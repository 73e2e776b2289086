package report

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
)

// defaultMaxBytes is how much data of questions a page embeds.
const defaultMaxBytes = 4 << 20

// explorer is the data of the questions as the script reads it, and what was left out of it.
type explorer struct {
	JSON     template.JS
	Listed   int
	Detailed int
	Total    int64
	LeftOut  string
	Depth    int
}

// explorerData is the JSON of the page. Details[i] belongs to Questions[i]; it is shorter where the page would grow too
// large. Texts holds each document id, passage and text of a
// step once.
type explorerData struct {
	K         int               `json:"k"`
	Systems   []string          `json:"systems"`
	Questions []questionRow     `json:"questions"`
	Details   []json.RawMessage `json:"details"`
	Texts     []string          `json:"texts"`
}

// questionRow is a question in the list. Recall has a value or null a system; Errors and Refused list systems by place.
type questionRow struct {
	ID         string     `json:"id"`
	Text       string     `json:"text"`
	Category   string     `json:"category,omitempty"`
	Difficulty string     `json:"difficulty,omitempty"`
	Answerable bool       `json:"answerable"`
	Relevant   int64      `json:"relevant"`
	Recall     []*float64 `json:"recall"`
	Errors     []int      `json:"errors,omitempty"`
	Refused    []int      `json:"refused,omitempty"`

	rowID     int64
	reference string
}

// questionDetail is what an opened row shows.
type questionDetail struct {
	Reference string         `json:"reference,omitempty"`
	Labels    []labelDetail  `json:"labels,omitempty"`
	Answers   []answerDetail `json:"answers"`
}

type labelDetail struct {
	Doc      string `json:"doc"`
	Grade    int64  `json:"grade"`
	Relevant bool   `json:"relevant,omitempty"`
}

// answerDetail is one answer. First is the place of the first relevant document in the whole stored ranking, of Ranked
// hits; Context counts the hits the generator read.
type answerDetail struct {
	System  int          `json:"system"`
	Repeat  int64        `json:"repeat,omitempty"`
	Error   string       `json:"error,omitempty"`
	Text    string       `json:"text,omitempty"`
	Refuse  bool         `json:"refused,omitempty"`
	Finish  string       `json:"finish,omitempty"`
	MS      *float64     `json:"ms,omitempty"`
	NDCG    *float64     `json:"ndcg,omitempty"`
	Ranked  int64        `json:"ranked"`
	First   *int64       `json:"first,omitempty"`
	Context int64        `json:"context"`
	Hits    []hitDetail  `json:"hits,omitempty"`
	Steps   []stepDetail `json:"steps,omitempty"`
	id      int64
}

// hitDetail is one place of the ranking: rank, document (a place in Texts), score, grade or null where the document is
// not judged, flags (1 in context, 2 relevant, 4 the document stands further up), passage (a place in Texts). There are
// many, so they go without names.
type hitDetail [6]any

// stepDetail is one step of the trace; Input and Output are places in Texts.
type stepDetail struct {
	Step   string   `json:"step"`
	Start  float64  `json:"start"`
	MS     float64  `json:"ms"`
	Tokens int64    `json:"tokens,omitempty"`
	Cost   *float64 `json:"cost"`
	Input  int      `json:"input"`
	Output int      `json:"output"`
	Error  string   `json:"error,omitempty"`
}

// readExplorer gathers the questions in the order of the dataset: the list first, which may take half of the room, then
// details for as many as fit.
func readExplorer(ctx context.Context, r reader, run runInfo, systems []systemInfo, o Options) (explorer, error) {
	budget := o.MaxBytes
	if budget <= 0 {
		budget = defaultMaxBytes
	}
	e := explorer{Total: run.NumQuestions, Depth: min(max(run.DeepestK, 5), 10)}
	place := map[int64]int{}
	data := explorerData{K: run.PrimaryK, Questions: []questionRow{}, Details: []json.RawMessage{}, Texts: []string{}}
	for i, s := range systems {
		data.Systems = append(data.Systems, s.Name)
		place[s.ID] = i
	}
	rows, err := readQuestions(ctx, r, run, place, o.MaxQuestions)
	if err != nil {
		return e, err
	}
	size := 0
	for _, row := range rows {
		b, err := json.Marshal(row)
		if err != nil {
			return e, err
		}
		if size+len(b) > budget/2 {
			break
		}
		size += len(b) + 1
		data.Questions = append(data.Questions, row)
	}
	texts := &textTable{at: map[string]int{}}
	for i := range data.Questions {
		d, err := readDetail(ctx, r, run, &data.Questions[i], place, e.Depth, texts)
		if err != nil {
			return e, err
		}
		b, err := json.Marshal(d)
		if err != nil {
			return e, err
		}
		if size += len(b) + 1 + texts.added; size > budget {
			texts.undo()
			break
		}
		texts.keep()
		data.Details = append(data.Details, b)
	}
	data.Texts = append(data.Texts, texts.list...)
	e.Listed, e.Detailed = len(data.Questions), len(data.Details)
	b, err := json.Marshal(data) // escapes < and > and &, so that no text can end the script element
	e.JSON = template.JS(b)
	e.LeftOut = leftOut(e)
	return e, err
}

// leftOut says what the page lacks.
func leftOut(e explorer) string {
	switch {
	case e.Listed == 0:
		return ""
	case int64(e.Listed) < e.Total && e.Detailed < e.Listed:
		return fmt.Sprintf("To keep the page small it lists the first %d of %s, and has the details of the first %d.", e.Listed, plural(e.Total, "question", "questions"), e.Detailed)
	case int64(e.Listed) < e.Total:
		return fmt.Sprintf("The page lists %d of %s: those that were asked, as far as its size allows.", e.Listed, plural(e.Total, "question", "questions"))
	case e.Detailed < e.Listed:
		return fmt.Sprintf("To keep the page small it has the details of the first %d of %d questions.", e.Detailed, e.Listed)
	}
	return ""
}

// textTable numbers texts. What is new since the last keep can be taken out again.
type textTable struct {
	list  []string
	at    map[string]int
	kept  int
	added int // bytes of JSON since the last keep, about
}

func (t *textTable) put(s string) int {
	if n, ok := t.at[s]; ok {
		return n
	}
	n := len(t.list)
	t.list, t.at[s] = append(t.list, s), n
	b, err := json.Marshal(s)
	if err == nil {
		t.added += len(b) + 1
	}
	return n
}

func (t *textTable) keep() { t.kept, t.added = len(t.list), 0 }

func (t *textTable) undo() {
	for _, s := range t.list[t.kept:] {
		delete(t.at, s)
	}
	t.list, t.added = t.list[:t.kept], 0
}

// readQuestions reads the list with its values a system.
func readQuestions(ctx context.Context, r reader, run runInfo, place map[int64]int, limit int) ([]questionRow, error) {
	if limit <= 0 {
		limit = -1
	}
	var list []questionRow
	at := map[int64]int{}
	err := r.rows(ctx, "questions", []any{sql.Named("limit", limit)}, func(rows *sql.Rows) error {
		q := questionRow{Recall: make([]*float64, len(place))}
		if err := rows.Scan(&q.rowID, &q.ID, &q.Text, &q.Category, &q.Difficulty, &q.Answerable, &q.reference, &q.Relevant); err != nil {
			return err
		}
		q.Text, q.reference = clip(q.Text, answerChars), clip(q.reference, answerChars)
		at[q.rowID] = len(list)
		list = append(list, q)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, r.rows(ctx, "question_cells", []any{sql.Named("metric", run.Primary())}, func(rows *sql.Rows) error {
		var question, system, errs int64
		var refused sql.NullInt64
		var value *float64
		if err := rows.Scan(&question, &system, &value, &errs, &refused); err != nil {
			return err
		}
		n, ok := at[question]
		if !ok {
			return nil
		}
		q, s := &list[n], place[system]
		q.Recall[s] = shorten(value)
		if errs > 0 {
			q.Errors = append(q.Errors, s)
		}
		if refused.Int64 > 0 {
			q.Refused = append(q.Refused, s)
		}
		return nil
	})
}

// shorten keeps four decimals: what the page shows, and fewer bytes.
func shorten(v *float64) *float64 {
	if v == nil {
		return nil
	}
	short := finite(math.Round(*v*1e4) / 1e4)
	return &short
}

// finite is v, or the nearest number that JSON can hold.
func finite(v float64) float64 {
	return max(-math.MaxFloat64, min(math.MaxFloat64, v))
}
