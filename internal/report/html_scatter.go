package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// The drawing area of the charts, in units of their viewBox.
const (
	chartW, chartH           = 560.0, 350.0
	padL, padR, padT, padB   = 50.0, 24.0, 14.0, 44.0
	charW, labelH            = 7.2, 14.0 // room one character and one line of a label take
	plotRight, plotBottom    = chartW - padR, chartH - padB
	scatterMaxRatio          = 8.0 // a wider range of x is drawn on a logarithmic axis
	qualityDigits, markerGap = 3, 9.0
)

// scatter is quality over a price that is paid for it.
type scatter struct {
	ID, Title, XTitle, YTitle string
	Log                       bool
	XTicks, YTicks            []tick
	Points                    []point
	Front                     string // path through the Pareto front
	Left                      string // systems that cannot be placed
	Unnamed                   int    // points without a name for want of room
}

// tick is a mark of an axis.
type tick struct {
	At   float64
	Text string
}

// point is a system: its place in the drawing, its values as text.
type point struct {
	Name    string
	Color   int
	X, Y    float64
	XText   string
	YText   string
	OnFront bool
	LabelX  float64
	LabelY  float64
	Anchor  string // empty: no room for the name
	x, y    float64
}

// newScatter places the systems that have both values. The front holds the systems that no other beats in one value
// without losing in the other; equal ones are all on it.
func newScatter(id, heading, xTitle, yTitle string, format func(float64) string, systems []systemInfo, get func(systemInfo) (x, y float64, ok bool)) scatter {
	s := scatter{ID: id, Title: heading, XTitle: xTitle, YTitle: yTitle}
	var left []string
	for _, sys := range systems {
		x, y, ok := get(sys)
		if !ok {
			left = append(left, sys.Name)
			continue
		}
		s.Points = append(s.Points, point{Name: sys.Name, Color: sys.Color, x: x, y: y, XText: format(x), YText: score3(y)})
	}
	if len(left) > 0 {
		s.Left = "Not placed, for want of a value: " + joinNames(left) + "."
	}
	if len(s.Points) == 0 {
		return s
	}
	s.markFront()
	xs, ys := make([]float64, len(s.Points)), make([]float64, len(s.Points))
	for i, p := range s.Points {
		xs[i], ys[i] = p.x, p.y
	}
	limit := 1.0 // of recall; a judge's scores go to 5
	if slices.Max(ys) > 1 {
		limit = 5
	}
	s.Log = slices.Min(xs) > 0 && slices.Max(xs)/slices.Min(xs) >= scatterMaxRatio
	xAxis, yAxis := linearAxis(slices.Min(xs), slices.Max(xs), 6, math.Inf(1)), linearAxis(slices.Min(ys), slices.Max(ys), 5, limit)
	if s.Log {
		xAxis = logAxis(slices.Min(xs), slices.Max(xs))
	}
	for _, t := range xAxis.ticks {
		s.XTicks = append(s.XTicks, tick{round1(padL + xAxis.place(t)*(plotRight-padL)), format(t)})
	}
	for _, t := range yAxis.ticks {
		s.YTicks = append(s.YTicks, tick{round1(plotBottom - yAxis.place(t)*(plotBottom-padT)), significant(t, qualityDigits)})
	}
	for i := range s.Points {
		p := &s.Points[i]
		p.X = round1(padL + xAxis.place(p.x)*(plotRight-padL))
		p.Y = round1(plotBottom - yAxis.place(p.y)*(plotBottom-padT))
	}
	s.drawFront()
	s.Unnamed = placeLabels(s.Points)
	return s
}

// markFront marks the points that no other point dominates: less or equal x and more or equal y, one of them strictly.
func (s *scatter) markFront() {
	for i := range s.Points {
		p := &s.Points[i]
		p.OnFront = !slices.ContainsFunc(s.Points, func(o point) bool {
			return o.x <= p.x && o.y >= p.y && (o.x < p.x || o.y > p.y)
		})
	}
}

// drawFront draws the front as steps: what can be had for at most this x.
func (s *scatter) drawFront() {
	var front []point
	for _, p := range s.Points {
		if p.OnFront {
			front = append(front, p)
		}
	}
	slices.SortStableFunc(front, func(a, b point) int { return cmp.Compare(a.X, b.X) })
	for i, p := range front {
		if i == 0 {
			s.Front = fmt.Sprintf("M%g %gV%g", p.X, plotBottom, p.Y)
			continue
		}
		s.Front += fmt.Sprintf("H%gV%g", p.X, p.Y)
	}
	if len(front) > 0 {
		s.Front += fmt.Sprintf("H%g", plotRight)
	}
}

// box is the room a label takes.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) hits(o box) bool { return b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1 }

// placeLabels puts each name beside its point, at the first of a few places where it covers no point and no other name.
// Where all are taken, a point on the front gets the one with the fewest collisions and another point goes without a
// name. It returns how many do.
func placeLabels(points []point) (unnamed int) {
	var taken []box
	for _, p := range points {
		taken = append(taken, box{p.X - 6, p.Y - 6, p.X + 6, p.Y + 6})
	}
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { // names on the front choose first
		return btoi(points[b].OnFront) - btoi(points[a].OnFront)
	})
	for _, i := range order {
		p := &points[i]
		width := charW * float64(len([]rune(p.Name)))
		best, fewest := box{}, math.MaxInt
		for _, c := range []struct {
			dx, dy float64
			anchor string
		}{
			{markerGap, 4, "start"}, {-markerGap, 4, "end"}, {0, -markerGap, "middle"}, {0, markerGap + 9, "middle"},
			{markerGap - 2, -7, "start"}, {-markerGap + 2, -7, "end"}, {markerGap - 2, 15, "start"}, {-markerGap + 2, 15, "end"},
			{markerGap, -20, "start"}, {-markerGap, -20, "end"}, {markerGap, 28, "start"}, {-markerGap, 28, "end"},
		} {
			x, y := p.X+c.dx, p.Y+c.dy
			x0 := x
			switch c.anchor {
			case "end":
				x0 = x - width
			case "middle":
				x0 = x - width/2
			}
			b := box{x0, y - 11, x0 + width, y - 11 + labelH}
			n := 0
			for _, t := range taken {
				n += btoi(b.hits(t))
			}
			if b.x0 < padL || b.x1 > chartW || b.y0 < 0 || b.y1 > plotBottom {
				n += 10
			}
			if n < fewest {
				best, fewest = b, n
				p.LabelX, p.LabelY, p.Anchor = round1(x), round1(y), c.anchor
			}
		}
		if fewest > 0 && !p.OnFront {
			p.Anchor = ""
			unnamed++
			continue
		}
		taken = append(taken, best)
	}
	return unnamed
}

func round1(v float64) float64 { return math.Round(v*10) / 10 }
