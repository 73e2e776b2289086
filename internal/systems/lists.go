package systems

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"ragbench/internal/rag"
)

// lists is what a retrieval statement returns: every list by leg, and how long each search took.
type lists struct {
	order   []string
	legs    map[string][]rag.Hit
	elapsed map[string]time.Duration
}

// query runs a retrieval statement on the read pool. Its columns are leg, rank, chunk_id, score, elapsed_ms and, where a
// system has it, metadata: NULL, or a JSON object of texts to keep beside the hit. The texts of all chunks named are read
// in a second statement.
func (e *Env) query(ctx context.Context, text string, args ...any) (lists, error) {
	out := lists{legs: map[string][]rag.Hit{}, elapsed: map[string]time.Duration{}}
	st, err := e.DB.Prepare(ctx, text)
	if err != nil {
		return out, fmt.Errorf("prepare retrieval: %w", err)
	}
	rows, err := st.QueryContext(ctx, args...)
	if err != nil {
		return out, fmt.Errorf("run retrieval: %w", err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return out, fmt.Errorf("run retrieval: %w", err)
	}
	var metadata sql.RawBytes
	at := map[int64]int{}
	var ids []int64
	for rows.Next() {
		var leg string
		var h rag.Hit
		var ms float64
		if err := rows.Scan([]any{&leg, &h.Rank, &h.Chunk.RowID, &h.Score, &ms, &metadata}[:min(6, len(columns))]...); err != nil {
			return out, fmt.Errorf("run retrieval: %w", err)
		}
		if len(metadata) > 0 {
			if err := json.Unmarshal(metadata, &h.Metadata); err != nil {
				return out, fmt.Errorf("metadata of a hit: %w", err)
			}
		}
		if _, ok := out.legs[leg]; !ok {
			out.order = append(out.order, leg)
		}
		out.legs[leg] = append(out.legs[leg], h)
		out.elapsed[leg] = max(out.elapsed[leg], time.Duration(ms*float64(time.Millisecond)))
		if _, ok := at[h.Chunk.RowID]; !ok {
			at[h.Chunk.RowID] = len(ids)
			ids = append(ids, h.Chunk.RowID)
		}
	}
	if err := rows.Err(); err != nil {
		return out, fmt.Errorf("run retrieval: %w", err)
	}
	chunks, err := e.DB.Chunks(ctx, ids)
	if err != nil {
		return out, err
	}
	for _, hits := range out.legs {
		for i := range hits {
			hits[i].Chunk = chunks[at[hits[i].Chunk.RowID]]
		}
	}
	return out, nil
}

// ranking returns the list final as the ranking and every other list as a leg, by name.
func (l lists) ranking() rag.Ranking {
	r := rag.Ranking{Hits: l.legs[rag.LegFinal]}
	names := slices.Clone(l.order)
	slices.Sort(names)
	for _, name := range names {
		if name != rag.LegFinal {
			r.Legs = append(r.Legs, rag.Leg{Name: name, Hits: l.legs[name]})
		}
	}
	return r
}

// single returns the one list a statement gave, as the ranking and as the leg of its name.
func (l lists) single(leg string) rag.Ranking {
	hits := l.legs[leg]
	return rag.Ranking{Hits: hits, Legs: []rag.Leg{{Name: leg, Hits: hits}}}
}

// named shortens sql.Named.
func named(name string, value any) sql.NamedArg { return sql.Named(name, value) }

// add takes over the lists of m, whose names are not among those of l.
func (l *lists) add(m lists) {
	if l.legs == nil {
		*l = lists{legs: map[string][]rag.Hit{}, elapsed: map[string]time.Duration{}}
	}
	l.order = append(l.order, m.order...)
	for _, name := range m.order {
		l.legs[name], l.elapsed[name] = m.legs[name], m.elapsed[name]
	}
}
