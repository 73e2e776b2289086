package delimited

import "bytes"

// fair is the score that a delimiter needs: most rows agree, and few are not cut at all.
const fair = 0.55

// delimiters are the candidates, the likelier first.
const delimiters = ",\t;|"

// Sniff names the delimiter of a table from its first bytes: the one that cuts most rows into the same number of fields,
// more than one. prefer wins a tie. 0 means that no delimiter fits and the table has one column. A first line "sep=;", as spreadsheets
// write it, decides; skip is then its length.
func Sniff(head []byte, prefer byte) (comma byte, skip int) {
	if len(head) > 5 && bytes.EqualFold(head[:4], []byte("sep=")) && (head[5] == '\n' || head[5] == '\r') {
		end := bytes.IndexByte(head, '\n')
		if end < 0 {
			end = 5
		}
		return head[4], end + 1
	}
	best, bestScore := byte(0), 0.0
	for _, c := range []byte(string(prefer) + delimiters) {
		if s := score(head, c); s > max(bestScore, fair)+1e-9 {
			best, bestScore = c, s
		}
	}
	return best, 0
}

// score is the share of rows that have the commonest number of fields; a little more for more fields; 0 where that
// number is 1.
func score(head []byte, c byte) float64 {
	const rows = 100
	r := NewReader(bytes.NewReader(head), c, len(head)+1)
	count := map[int]int{}
	total, odd := 0, 0
	for total < rows {
		fields, _, err := r.Next()
		if err != nil {
			break // the end, or a row that the sample cuts off
		}
		count[len(fields)]++
		if len(fields) == 1 {
			odd++ // not cut at all; a padded row is
		}
		total++
	}
	if total == 0 {
		return 0
	}
	width, most := 1, 0
	for n, k := range count {
		if k > most || k == most && n > width {
			width, most = n, k
		}
	}
	if width == 1 {
		return 0
	}
	return float64(most)/float64(total) - float64(odd)/float64(2*total) + float64(min(width, 50))/1000
}
