package trec

import (
	"fmt"
	"slices"
	"strings"

	"ragbench/internal/rag"
)

// numNamed is how many ids a warning names before it says how many more there are.
const numNamed = 5

// warnings compares the ids of a run file with those of the dataset: one warning a kind of difference.
func warnings(run *Run, questions, documents map[string]bool) []rag.Warning {
	var unknown, missing []string
	inRun := map[string]bool{}
	strange := map[string]bool{}
	for _, q := range run.Queries {
		inRun[q.QueryID] = true
		if !questions[q.QueryID] {
			unknown = append(unknown, q.QueryID)
		}
		for _, d := range q.Docs {
			if !documents[d.ID] {
				strange[d.ID] = true
			}
		}
	}
	for id := range questions {
		if !inRun[id] {
			missing = append(missing, id)
		}
	}
	var docs []string
	for id := range strange {
		docs = append(docs, id)
	}
	var ws []rag.Warning
	add := func(code, text string, ids []string) {
		if len(ids) == 0 {
			return
		}
		slices.Sort(ids)
		ws = append(ws, rag.Warning{Code: code, Subject: ids[0], Message: fmt.Sprintf(text, len(ids), list(ids))})
	}
	add("unknown_question", "%d queries of the run are no questions of the dataset and are left out: %s", unknown)
	add("missing_question", "%d questions have no ranking in the run and count as one without hits: %s", missing)
	add("unknown_document", "%d documents of the run are not in the dataset: %s", docs)
	return ws
}

// list names the first ids and the number of the others.
func list(ids []string) string {
	if len(ids) <= numNamed {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:numNamed], ", "), len(ids)-numNamed)
}
