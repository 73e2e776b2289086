package config

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Config is a checked experiment file.
type Config struct {
	File   string // as given
	Text   string // verbatim
	SHA256 string // of Text, in hexadecimal

	Run        Run
	Dataset    Dataset
	Models     Models // of systems that do not name their own
	Providers  []Provider
	Limits     map[string]Limits // of openai and anthropic; those of an endpoint are in Providers
	Pricing    []Price           // in the order of the file
	Cache      Cache
	Evaluation Evaluation
	Judge      Judge
	Stats      Stats
	Selection  Selection
	Systems    []System      // in the order of the file, after Overrides.Only and Skip
	Expect     []Expectation // in the order of the file

	Raw     map[string]*yaml.Node // values that are kept and not used, by dotted path
	Ignored []Ignored             // keys without effect, by line
}

// loader is the state of one Load.
type loader struct {
	reader
	cfg    *Config
	known  Known
	over   Overrides
	global map[string]pair   // the sections chunker and retrieval, by dotted path
	used   map[string]bool   // paths of global that some system took
	shared map[string]string // keys of run and evaluation alike: where each was given

	judgeWarm *yaml.Node // where the judge's temperature stands, nil when nowhere
}

// Load reads and checks the file at path. Overrides come from the command line. When the file is at fault the error is
// an *Error with all its problems.
func Load(path string, known Known, over Overrides) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	return Parse(path, data, known, over)
}

// Parse is Load for text that has been read. Paths in it are relative to the folder of file, else to the working folder.
func Parse(file string, data []byte, known Known, over Overrides) (*Config, error) {
	sum := sha256.Sum256(data)
	l := &loader{
		cfg: &Config{
			File: file, Text: string(data), SHA256: hex.EncodeToString(sum[:]),
			Run: defaultRun(), Dataset: defaultDataset(), Models: defaultModels(), Evaluation: defaultEvaluation(),
			Cache: defaultCache(),
			Judge: defaultJudge(), Stats: defaultStats(), Selection: defaultSelection(),
			Raw: map[string]*yaml.Node{},
		},
		known: known, over: over,
		global: map[string]pair{}, used: map[string]bool{}, shared: map[string]string{},
	}
	if root := l.document(data); root != nil {
		l.read(root)
	}
	if err := l.err(file); err != nil {
		return nil, err
	}
	if over.NoCache {
		l.cfg.Cache.Enabled = false
	}
	if err := l.cfg.Select(over.Only, over.Skip); err != nil {
		return nil, err
	}
	l.unusedGlobals()
	l.cfg.Ignored = l.ignored
	slices.SortStableFunc(l.cfg.Ignored, func(a, b Ignored) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key))
	})
	l.cfg.Ignored = slices.Compact(l.cfg.Ignored)
	return l.cfg, nil
}

// read reads the sections in the order in which they need each other, whatever their order in the file.
func (l *loader) read(root *yaml.Node) {
	if root.Kind != yaml.MappingNode {
		l.fail(root, "the file: want keys with values, got %s", describe(root))
		return
	}
	nodes := map[string]*yaml.Node{}
	section := func(key string) field {
		return field{key: key, read: func(_ string, n *yaml.Node) { nodes[key] = n }}
	}
	unused := func(key, reason string) field { return field{key: key, read: l.keep(reason)} }
	l.fields(root, "",
		section("run"), section("dataset"), section("models"), section("providers"), section("chunker"),
		section("retrieval"), section("evaluation"), section("systems"), section("expect"),
		field{key: "sweep", hide: true, read: func(where string, n *yaml.Node) {
			l.fail(n, "%s: a sweep belongs to a system, write it in an entry of systems", where)
		}},
		field{key: "cache", read: l.cache}, field{key: "pricing", read: l.pricing}, section("limits"),
		field{key: "stats", read: l.stats}, field{key: "selection", read: l.selection},
		unused("report", "this version writes no report"),
		unused("tools", "this version has no tools"),
	)
	l.fields(nodes["run"], "run", l.runFields()...)
	if l.cfg.Run.Name == "" {
		l.cfg.Run.Name = strings.TrimSuffix(filepath.Base(l.cfg.File), filepath.Ext(l.cfg.File))
	}
	l.apply()
	l.dataset("dataset", nodes["dataset"])
	l.providers("providers", nodes["providers"])
	l.limits("limits", nodes["limits"])
	l.fields(nodes["models"], "models", l.modelFields(&l.cfg.Models)...)
	l.globals("chunker", nodes["chunker"])
	l.globals("retrieval", nodes["retrieval"])
	l.evaluation("evaluation", nodes["evaluation"])
	l.finishJudge()
	if nodes["systems"] == nil {
		l.fail(nil, "systems: want a list of at least one system")
	} else {
		l.systems("systems", nodes["systems"])
	}
	l.expect("expect", nodes["expect"])
}
