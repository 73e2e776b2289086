package report

// chart draws what the measures give: quality over time, over cost where costs differ, and recall by depth.
func (p *page) chart(systems []systemInfo) {
	quality := p.Run.Primary()
	if rated(systems, p.measures) {
		quality = "answer_score"
	}
	over := func(key string) func(systemInfo) (float64, float64, bool) {
		return func(s systemInfo) (float64, float64, bool) {
			x, okx := p.measures[s.ID].values[key]
			y, oky := p.measures[s.ID].values[quality]
			return x, y, okx && oky
		}
	}
	yTitle := title(quality)
	if s := newScatter("by-time", yTitle+" over time", "median time of an answer", yTitle, duration, systems, over("p50")); len(s.Points) > 0 {
		p.Tradeoffs = append(p.Tradeoffs, s)
	}
	if s := newScatter("by-cost", yTitle+" over cost", "mean cost of an answer", yTitle, dollars, systems, over("cost")); s.differ() {
		p.Tradeoffs = append(p.Tradeoffs, s)
	}
	p.Curve = newCurve(p.Run, systems, p.measures)
}

// differ tells whether the points differ in x.
func (s scatter) differ() bool {
	for _, p := range s.Points {
		if p.x != s.Points[0].x {
			return true
		}
	}
	return false
}

// rated tells whether a judge has scored the answers of every system.
func rated(systems []systemInfo, all map[int64]*measures) bool {
	for _, s := range systems {
		if _, ok := all[s.ID].values["answer_score"]; !ok {
			return false
		}
	}
	return len(systems) > 0
}
