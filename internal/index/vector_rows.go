package index

// Vectors returns the vectors of chunks, as stored, in the order of their ids; nil for a chunk that has none. The slices
// belong to the set and must not be changed. An unknown vector index is rag.ErrNotFound.
func (s *Set) Vectors(vectorID int64, chunkIDs []int64) ([][]float32, error) {
	v, err := s.vectors.get(vectorID, s.loadVectors)
	if err != nil {
		return nil, err
	}
	v.byChunk.Do(func() {
		v.rowOf = make(map[int64]int, len(v.chunkIDs))
		for row, id := range v.chunkIDs {
			v.rowOf[id] = row
		}
	})
	rows := make([][]float32, len(chunkIDs))
	for i, id := range chunkIDs {
		if row, ok := v.rowOf[id]; ok {
			rows[i] = v.kept.Row(row)
		}
	}
	return rows, nil
}
