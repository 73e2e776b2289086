package config

import "go.yaml.in/yaml/v3"

// Defaults returns a configuration with every default and no system.
func Defaults() *Config {
	return &Config{
		Run: defaultRun(), Dataset: defaultDataset(), Models: defaultModels(), Evaluation: defaultEvaluation(), Cache: defaultCache(),
		Judge: defaultJudge(), Stats: defaultStats(), Selection: defaultSelection(), Raw: map[string]*yaml.Node{},
	}
}
