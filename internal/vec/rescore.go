package vec

// rescore replaces the bounds of each candidate whose score is not known by Dot of the query and its row. Four rows are summed
// side by side, each in Dot's order.
func rescore(m *Matrix, query []float64, held []candidate) {
	var four [4]*candidate
	n := 0
	for i := range held {
		if held[i].low == held[i].high {
			continue
		}
		four[n] = &held[i]
		if n++; n == len(four) {
			rescore4(m, query, four)
			n = 0
		}
	}
	for _, x := range four[:n] {
		x.low = dotWide(query, m.Row(x.row))
		x.high = x.low
	}
}

func rescore4(m *Matrix, query []float64, four [4]*candidate) {
	a, b, c, d := m.Row(four[0].row), m.Row(four[1].row), m.Row(four[2].row), m.Row(four[3].row)
	a, b, c, d = a[:len(query)], b[:len(query)], c[:len(query)], d[:len(query)]
	var sums [4]float64
	for i, q := range query {
		sums[0] += q * float64(a[i])
		sums[1] += q * float64(b[i])
		sums[2] += q * float64(c[i])
		sums[3] += q * float64(d[i])
	}
	for i, x := range four {
		x.low, x.high = sums[i], sums[i]
	}
}

// dotWide is Dot for a query that is already float64.
func dotWide(query []float64, row []float32) float64 {
	row = row[:len(query)]
	var sum float64
	for i, q := range query {
		sum += q * float64(row[i])
	}
	return sum
}
