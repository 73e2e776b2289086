package vec

import "testing"

func TestFilter(t *testing.T) {
	f := NewFilter(130)
	for _, row := range []int{0, 63, 64, 129} {
		f.Allow(row)
	}
	for row, want := range map[int]bool{0: true, 1: false, 63: true, 64: true, 65: false, 128: false, 129: true, 192: false, 5000: false} {
		if got := f.Allows(row); got != want {
			t.Errorf("Allows(%d): got %v, want %v", row, got, want)
		}
	}
	for rows, want := range map[int]int{0: 0, 1: 1, 63: 1, 64: 2, 65: 3, 129: 3, 130: 4, 1000: 4} {
		if got := f.Count(rows); got != want {
			t.Errorf("Count(%d): got %d, want %d", rows, got, want)
		}
	}
	var all Filter
	if !all.Allows(7) || all.Count(7) != 7 {
		t.Errorf("nil: got %v %d, want true 7", all.Allows(7), all.Count(7))
	}
	none := Filter{}
	if none.Allows(0) || none.Count(7) != 0 {
		t.Errorf("empty: got %v %d, want false 0", none.Allows(0), none.Count(7))
	}
}
