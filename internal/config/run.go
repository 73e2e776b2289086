package config

import "go.yaml.in/yaml/v3"

// Run says how to run.
type Run struct {
	Name          string
	Seed          int
	Mode          string  // auto (live when a model in use can be reached), mock or live
	MaxWorkers    int     // questions at a time within a system
	SystemWorkers int     // systems at a time
	IngestWorkers int     // parallel calls while a system ingests
	MaxErrorRate  float64 // share of a system's questions that may fail before the run counts as failed

	MaxCostUSD     float64 // no new work once so much has been paid; 0: no cap
	ConfirmUSD     float64 // a live run that is estimated to cost more asks first
	ProbeQuestions int     // questions of each system asked again one at a time after a live run, for latency; 0: none
}

func defaultRun() Run {
	return Run{Mode: "auto", MaxWorkers: 4, SystemWorkers: 1, IngestWorkers: 4, MaxErrorRate: 0.2, ConfirmUSD: 1, ProbeQuestions: 5}
}

// runFields are the keys of run that evaluation does not take.
func (l *loader) runFields() []field {
	r := &l.cfg.Run
	return append([]field{
		{key: "name", read: l.nameTo(&r.Name)},
		{key: "seed", read: to(&l.reader, &r.Seed, wholeFrom(0))},
		{key: "mode", read: l.textTo(&r.Mode, "auto", "mock", "live")},
		{key: "output_dir", read: l.keep("results are in the database file")},
	}, l.sharedFields()...)
}

// sharedFields are the keys that run takes, and evaluation as well, where the Python original has them.
func (l *loader) sharedFields() []field {
	r := &l.cfg.Run
	list := []field{
		{key: "max_workers", read: to(&l.reader, &r.MaxWorkers, wholeFrom(1))},
		{key: "system_workers", read: to(&l.reader, &r.SystemWorkers, wholeFrom(1))},
		{key: "ingest_workers", read: to(&l.reader, &r.IngestWorkers, wholeFrom(1))},
		{key: "max_error_rate", read: to(&l.reader, &r.MaxErrorRate, numberIn(0, 1))},
		{key: "max_cost_usd", read: to(&l.reader, &r.MaxCostUSD, option{kind: number, lo: 0, hi: inf, above: true})},
		{key: "cost_confirm_threshold_usd", read: to(&l.reader, &r.ConfirmUSD, numberIn(0, inf))},
		{key: "latency_probe_questions", read: to(&l.reader, &r.ProbeQuestions, wholeFrom(0))},
	}
	for i, f := range list {
		list[i].read = func(where string, n *yaml.Node) {
			if first, ok := l.shared[f.key]; ok {
				l.fail(n, "%s: this is the same setting as %s, give one of them", where, first)
				return
			}
			l.shared[f.key] = where
			f.read(where, n)
		}
	}
	return list
}

// keep stores a value that this version does not use and says so.
func (l *loader) keep(reason string) func(string, *yaml.Node) {
	return func(where string, n *yaml.Node) {
		l.cfg.Raw[where] = n
		l.ignore(n, where, reason)
	}
}
