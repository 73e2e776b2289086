package ragtest

import (
	"sort"

	"ragbench/internal/rag"
)

// Parent is a parent with the score rolled up from its children.
type Parent struct {
	ID       int64
	Score    float64
	Children []string // keys, best first
}

// RollUp groups children, best first, by parent and scores each parent by max, sum or mean; ties go to the parent of the
// better child.
func RollUp(children []rag.Hit, parentOf map[int64]int64, aggregation string) []Parent {
	var list []Parent
	scores := map[int64][]float64{}
	for _, c := range children {
		id := parentOf[c.Chunk.RowID]
		if scores[id] == nil {
			list = append(list, Parent{ID: id})
		}
		scores[id] = append(scores[id], c.Score)
		for i := range list {
			if list[i].ID == id {
				list[i].Children = append(list[i].Children, c.Chunk.Key)
			}
		}
	}
	for i := range list {
		of := scores[list[i].ID]
		best, sum := of[0], 0.0
		for _, s := range of {
			best = max(best, s)
			sum += s
		}
		list[i].Score = map[string]float64{"max": best, "sum": sum, "mean": sum / float64(len(of))}[aggregation]
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Score > list[j].Score })
	return list
}

// Window is a run of sentences of a document around one place or several.
type Window struct {
	DocRowID    int64
	First, Last int // positions of sentences, inclusive
	Best        rag.Hit
	Places      int
}

// Windows walks sentences, best first: one inside the window of a place before it in its document is skipped, until there
// are k places. Windows that touch or overlap are joined, two at a time, until none do. last is the position of the last
// sentence of each document.
func Windows(sentences []rag.Hit, last map[int64]int, width, k int) []Window {
	var list []Window
	for _, s := range sentences {
		inside := false
		for _, w := range list {
			inside = inside || w.DocRowID == s.Chunk.DocRowID && abs(w.Best.Chunk.Index-s.Chunk.Index) <= width
		}
		if inside || len(list) == k {
			continue
		}
		list = append(list, Window{s.Chunk.DocRowID, max(0, s.Chunk.Index-width), min(last[s.Chunk.DocRowID], s.Chunk.Index+width), s, 1})
	}
	for joined := true; joined; {
		joined = false
		for i := 0; i < len(list) && !joined; i++ {
			for j := i + 1; j < len(list) && !joined; j++ {
				a, b := &list[i], list[j]
				if a.DocRowID == b.DocRowID && a.First <= b.Last+1 && b.First <= a.Last+1 {
					a.First, a.Last, a.Places = min(a.First, b.First), max(a.Last, b.Last), a.Places+b.Places
					list = append(list[:j], list[j+1:]...)
					joined = true
				}
			}
		}
	}
	return list
}

func abs(n int) int { return max(n, -n) }
