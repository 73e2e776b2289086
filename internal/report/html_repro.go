package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// repro is how to get the run again and how to ask the file.
type repro struct {
	File     string
	Config   string
	Commands []command
	Hashes   []hash
	Systems  []systemSQL
}

// command is a line to type and what it does.
type command struct {
	Doc, Line string
}

// hash is a digest and what it covers.
type hash struct {
	Name, Doc, Value string
}

// systemSQL is what a system is: its options and its statements.
type systemSQL struct {
	Name, Type, Config, ConfigSHA, SQL string
}

func newRepro(run runInfo, systems []systemInfo, file string) repro {
	r := repro{File: shown(file), Config: shown(run.Config)}
	f := shellWord(file)
	if run.Mode != "import" {
		mock := ""
		if run.Mock() {
			mock = " --mock"
		}
		r.Commands = append(r.Commands, command{"Run it again, from the configuration below saved as config.yaml",
			"ragbench run -c config.yaml" + mock + " --db again.db"})
	}
	ask := func(statement string) string {
		return fmt.Sprintf(`sqlite3 -box %s "%s"`, f, oneLine(statement, run.ID))
	}
	r.Commands = append(r.Commands,
		command{"Write this page", fmt.Sprintf("ragbench report %s --db %s -o report.html", shellWord(run.Label), f)},
		command{"The leaderboard, in the stock shell", ask("example_board")},
		command{"Where each system ranks what for each question", ask("example_lists")},
		command{"The views and tables that can be asked", ask("example_schema")},
		command{"The stored analyses, each a page of SQL", "ragbench sql --db " + f},
	)
	r.Hashes = []hash{
		{"configuration", "everything that decides the results of the run", run.ConfigSHA},
		{"dataset", "documents, questions and labels", run.SHA},
		{"corpus", "the documents alone: indexes hang on it", run.CorpusSHA},
	}
	for _, s := range systems {
		r.Systems = append(r.Systems, systemSQL{s.Name, s.Type, indent(s.Config), s.ConfigSHA, shown(strings.TrimSpace(s.SQL))})
	}
	return r
}

// oneLine is a statement of html.sql as it is typed in a shell, for one run.
func oneLine(name string, runID int64) string {
	s := strings.Join(strings.Fields(htmlSQL.SQL(name)), " ")
	return strings.ReplaceAll(s, ":run_id", strconv.FormatInt(runID, 10))
}

// indent lays JSON out over lines; text that is not JSON stays.
func indent(s string) string {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(s), "", "  "); err != nil {
		return shown(s)
	}
	return shown(b.String())
}

// shellWord quotes a word for a POSIX shell where it needs that.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/+,:=@%", r)
	}
	if s != "" && !strings.HasPrefix(s, "-") && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(shown(s), "'", `'\''`) + "'"
}
