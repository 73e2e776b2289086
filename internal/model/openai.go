package model

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/sashabaranov/go-openai"

	"ragbench/internal/spec"
)

const openAIBaseURL = "https://api.openai.com/v1"

// openAIClient returns the client and identity of a model of OpenAI or of a compatible endpoint.
func openAIClient(r Ref, env Env) (*openai.Client, Identity, error) {
	base, key, err := openAIAddress(r, env)
	if err != nil {
		return nil, Identity{}, fmt.Errorf("model reference %q: %w", r, err)
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		// The address is not quoted: it may hold a password.
		return nil, Identity{}, fmt.Errorf("model reference %q: the base URL is not an http or https address", r)
	}
	id := Identity{Ref: r.String(), BaseURL: u.Scheme + "://" + u.Host + strings.TrimRight(u.Path, "/")}
	if key != "" {
		id.secrets = append(id.secrets, key)
	}
	if u.User != nil {
		id.secrets = append(id.secrets, u.User.String())
		if pw, ok := u.User.Password(); ok {
			id.secrets = append(id.secrets, pw)
		}
	}
	for _, values := range u.Query() {
		id.secrets = append(id.secrets, values...)
	}
	if r.Provider == "openai" {
		id.price = r.Model
	}
	cfg := openai.DefaultConfig(key)
	cfg.BaseURL = strings.TrimRight(base, "/")
	cfg.HTTPClient = newDoer(env.HTTP)
	return openai.NewClientWithConfig(cfg), id, nil
}

func openAIAddress(r Ref, env Env) (base, key string, err error) {
	if r.Provider == "openai" {
		key = strings.TrimSpace(env.getenv("OPENAI_API_KEY"))
		if key == "" {
			return "", "", fmt.Errorf("OPENAI_API_KEY is not set")
		}
		base = strings.TrimSpace(env.getenv("OPENAI_BASE_URL"))
		if base == "" {
			base = openAIBaseURL
		}
		return base, key, nil
	}
	e, ok := env.Endpoints[r.Endpoint]
	if !ok {
		return "", "", spec.Unknown("endpoint", r.Endpoint, slices.Sorted(maps.Keys(env.Endpoints)))
	}
	if e.APIKeyEnv != "" {
		key = strings.TrimSpace(env.getenv(e.APIKeyEnv))
		if key == "" {
			return "", "", fmt.Errorf("%s is not set", e.APIKeyEnv)
		}
	}
	return e.BaseURL, key, nil
}

// checkServed refuses a reply of another model than the one asked of OpenAI. A dated snapshot of it is the same model.
// Compatible servers name models as they please: their name is stored and not judged.
func checkServed(r Ref, served string) error {
	if r.Provider != "openai" || served == "" || served == r.Model || strings.HasPrefix(served, r.Model+"-") {
		return nil
	}
	return &CallError{Message: fmt.Sprintf("asked for model %s and was answered by %s", r.Model, served)}
}
