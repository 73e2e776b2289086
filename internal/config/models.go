package config

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"ragbench/internal/spec"
)

// Models are full model references, provider:model. A reference without a provider is an OpenAI model.
type Models struct {
	Generator string // chat model that answers
	Embedding string // embedding model
	Judge     string // chat model that judges answers
}

// defaultModels are those of the Python original.
func defaultModels() Models {
	return Models{
		Generator: "openai:gpt-6-luna",
		Embedding: "openai:text-embedding-3-small",
		Judge:     "openai:gpt-6-luna",
	}
}

// modelFields are the keys of a models section, read into m.
func (l *loader) modelFields(m *Models) []field {
	return []field{
		{key: "generator", read: l.refTo(&m.Generator)},
		{key: "embedding", read: l.refTo(&m.Embedding)},
		{key: "judge", read: func(where string, n *yaml.Node) {
			l.refTo(&m.Judge)(where, n)
			if m != &l.cfg.Models {
				l.ignore(n, where, "one judge scores all systems, name it in models or in evaluation")
			} else if l.cfg.Judge.Kind == "" {
				l.cfg.Judge.Kind = "llm"
			}
		}},
	}
}

// refTo reads a model reference, split at the first colon, into dst as provider:model.
func (l *loader) refTo(dst *string) func(string, *yaml.Node) {
	return func(where string, n *yaml.Node) {
		v, ok := l.value(where, n, option{kind: text})
		if !ok {
			return
		}
		ref := v.(string)
		if !strings.Contains(ref, ":") {
			ref = "openai:" + ref
		}
		provider, model, _ := strings.Cut(ref, ":")
		switch {
		case provider == "" || model == "" || strings.ContainsAny(ref, " \t\r\n"):
			l.fail(n, "%s: want a model as provider:model, got %q", where, v)
		case len(l.known.Providers) > 0 && !slices.Contains(l.known.Providers, provider):
			l.fail(n, "%s: %v", where, spec.Unknown("model provider", provider, l.known.Providers))
		case provider == "openai_compatible":
			l.endpoint(where, n, model, dst)
		default:
			*dst = ref
		}
	}
}

// endpoint checks that the first part of endpoint/model is an entry of providers.
func (l *loader) endpoint(where string, n *yaml.Node, model string, dst *string) {
	name, rest, _ := strings.Cut(model, "/")
	var valid []string
	for _, p := range l.cfg.Providers {
		valid = append(valid, p.Name)
	}
	switch {
	case name == "" || rest == "":
		l.fail(n, "%s: want openai_compatible:ENDPOINT/MODEL, got %q", where, n.Value)
	case len(valid) == 0:
		l.fail(n, "%s: endpoint %q is not described, the file has no section providers", where, name)
	case !slices.Contains(valid, name):
		l.fail(n, "%s: %v", where, spec.Unknown("endpoint", name, valid))
	default:
		*dst = "openai_compatible:" + model
	}
}
