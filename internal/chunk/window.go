package chunk

// windows calls emit with each window [first, last) of size units over n units, advancing by size - overlap. The window
// that reaches the end is the last, so none lies wholly inside the one before it. It makes progress for every
// 0 <= overlap < size.
func windows(n, size, overlap int, emit func(first, last int)) {
	for first := 0; first < n; first += size - overlap {
		if n-first <= size {
			emit(first, n)
			return
		}
		emit(first, first+size)
	}
}
