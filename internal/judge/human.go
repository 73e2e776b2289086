package judge

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"ragbench/internal/spec"
)

// humanVersion is the prompt version of imported judgments.
const humanVersion = "csv/1"

// DefaultHuman is the judge of imported rows that name none.
const DefaultHuman = "human"

// columns of an imported file.
var humanColumns = append([]string{"system", "question_id", "judge", "supported", "hallucinated", "reason"}, axisNames...)

// ImportCSV reads judgments made by people and stores each as a judgment of the judge its row names. The header names
// the columns: system and question_id say which answer, any of the five axes holds a number from 0 to 5 or nothing,
// supported and hallucinated hold 1, 0, true, false or nothing; judge and reason are optional. Of the same answer and
// judge the last row counts. A fault names its line, and then nothing is stored. It returns the judges in the order of
// their first row and the number of rows.
func ImportCSV(ctx context.Context, tx *sql.Tx, runID int64, in io.Reader) (judges []string, rows int, err error) {
	answers, systems, err := answersByName(ctx, tx, runID)
	if err != nil {
		return nil, 0, fmt.Errorf("import judgments: %w", err)
	}
	buffered := bufio.NewReader(in)
	if bom, err := buffered.Peek(3); err == nil && string(bom) == "\xef\xbb\xbf" {
		_, _ = buffered.Discard(3)
	}
	r := csv.NewReader(buffered)
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, 0, errors.New("import judgments: the file is empty")
	}
	if err != nil {
		return nil, 0, fmt.Errorf("import judgments: %w", err)
	}
	at, err := columnsOf(header)
	if err != nil {
		return nil, 0, fmt.Errorf("import judgments: line 1: %w", err)
	}
	w := writer{ctx: ctx, tx: tx}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return judges, rows, nil
		}
		if err != nil {
			return nil, 0, fmt.Errorf("import judgments: %w", err)
		}
		line, _ := r.FieldPos(0)
		row := humanRow{record, at}
		answer, ok := answers[[2]string{row.get("system"), row.get("question_id")}]
		if !ok {
			return nil, 0, fmt.Errorf("import judgments: line %d: %w", line, unknownAnswer(row, systems))
		}
		judge := row.get("judge")
		if judge == "" {
			judge = DefaultHuman
		}
		if judge == HeuristicName || strings.Contains(judge, ":") {
			return nil, 0, fmt.Errorf("import judgments: line %d: %q is the name of a program's judge", line, judge)
		}
		if err := storeHuman(w, answer, judge, row); err != nil {
			return nil, 0, fmt.Errorf("import judgments: line %d: %w", line, err)
		}
		if !slices.Contains(judges, judge) {
			judges = append(judges, judge)
		}
		rows++
	}
}

func answersByName(ctx context.Context, tx *sql.Tx, runID int64) (map[[2]string]int64, []string, error) {
	rows, err := tx.QueryContext(ctx, statements.SQL("systems"), sql.Named("run_id", runID))
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	answers := map[[2]string]int64{}
	var systems []string
	for rows.Next() {
		var key [2]string
		var id int64
		if err := rows.Scan(&key[0], &key[1], &id); err != nil {
			return nil, nil, err
		}
		answers[key] = id
		if !slices.Contains(systems, key[0]) {
			systems = append(systems, key[0])
		}
	}
	return answers, systems, rows.Err()
}

// columnsOf finds the columns of the header, which may be spelt in any case.
func columnsOf(header []string) (map[string]int, error) {
	at := map[string]int{}
	for i, h := range header {
		name := strings.ToLower(strings.TrimSpace(h))
		if name == "qid" {
			name = "question_id"
		}
		if !slices.Contains(humanColumns, name) {
			return nil, spec.Unknown("column", h, humanColumns)
		}
		if _, ok := at[name]; ok {
			return nil, fmt.Errorf("column %s is there twice", name)
		}
		at[name] = i
	}
	for _, name := range []string{"system", "question_id"} {
		if _, ok := at[name]; !ok {
			return nil, fmt.Errorf("column %s is missing", name)
		}
	}
	return at, nil
}

type humanRow struct {
	record []string
	at     map[string]int
}

func (r humanRow) get(name string) string {
	i, ok := r.at[name]
	if !ok || i >= len(r.record) {
		return ""
	}
	return strings.TrimSpace(r.record[i])
}

func unknownAnswer(r humanRow, systems []string) error {
	if !slices.Contains(systems, r.get("system")) {
		return spec.Unknown("system", r.get("system"), systems)
	}
	return fmt.Errorf("system %s has no answer to a question %q", r.get("system"), r.get("question_id"))
}

// storeHuman stores one row. Axes that were left empty stay NULL.
func storeHuman(w writer, answer int64, judge string, r humanRow) error {
	axes := make([]any, len(axisNames))
	given := false
	for i, name := range axisNames {
		text := r.get(name)
		if text == "" {
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !(v >= 0 && v <= 5) {
			return fmt.Errorf("%s: want a number from 0 to 5, got %q", name, text)
		}
		axes[i], given = v, true
	}
	if !given {
		return errors.New("no axis has a value")
	}
	flags := make([]any, 2)
	for i, name := range []string{"supported", "hallucinated"} {
		text := r.get(name)
		if text == "" {
			continue
		}
		b, err := strconv.ParseBool(strings.ToLower(text))
		if err != nil {
			return fmt.Errorf("%s: want 1, 0, true or false, got %q", name, text)
		}
		flags[i] = b
	}
	return w.row(answer, judge, humanVersion, &Verdict{Status: OK, Reason: r.get("reason")}, axes, flags, nil, nil)
}
