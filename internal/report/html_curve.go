package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// curve is recall by cut-off, one line a system. Its data is a table as well.
type curve struct {
	Ks     []int
	XTicks []tick
	YTicks []tick
	Lines  []line
	W      float64 // width of the drawing: the plot, and the names right of it
}

// line is one system. A gap in the values breaks the path.
type line struct {
	Name           string
	Color, Dash    int
	Path           string
	Dots           []point
	Values         []string
	EndX, EndY     float64 // last point
	LabelX, LabelY float64
	Leader         string
	last           float64
}

const (
	curvePlotRight = 410.0
	palette        = 8 // colours before dashes begin
)

// newCurve draws recall at every k of the run.
func newCurve(run runInfo, systems []systemInfo, all map[int64]*measures) curve {
	c := curve{Ks: slices.Clone(run.KValues)}
	slices.Sort(c.Ks)
	c.Ks = slices.Compact(c.Ks)
	lo, hi := 1.0, 0.0
	for _, s := range systems {
		for _, k := range c.Ks {
			if v, ok := all[s.ID].values[fmt.Sprintf("recall@%d", k)]; ok {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	if hi < lo || len(c.Ks) < 2 {
		return curve{}
	}
	y := linearAxis(lo, hi, 5, 1)
	for _, t := range y.ticks {
		c.YTicks = append(c.YTicks, tick{round1(plotBottom - y.place(t)*(plotBottom-padT)), significant(t, qualityDigits)})
	}
	x := func(k int) float64 { // logarithmic, so that 1, 3, 5, 10 and 1, 10, 100 both read well
		a, b := math.Log(float64(c.Ks[0])), math.Log(float64(c.Ks[len(c.Ks)-1]))
		return round1(padL + 10 + (math.Log(float64(k))-a)/(b-a)*(curvePlotRight-padL-20))
	}
	for _, k := range c.Ks {
		c.XTicks = append(c.XTicks, tick{x(k), fmt.Sprint(k)})
	}
	longest := 0
	for _, s := range systems {
		l := line{Name: s.Name, Color: s.Color % palette, Dash: s.Color / palette % 3}
		var b strings.Builder
		pen := "M"
		for _, k := range c.Ks {
			v, ok := all[s.ID].values[fmt.Sprintf("recall@%d", k)]
			if !ok {
				pen = "M"
				l.Values = append(l.Values, "")
				continue
			}
			l.EndX, l.EndY, l.last = x(k), round1(plotBottom-y.place(v)*(plotBottom-padT)), v
			fmt.Fprintf(&b, "%s%g %g", pen, l.EndX, l.EndY)
			pen = "L"
			l.Dots = append(l.Dots, point{X: l.EndX, Y: l.EndY})
			l.Values = append(l.Values, score3(v))
		}
		if l.Path = b.String(); l.Path != "" {
			c.Lines = append(c.Lines, l)
			longest = max(longest, len([]rune(s.Name)))
		}
	}
	spreadLabels(c.Lines)
	c.W = max(chartW, math.Ceil(curvePlotRight+30+charW*float64(longest)))
	return c
}

// spreadLabels puts the names right of the ends of their lines, in their order, and moves them apart until none covers
// another.
func spreadLabels(lines []line) {
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lines[b].last, lines[a].last) })
	at := make([]float64, len(order))
	for i, n := range order {
		at[i] = lines[n].EndY + 4
		if i > 0 {
			at[i] = max(at[i], at[i-1]+labelH)
		}
	}
	limit := plotBottom + 8
	for i := len(at) - 1; i >= 0; i-- {
		at[i] = min(at[i], limit)
		limit = at[i] - labelH
	}
	for i, n := range order {
		l := &lines[n]
		l.LabelX, l.LabelY = curvePlotRight+24, round1(at[i])
		l.Leader = fmt.Sprintf("M%g %gL%g %g", l.EndX+5, l.EndY, l.LabelX-4, l.LabelY-4)
	}
}
