package config

import "strings"

// fill computes every option of s from what it says for itself, the sections of defaults and the defaults of its type.
func (l *loader) fill(s *System, lay layout, own map[string]pair, where string) {
	if lay.chunks {
		s.Chunker = l.chunker(own, lay, where)
	}
	s.Retrieval = l.retrieval(own, lay, where)
	s.takes = map[string]bool{}
	for _, o := range retrievalOptions() {
		if _, ok := lay.options["retrieval."+o.name]; ok {
			s.takes[o.name] = true
		}
	}
	s.Models, s.models = l.cfg.Models, lay.models
	for _, f := range l.modelFields(&s.Models) {
		if p, ok := own["models."+f.key]; ok {
			f.read(join(where, "models."+f.key), p.value)
		}
	}
	s.TopK = l.topK(own, lay, where)
	s.ContextK = l.cfg.Evaluation.ContextK
	if s.TopK != nil {
		s.ContextK = *s.TopK
	}
	s.Depth = max(l.cfg.Evaluation.RetrievalDepth, s.ContextK)
	s.Options = map[string]any{}
	for path, o := range lay.options {
		if key, ok := strings.CutPrefix(path, "retrieval."); ok && s.takes[key] {
			continue
		}
		if p, ok := own[path]; ok && inSection(path, "models") {
			var ref string
			l.refTo(&ref)(join(where, path), p.value)
			s.Options[path] = ref
			continue
		}
		var v any
		l.effective(own, path, where, fromSpec(path, o), true, &v)
		s.Options[path] = v
	}
}

// topK returns the number of chunks the generator reads, or nil when nothing says so. Of several spellings the first of
// topKPaths wins, and what the system says for itself wins over the file's section.
func (l *loader) topK(own map[string]pair, lay layout, where string) *int {
	if !lay.topK {
		return nil
	}
	var k *int
	for _, path := range topKPaths {
		if p, ok := own[path]; ok && k != nil {
			l.ignore(p.name, join(where, path), "another spelling of the setting wins")
		} else if ok {
			k = new(int)
			l.effective(own, path, where, wholeFrom(1), false, k)
		}
	}
	for _, path := range topKPaths {
		if _, ok := l.global[path]; ok && k == nil {
			k = new(int)
			l.effective(own, path, where, wholeFrom(1), true, k)
		}
	}
	return k
}
