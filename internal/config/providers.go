package config

import (
	"net/url"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Provider is a named endpoint that speaks OpenAI's protocol, used as openai_compatible:NAME/MODEL.
type Provider struct {
	Name      string
	BaseURL   string // with the version path, such as http://localhost:11434/v1
	APIKeyEnv string // environment variable that holds the key; empty when the server needs none

	MaxInputTokens int // longest text to embed, longer ones are cut and marked; 0: not known
	Limits         Limits
}

// providers reads the section providers in its order.
func (l *loader) providers(where string, n *yaml.Node) {
	for _, p := range l.pairs(n, where) {
		if p.key == "" || strings.ContainsAny(p.key, "/: ") {
			l.fail(p.name, "%s: want a name without slash, colon and space, got %q", where, p.key)
			continue
		}
		l.cfg.Providers = append(l.cfg.Providers, l.provider(p, join(where, p.key)))
	}
}

func (l *loader) provider(p pair, where string) Provider {
	out := Provider{Name: p.key}
	before := len(l.problems)
	l.fields(p.value, where,
		field{key: "type", read: l.textTo(new(string), "openai_compatible")},
		field{key: "base_url", read: l.baseURLTo(&out.BaseURL)},
		field{key: "api_key_env", read: l.nameTo(&out.APIKeyEnv)},
		field{key: "api_key", hide: true, read: func(where string, n *yaml.Node) {
			l.fail(n, "%s: a key does not belong in a file that is stored with the results; put it in an environment variable and name that in api_key_env", where)
		}},
		field{key: "max_input_tokens", read: to(&l.reader, &out.MaxInputTokens, wholeFrom(1))},
		field{key: "limits", read: l.limitsTo(&out.Limits)},
	)
	if out.BaseURL == "" && len(l.problems) == before {
		l.fail(p.name, "%s: base_url is missing", where)
	}
	return out
}

// baseURLTo reads the address of a server into dst. Its value is not repeated in messages, as it may hold a secret.
func (l *loader) baseURLTo(dst *string) func(string, *yaml.Node) {
	return func(where string, n *yaml.Node) {
		if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
			l.fail(n, "%s: want an address such as http://localhost:11434/v1", where)
			return
		}
		u, err := url.Parse(n.Value)
		switch {
		case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
			l.fail(n, "%s: want an address such as http://localhost:11434/v1", where)
		case u.User != nil || u.RawQuery != "":
			l.fail(n, "%s: user, password and query do not belong in a file that is stored with the results; name a variable with the key in api_key_env", where)
		default:
			*dst = n.Value
		}
	}
}
