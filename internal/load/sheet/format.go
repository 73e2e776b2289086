package sheet

import (
	"encoding/xml"
	"strconv"
	"strings"
	"time"

	"ragbench/internal/load/container"
)

// format is how a number is shown, as far as its meaning depends on it.
type format int

const (
	plain format = iota
	date
	clock
	dateAndClock
	percent
)

// readStyles reads which styles of cells are dates, times and shares.
func (b *Book) readStyles(name string) error {
	own := map[string]format{}
	inCells := false
	return container.Each(b.archive, name, func(_ *xml.Decoder, e xml.StartElement) error {
		switch e.Name.Local {
		case "numFmt":
			own[container.Attr(e, "numFmtId")] = formatOf(container.Attr(e, "formatCode"))
		case "cellXfs":
			inCells = true
		case "cellStyleXfs", "cellStyles", "dxfs":
			inCells = false
		case "xf":
			if !inCells {
				return nil
			}
			id := container.Attr(e, "numFmtId")
			f, ok := own[id]
			if !ok {
				f = builtIn(id)
			}
			b.formats = append(b.formats, f)
		}
		return nil
	})
}

// builtIn are the formats that every workbook has (18.8.30).
func builtIn(id string) format {
	n, err := strconv.Atoi(id)
	switch {
	case err != nil:
		return plain
	case n == 9 || n == 10:
		return percent
	case n >= 14 && n <= 17 || n >= 27 && n <= 31 || n == 36 || n >= 50 && n <= 58:
		return date
	case n >= 18 && n <= 21 || n >= 32 && n <= 35 || n >= 45 && n <= 47:
		return clock
	case n == 22:
		return dateAndClock
	}
	return plain
}

// formatOf reads a format code. Text in quotes, brackets and behind a backslash says nothing.
func formatOf(code string) format {
	var bare strings.Builder
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '"':
			if j := strings.IndexByte(code[i+1:], '"'); j >= 0 {
				i += j + 1
			}
		case '[':
			if j := strings.IndexByte(code[i:], ']'); j >= 0 {
				if strings.ContainsAny(code[i+1:i+2], "hHmMsS") {
					bare.WriteByte('h')
				}
				i += j
			}
		case '\\', '_', '*':
			i++
		default:
			bare.WriteByte(code[i])
		}
	}
	s := strings.ToLower(bare.String())
	day, hour := strings.ContainsAny(s, "yd"), strings.ContainsAny(s, "hs")
	switch {
	case strings.Contains(s, "general"):
		return plain
	case day && hour:
		return dateAndClock
	case day || strings.Contains(s, "mmm"):
		return date
	case hour:
		return clock
	case strings.Contains(s, "%"):
		return percent
	}
	return plain
}

// show writes a stored number by its format. from is what the workbook's day 0 is ahead of 1899-12-30.
func (f format) show(value string, from float64) string {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || f == plain || n < 0 || n > 3e6 {
		return value
	}
	if f == percent {
		return strconv.FormatFloat(n*100, 'f', -1, 64) + "%"
	}
	at := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).Add(time.Duration((n+from)*86400+0.5) * time.Second)
	switch f {
	case date:
		return at.Format(time.DateOnly)
	case clock:
		return at.Format(time.TimeOnly)
	}
	return at.Format(time.DateTime)
}
