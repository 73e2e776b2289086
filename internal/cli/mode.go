package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ragbench/internal/config"
)

// modeOf decides between mock, live and replay: mock by option, or when no model in use can be reached; otherwise live,
// and then every model must be reachable and none may be a mock. The error lists what is missing. Nothing is sent.
func (a *app) modeOf(c *config.Config, m *models) (string, error) {
	if m.err != nil {
		return "", m.err
	}
	if c.Run.Mode == "mock" || c.Run.Mode == "replay" {
		return c.Run.Mode, nil
	}
	var missing []error
	var mocks []string
	reachable := 0
	for _, r := range usedModels(c) {
		if strings.HasPrefix(r.ref, "mock:") {
			mocks = append(mocks, r.ref)
			continue
		}
		if err := m.check(r); err != nil {
			missing = append(missing, err)
			continue
		}
		reachable++
	}
	switch {
	case reachable == 0 && c.Run.Mode != "live":
		return "mock", nil
	case len(missing) > 0:
		return "", fmt.Errorf("a live run needs every model it uses (--mock runs without any):\n%w", missingModels(missing))
	case len(mocks) > 0:
		return "", fmt.Errorf("a live run does not mix with mock models, but uses %s", strings.Join(mocks, ", "))
	case reachable == 0:
		return "", errors.New("mode live: no system uses a model")
	}
	return "live", nil
}

// usedRef is a model that the systems of a file use.
type usedRef struct {
	ref       string
	embedding bool
}

// usedModels lists the models in use, each once, in the order of the systems.
func usedModels(c *config.Config) []usedRef {
	var list []usedRef
	add := func(ref string, embedding bool) {
		if r := (usedRef{ref, embedding}); ref != "" && !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	for i := range c.Systems {
		chats, embeddings := usedBy(&c.Systems[i])
		for _, ref := range chats {
			add(ref, false)
		}
		for _, ref := range embeddings {
			add(ref, true)
		}
	}
	return list
}

// embeddingChunkers cut by meaning, so that a system that embeds nothing else needs an embedding model too.
var embeddingChunkers = []string{"semantic", "raglite"}

// usedBy lists the models of one system.
func usedBy(s *config.System) (chats, embeddings []string) {
	chats, embeddings = s.Uses()
	if slices.Contains(embeddingChunkers, s.Chunker.Type) && !slices.Contains(embeddings, s.Models.Embedding) {
		embeddings = append(embeddings, s.Models.Embedding)
	}
	return chats, embeddings
}

// modelsOf prepares the models of a configuration and decides between mock and live. In a mock run the configuration
// names the mock models from then on.
func (a *app) modelsOf(f *file, c *config.Config) (*models, string, error) {
	m := a.newModels(f, c)
	mode, err := a.modeOf(c, m)
	if err != nil {
		return nil, "", err
	}
	if mode == "mock" {
		mockModels(c)
	}
	return m, mode, nil
}

// mockModels replaces the models of every system. All are replaced, so that mock and live never mix.
func mockModels(c *config.Config) {
	for i := range c.Systems {
		s := &c.Systems[i]
		if s.Models.Generator != "" {
			s.Models.Generator = mockChat
		}
		if s.Models.Embedding != "" && !strings.HasPrefix(s.Models.Embedding, "mock:") {
			s.Models.Embedding = mockEmbedding
		}
		for path, v := range s.Options {
			if ref, ok := v.(string); ok && strings.HasPrefix(path, "models.") && ref != "" {
				s.Options[path] = mockChat
			}
		}
	}
}
