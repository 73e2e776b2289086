package config

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// Judge says how answers are judged at the end of a run.
type Judge struct {
	Kind            string // none, heuristic or llm; empty: llm when a judge model is named, else heuristic
	Model           string // full reference; empty: models.judge
	Samples         int    // judgments an answer
	Temperature     float64
	OnFailure       string // heuristic (the Python original's rule) or missing
	MaxContextChars int    // of the passages that the judge reads
}

// defaultSampling is the temperature of several samples, which would be one and the same at 0.
const defaultSampling = 0.7

func defaultJudge() Judge { return Judge{Samples: 1, OnFailure: "heuristic", MaxContextChars: 12000} }

// judgeFields are the spellings of the Python original, beside the section judge.
func (l *loader) judgeFields() []field {
	j := &l.cfg.Judge
	return []field{
		{key: "judge", read: l.judge},
		{key: "judge_enabled", read: func(where string, n *yaml.Node) {
			on := true
			if to(&l.reader, &on, option{kind: boolean})(where, n); !on {
				j.Kind = "none"
			} else if j.Kind == "" {
				j.Kind = "llm"
			}
		}},
		{key: "judge_model", read: l.judgeModel},
		{key: "judge_samples", read: to(&l.reader, &j.Samples, option{kind: whole, lo: 1, hi: 10})},
		{key: "judge_temperature", read: l.judgeTemperature},
	}
}

// judge reads none, heuristic, llm or a model reference, or a mapping.
func (l *loader) judge(where string, n *yaml.Node) {
	j := &l.cfg.Judge
	if n.Kind != yaml.MappingNode {
		v, ok := l.value(where, n, option{kind: text})
		switch {
		case !ok:
		case v == "none" || v == "heuristic" || v == "llm":
			j.Kind = v.(string)
		case strings.Contains(v.(string), ":"):
			l.judgeModel(where, n)
		default:
			l.fail(n, "%s: want none, heuristic, llm or a model as provider:model, got %q", where, v)
		}
		return
	}
	l.fields(n, where,
		field{key: "kind", read: l.textTo(&j.Kind, "none", "heuristic", "llm")},
		field{key: "model", read: l.judgeModel},
		field{key: "samples", read: to(&l.reader, &j.Samples, option{kind: whole, lo: 1, hi: 10})},
		field{key: "temperature", read: l.judgeTemperature},
		field{key: "on_failure", read: l.textTo(&j.OnFailure, "heuristic", "missing")},
		field{key: "max_context_chars", read: to(&l.reader, &j.MaxContextChars, wholeFrom(100))},
	)
}

// judgeModel reads the model that judges, which also says that a model does.
func (l *loader) judgeModel(where string, n *yaml.Node) {
	l.refTo(&l.cfg.Judge.Model)(where, n)
	if l.cfg.Judge.Kind == "" {
		l.cfg.Judge.Kind = "llm"
	}
}

func (l *loader) judgeTemperature(where string, n *yaml.Node) {
	l.judgeWarm = n
	to(&l.reader, &l.cfg.Judge.Temperature, numberIn(0, 2))(where, n)
}

// finishJudge fills in what follows from the rest. It is called once everything has been read.
func (l *loader) finishJudge() {
	j := &l.cfg.Judge
	if j.Kind == "" {
		j.Kind = "heuristic"
	}
	if j.Model == "" {
		j.Model = l.cfg.Models.Judge
	}
	if j.Samples > 1 && l.judgeWarm == nil {
		j.Temperature = defaultSampling
	} else if j.Samples > 1 && j.Temperature == 0 {
		l.fail(l.judgeWarm, "evaluation.judge: want a temperature above 0 for %d samples, as they would all be the same", j.Samples)
	}
}
