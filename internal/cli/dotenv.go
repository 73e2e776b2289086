package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// modelEnv is the environment that models see: the process's, and what the file .env of the working folder adds to it.
// A .env in another folder is not looked for, and none is ever stored. A file that cannot be read is an error, since a
// run without its keys would be another run.
func (a *app) modelEnv() (func(string) string, error) {
	extra, err := readDotEnv(".env")
	if err != nil {
		return a.getenv, err
	}
	return func(name string) string {
		if v := a.getenv(name); v != "" {
			return v
		}
		return extra[name]
	}, nil
}

// readDotEnv reads NAME=VALUE lines: "export " before the name, quotes around the value and # comments are allowed.
// Values are taken as they stand, without substitution.
func readDotEnv(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read .env: %w", err)
	}
	defer f.Close()
	out := map[string]string{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" || strings.ContainsAny(name, " \t\"'") {
			return nil, fmt.Errorf("read .env: line %d is no NAME=VALUE", n) // not quoted: it may hold a key
		}
		out[name] = dotEnvValue(strings.TrimSpace(value))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read .env: %w", err)
	}
	return out, nil
}

// dotEnvValue takes the quotes off a value, or the comment behind one without quotes.
func dotEnvValue(v string) string {
	if len(v) > 0 && (v[0] == '"' || v[0] == '\'') {
		if end := strings.IndexByte(v[1:], v[0]); end >= 0 {
			return v[1 : end+1]
		}
	}
	if i := strings.Index(v, " #"); i >= 0 {
		v = strings.TrimSpace(v[:i])
	}
	return v
}
