package judge

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestImportCSV(t *testing.T) {
	db := openRun(t)
	ctx := context.Background()
	file := "\xef\xbb\xbfSystem,QID,correctness,faithfulness,supported,judge,reason\r\n" +
		"bm25,q1,5,4.5,true,ann,\"fine, \"\"really\"\"\"\r\nvector,q3,0,,,,\r\nbm25,q1,4,,0,ann,\r\n"
	var judges []string
	err := db.Write(ctx, func(tx *sql.Tx) error {
		var n int
		var err error
		judges, n, err = ImportCSV(ctx, tx, 2, strings.NewReader(file))
		if n != 3 {
			t.Errorf("got %d rows, want 3", n)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"ann", "human"}, judges); diff != "" {
		t.Errorf("judges (-want +got):\n%s", diff)
	}
	got := rowsOf(t, db, "SELECT answer_id, judge, answer_score, correctness, faithfulness, supported FROM judged ORDER BY answer_id")
	if diff := cmp.Diff([]string{"2 ann 4 4 - 0", "8 human 0 0 - -"}, got); diff != "" {
		t.Errorf("judged (-want +got):\n%s", diff)
	}
	for _, tt := range []struct{ name, file, want string }{
		{"empty", "", "the file is empty"},
		{"unknown column", "system,question_id,corectness\n", `did you mean "correctness"?`},
		{"no system", "question_id,correctness\n", "column system is missing"},
		{"unknown system", "system,question_id,correctness\nbm52,q1,5\n", `line 2: unknown system "bm52", did you mean "bm25"?`},
		{"unknown question", "system,question_id,correctness\nbm25,q1,5\nbm25,q9,5\n", `line 3: system bm25 has no answer to a question "q9"`},
		{"out of range", "system,question_id,correctness\nbm25,q1,6\n", "line 2: correctness: want a number from 0 to 5"},
		{"not a number", "system,question_id,correctness\nbm25,q1,NaN\n", "line 2: correctness: want a number from 0 to 5"},
		{"no axis", "system,question_id,correctness\nbm25,q1,\n", "line 2: no axis has a value"},
		{"ragged", "system,question_id,correctness\nbm25,q1\n", "wrong number of fields"},
		{"a boolean", "system,question_id,correctness,supported\nbm25,q1,5,maybe\n", "want 1, 0, true or false"},
		{"a program's name", "system,question_id,correctness,judge\nbm25,q1,5,heuristic\n", "the name of a program's judge"},
	} {
		undo := errors.New("undo")
		err := db.Write(ctx, func(tx *sql.Tx) error {
			_, _, err := ImportCSV(ctx, tx, 2, strings.NewReader(tt.file))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: got error %v, want one with %q", tt.name, err, tt.want)
			}
			return undo
		})
		if !errors.Is(err, undo) {
			t.Fatal(err)
		}
	}
}
