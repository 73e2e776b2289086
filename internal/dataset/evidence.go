package dataset

import "ragbench/internal/rag"

// evidence reads the labelled spans of a question: evidence with doc_id, quote, start and end, or the spans of Chroma's
// chunking evaluation, references with content, start_index and end_index in the document that corpus_id names.
// Offsets are code points. A span given by its words alone has Start and End -1.
func (r *reading) evidence() []rag.Evidence {
	rows, err := r.row.Rows("evidence", "references")
	r.keep(err)
	if len(rows) == 0 {
		return nil
	}
	shared := r.str("corpus_id", "context_id")
	var out []rag.Evidence
	for _, row := range rows {
		e := reading{row: row}
		ev := rag.Evidence{
			DocID: e.str("doc_id", "document_id", "corpus_id"),
			Quote: e.str("quote", "content", "text"),
			Start: e.intOr(-1, "start", "start_char", "start_index"),
			End:   e.intOr(-1, "end", "end_char", "end_index"),
		}
		if ev.DocID == "" {
			ev.DocID = shared
		}
		switch {
		case e.err != nil:
			r.keep(e.err)
		case ev.DocID == "":
			r.keep(row.Errorf("evidence names no document"))
		case (ev.Start < 0) != (ev.End < 0), ev.End < ev.Start:
			r.keep(row.Errorf("evidence in %s spans [%d, %d)", ev.DocID, ev.Start, ev.End))
		case ev.Start < 0 && ev.Quote == "":
			r.keep(row.Errorf("evidence in %s has neither a quote nor a span", ev.DocID))
		}
		out = append(out, ev)
	}
	return out
}
