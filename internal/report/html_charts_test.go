package report

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// placed makes a scatter of systems named a, b, c …
func placed(points ...[2]float64) scatter {
	systems := make([]systemInfo, len(points))
	for i := range systems {
		systems[i] = systemInfo{ID: int64(i), Name: string(rune('a' + i))}
	}
	return newScatter("x", "t", "x", "y", duration, systems, func(s systemInfo) (float64, float64, bool) {
		p := points[s.ID]
		return p[0], p[1], !math.IsNaN(p[1])
	})
}

func TestFront(t *testing.T) {
	for _, tt := range []struct {
		name   string
		points [][2]float64
		want   string
	}{
		{"one", [][2]float64{{1, .5}}, "a"},
		{"a slower and better one is on it", [][2]float64{{1, .5}, {2, .6}}, "ab"},
		{"a slower and worse one is not", [][2]float64{{1, .5}, {2, .4}}, "a"},
		{"slower and as good is not", [][2]float64{{1, .5}, {2, .5}}, "a"},
		{"as fast and worse is not", [][2]float64{{1, .4}, {1, .5}}, "b"},
		{"equal ones both are", [][2]float64{{1, .5}, {1, .5}, {3, .1}}, "ab"},
	} {
		got := ""
		for _, p := range placed(tt.points...).Points {
			if p.OnFront {
				got += p.Name
			}
		}
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestScatterLeavesOutWhatHasNoValue(t *testing.T) {
	s := placed([2]float64{1, .5}, [2]float64{1, math.NaN()})
	if len(s.Points) != 1 || s.Left != "Not placed, for want of a value: b." {
		t.Errorf("got %d points and %q", len(s.Points), s.Left)
	}
}

func TestScatterScale(t *testing.T) {
	if s := placed([2]float64{1, .5}, [2]float64{7, .6}); s.Log {
		t.Error("a range of 7 is logarithmic")
	}
	if s := placed([2]float64{1, .5}, [2]float64{9, .6}); !s.Log {
		t.Error("a range of 9 is linear")
	}
	if s := placed([2]float64{0, .5}, [2]float64{9, .6}); s.Log {
		t.Error("a range from 0 is logarithmic")
	}
}

func TestScatterStaysInside(t *testing.T) {
	for _, points := range [][][2]float64{
		{{0, 0}}, {{5, 1}, {5, 1}}, {{1e-3, .2}, {1e5, .9}}, {{0, 0}, {1, 1}}, {{3, .5}, {3.0001, .50001}},
	} {
		s := placed(points...)
		for _, p := range s.Points {
			if !(p.X >= padL && p.X <= plotRight && p.Y >= padT && p.Y <= plotBottom) {
				t.Errorf("%v: a point at %v, %v", points, p.X, p.Y)
			}
		}
		if n := len(s.XTicks); n < 2 || n > 14 {
			t.Errorf("%v: %d marks across", points, n)
		}
	}
}

func TestNamesDoNotCoverEachOther(t *testing.T) {
	var points [][2]float64
	for i := range 25 {
		points = append(points, [2]float64{1 + float64(i%5)/100, .5 - float64(i)/1000})
	}
	s := placed(points...)
	var boxes []box
	for _, p := range s.Points {
		if p.Anchor == "" || p.OnFront {
			continue
		}
		x0 := p.LabelX - map[string]float64{"start": 0, "middle": charW / 2, "end": charW}[p.Anchor]
		b := box{x0, p.LabelY - 11, x0 + charW, p.LabelY - 11 + labelH}
		for _, o := range boxes {
			if b.hits(o) {
				t.Errorf("%s covers another name", p.Name)
			}
		}
		boxes = append(boxes, b)
	}
}

func TestLinearAxis(t *testing.T) {
	for _, tt := range []struct {
		lo, hi float64
		want   []string
	}{
		{0, 1, []string{"0", "0.2", "0.4", "0.6", "0.8", "1"}},
		{0.35, 0.68, []string{"0.3", "0.4", "0.5", "0.6", "0.7", "0.8"}},
		{0.93, 0.98, []string{"0.92", "0.94", "0.96", "0.98", "1"}},
		{0, 0, []string{"0", "0.02", "0.04", "0.06", "0.08", "0.1"}},
		{5, 5, []string{"4.4", "4.6", "4.8", "5", "5.2", "5.4", "5.6"}},
	} {
		var got []string
		for _, v := range linearAxis(tt.lo, tt.hi, 5, 1).ticks {
			got = append(got, significant(v, 3))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v to %v (-want +got):\n%s", tt.lo, tt.hi, diff)
		}
	}
}

func TestCurveBreaksWhereAValueIsMissing(t *testing.T) {
	run := runInfo{KValues: []int{10, 1, 5}}
	systems := []systemInfo{{ID: 1, Name: "whole"}, {ID: 2, Name: "gap"}, {ID: 3, Name: "none"}}
	all := map[int64]*measures{
		1: {values: map[string]float64{"recall@1": .1, "recall@5": .2, "recall@10": .3}},
		2: {values: map[string]float64{"recall@1": .1, "recall@10": .3}},
		3: {values: map[string]float64{}},
	}
	c := newCurve(run, systems, all)
	if diff := cmp.Diff([]int{1, 5, 10}, c.Ks); diff != "" {
		t.Errorf("ks (-want +got):\n%s", diff)
	}
	var got []string
	for _, l := range c.Lines {
		pen := ""
		for _, r := range l.Path {
			if r == 'M' || r == 'L' {
				pen += string(r)
			}
		}
		got = append(got, fmt.Sprint(l.Name, " ", pen, " ", l.Values))
	}
	want := []string{"whole MLL [0.100 0.200 0.300]", "gap MM [0.100  0.300]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if a, b := c.Lines[0].LabelY, c.Lines[1].LabelY; math.Abs(a-b) < labelH {
		t.Errorf("names at %v and %v cover each other", a, b)
	}
}
