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
	id := identity(r, u, key)
	if r.Provider == "openai" {
		id.price = r.Model
	}
	cfg := openai.DefaultConfig(key)
	cfg.BaseURL = strings.TrimRight(base, "/")
	cfg.HTTPClient = newDoer(env.client())
	return openai.NewClientWithConfig(cfg), id, nil
}

// identity says where a model is, with what of its address and key must not be seen.
func identity(r Ref, u *url.URL, key string) Identity {
	id := Identity{Ref: r.String(), BaseURL: u.Scheme + "://" + u.Host + strings.TrimRight(u.Path, "/")}
	if key != "" {
		id.secrets = append(id.secrets, key)
	}
	id.secrets = append(id.secrets, urlSecrets(u)...)
	return id
}

// openAIAddress returns where a model is and the key it is asked with. A replay needs no key, and asks the address that
// the stored calls were sent to.
func openAIAddress(r Ref, env Env) (base, key string, err error) {
	if r.Provider == "openai" {
		key, err = env.key("OPENAI_API_KEY")
		return env.base(r, "OPENAI_BASE_URL", openAIBaseURL), key, err
	}
	e, ok := env.Endpoints[r.Endpoint]
	if !ok {
		return "", "", spec.Unknown("endpoint", r.Endpoint, slices.Sorted(maps.Keys(env.Endpoints)))
	}
	if e.APIKeyEnv != "" {
		key, err = env.key(e.APIKeyEnv)
	}
	return e.BaseURL, key, err
}

// checkServed refuses a reply of another model than the one asked of OpenAI. A dated snapshot of it is the same model.
// Compatible servers name models as they please: their name is stored and not judged.
func checkServed(r Ref, served string) error {
	if r.Provider != "openai" || served == "" || served == r.Model || strings.HasPrefix(served, r.Model+"-") {
		return nil
	}
	return &CallError{Message: fmt.Sprintf("asked for model %s and was answered by %s", r.Model, served)}
}
