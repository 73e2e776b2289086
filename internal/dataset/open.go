package dataset

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Open finds the parts of a dataset. Documents must exist; questions and labels need not, unless they were named.
func Open(p Paths) (*Source, error) {
	if err := p.Load.Validate(); err != nil {
		return nil, err
	}
	s := &Source{Layout: "files", paths: p}
	if p.Root != "" {
		if err := s.detect(); err != nil {
			return nil, fmt.Errorf("open dataset %s: %w", p.Root, err)
		}
	}
	for _, part := range []struct {
		what, given string
		to          *string
	}{{"documents", p.Docs, &s.DocsPath}, {"questions", p.Questions, &s.QuestionsPath}, {"qrels", p.Qrels, &s.QrelsPath}} {
		if part.given == "" {
			continue
		}
		found, err := s.resolve(part.given)
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", part.what, err)
		}
		*part.to = found
	}
	if s.DocsPath == "" {
		if p.Root == "" {
			return nil, fmt.Errorf("open dataset: no path of documents is given")
		}
		return nil, fmt.Errorf("open dataset %s: %w", p.Root, errNoDocs)
	}
	return s, nil
}

// detect fills in the paths that the layout of Root says.
func (s *Source) detect() error {
	info, err := s.stat(s.paths.Root)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("it is not a folder; name a single file as the path of documents")
	}
	switch {
	case s.exists("docs"):
		s.Layout = "folder"
		s.DocsPath = s.join("docs")
		if s.exists("questions.jsonl") {
			s.QuestionsPath = s.join("questions.jsonl")
		}
		if s.exists("qrels.jsonl") {
			s.QrelsPath = s.join("qrels.jsonl")
		}
	case s.exists("corpus.jsonl"):
		s.Layout = "beir"
		s.DocsPath = s.join("corpus.jsonl")
		if s.exists("queries.jsonl") {
			s.QuestionsPath = s.join("queries.jsonl")
		}
		if s.paths.Qrels != "" || !s.exists("qrels") {
			return nil
		}
		split := s.paths.Split
		if split == "" {
			split = "test"
		}
		if !s.exists("qrels", split+".tsv") {
			return fmt.Errorf("no split %q: qrels has %s", split, strings.Join(s.splits(), ", "))
		}
		s.QrelsPath = s.join("qrels", split+".tsv")
	}
	return nil
}

// splits lists the names of the tables of labels.
func (s *Source) splits() []string {
	var names []string
	entries, err := s.readDir(s.join("qrels"))
	if err == nil {
		for _, e := range entries {
			if name, ok := strings.CutSuffix(e.Name(), ".tsv"); ok {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return []string{"none"}
	}
	return names
}

// resolve returns the place of a path that was given.
func (s *Source) resolve(given string) (string, error) {
	absolute := s.paths.FS == nil && filepath.IsAbs(given)
	if s.paths.Root != "" && !absolute {
		if _, err := s.stat(s.join(given)); err == nil {
			return s.join(given), nil
		}
	}
	if _, err := s.stat(given); err != nil {
		return "", err
	}
	return given, nil
}

func (s *Source) join(parts ...string) string {
	parts = append([]string{s.paths.Root}, parts...)
	if s.paths.FS != nil {
		return path.Join(parts...)
	}
	return filepath.Join(parts...)
}

func (s *Source) exists(parts ...string) bool {
	_, err := s.stat(s.join(parts...))
	return err == nil
}

func (s *Source) stat(name string) (fs.FileInfo, error) {
	if s.paths.FS != nil {
		return fs.Stat(s.paths.FS, name)
	}
	return os.Stat(name)
}

func (s *Source) readDir(name string) ([]fs.DirEntry, error) {
	if s.paths.FS != nil {
		return fs.ReadDir(s.paths.FS, name)
	}
	return os.ReadDir(name)
}
