package index

import (
	"database/sql"
	"fmt"
	"math"
	"sync"

	"ragbench/internal/rag"
	"ragbench/internal/sqlext"
	"ragbench/internal/vec"
)

// unitLength is how far from 1 a length may be for vectors to be scanned as they are. The distance found is part of the
// slack, so this only decides whether a normalised copy is worth its memory.
const unitLength = 1e-4

// vectorIndex is a vector index in memory. Rows are in the order of the blocks, which is that of the chunks unless texts
// repeat.
type vectorIndex struct {
	chunkIDs []int64
	kept     *vec.Matrix // as stored
	scanned  *vec.Matrix // of length 1; kept itself where its vectors are
	slack    float64     // bounds |1 - sqlDistance - scan score| for a query of length 1

	byChunk sync.Once // guards rowOf, which only Set.Vectors needs
	rowOf   map[int64]int
}

// loadVectors reads the vectors of an index block by block.
func (s *Set) loadVectors(id int64) (*vectorIndex, error) {
	var indexID, embedderID int64
	var dims, rows int
	if err := s.one("vector", []any{id}, &indexID, &embedderID, &dims, &rows); err != nil {
		return nil, err
	}
	v := &vectorIndex{chunkIDs: make([]int64, 0, rows)}
	var err error
	if v.kept, err = vec.NewMatrix(dims, rows); err != nil {
		return nil, err
	}
	places := make([]place, 0, rows)
	err = s.many("slots", []any{embedderID, indexID}, func(r *sql.Rows) error {
		var p place
		var chunkID int64
		if err := r.Scan(&p.block, &p.slot, &chunkID); err != nil {
			return err
		}
		places = append(places, p)
		v.chunkIDs = append(v.chunkIDs, chunkID)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read slots: %w", err)
	}
	if len(places) != rows {
		return nil, fmt.Errorf("read slots: %d of %d vectors found", len(places), rows)
	}
	if err := s.readBlocks(v.kept, embedderID, places); err != nil {
		return nil, err
	}
	return v, v.normalise()
}

// place is where a vector is stored.
type place struct {
	block int64
	slot  int
}

// readBlocks appends the vectors at places, which are in order, reading each block once.
func (s *Set) readBlocks(m *vec.Matrix, embedderID int64, places []place) error {
	for len(places) > 0 {
		block, n := places[0].block, 1
		for n < len(places) && places[n].block == block {
			n++
		}
		found := false
		err := s.many("block", []any{embedderID, block}, func(r *sql.Rows) error {
			found = true
			var data sql.RawBytes
			if err := r.Scan(&data); err != nil {
				return err
			}
			return appendSlots(m, data, places[:n])
		})
		if err == nil && !found {
			err = rag.ErrNotFound
		}
		if err != nil {
			return fmt.Errorf("read block %d: %w", block, err)
		}
		places = places[n:]
	}
	return nil
}

// appendSlots appends the vectors at the places within one block, runs of neighbours at once.
func appendSlots(m *vec.Matrix, data []byte, places []place) error {
	size := 4 * m.Dims()
	for i := 0; i < len(places); {
		slot, run := places[i].slot, 1
		for i+run < len(places) && places[i+run].slot == slot+run {
			run++
		}
		if (slot+run)*size > len(data) {
			return fmt.Errorf("no slot %d", slot+run-1)
		}
		if err := m.AppendBlock(data[slot*size:], run); err != nil {
			return err
		}
		i += run
	}
	return nil
}

// normalise makes the matrix that is scanned and its slack.
func (v *vectorIndex) normalise() error {
	off := 0.0
	for row := range v.kept.Rows() {
		off = max(off, math.Abs(vec.Norm(v.kept.Row(row))-1))
	}
	v.scanned = v.kept
	if off > unitLength {
		var err error
		if v.scanned, err = vec.NewMatrix(v.kept.Dims(), v.kept.Rows()); err != nil {
			return err
		}
		unit := make([]float32, v.kept.Dims())
		for row := range v.kept.Rows() {
			copy(unit, v.kept.Row(row))
			vec.Normalise(unit)
			if err := v.scanned.Append(unit); err != nil {
				return err
			}
		}
		off = 0x1p-23 // each value is rounded by at most 2^-24 of itself
	}
	v.slack = sqlSlack(v.kept.Dims()) + 2*off
	return nil
}

// search ranks by sqlDistance. The scan proposes the rows with the largest exact inner products; every row it leaves out scores at
// most what its last does, so once that is further below the k-th than the slack, no row left out can belong to the k best.
// Otherwise, with ties for instance, the scan is asked for more.
func (v *vectorIndex) search(vector []byte, k int) ([]sqlext.Hit, error) {
	query, err := vec.Decode(vector)
	if err != nil {
		return nil, err
	}
	if err := checkVector(query, v.kept.Dims()); err != nil {
		return nil, fmt.Errorf("vector of the query: %w", err)
	}
	rows := v.kept.Rows()
	k = min(k, rows)
	if k <= 0 {
		return nil, nil
	}
	length := vec.Norm(query)
	for n := k + k/8 + 16; ; n *= 2 {
		proposed, err := vec.TopK(v.scanned, query, n)
		if err != nil {
			return nil, err
		}
		best := top{k: k}
		for _, p := range proposed {
			score := 1 - float64(sqlDistance(v.kept.Row(p.Row), query))
			best.add(sqlext.Hit{ChunkID: v.chunkIDs[p.Row], Score: score})
		}
		hits := best.ranked()
		if n >= rows || proposed[len(proposed)-1].Score/length+v.slack < hits[k-1].Score {
			return hits, nil
		}
	}
}
