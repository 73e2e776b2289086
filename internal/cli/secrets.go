package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"ragbench/internal/store"
)

// suspects are the forms that keys and passwords have.
var suspects = []struct {
	name string
	re   *regexp.Regexp
}{
	{"an OpenAI or Anthropic key", regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{20,}`)},
	{"an AWS key", regexp.MustCompile(`\bAKIA[0-9A-Z]{16}\b`)},
	{"a GitHub token", regexp.MustCompile(`\b(?:ghp|gho|ghs|ghu|github_pat)_[A-Za-z0-9_]{30,}`)},
	{"a Google key", regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{35}`)},
	{"a Slack token", regexp.MustCompile(`\bxox[abprs]-[A-Za-z0-9-]{10,}`)},
	{"a bearer token", regexp.MustCompile(`(?i)\bbearer [A-Za-z0-9._~+/-]{20,}`)},
	{"an address with a password", regexp.MustCompile(`[a-z][a-z0-9+.-]*://[^/\s:@"']{1,100}:[^/\s:@"']{1,100}@`)},
	{"a private key", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----`)},
}

// secretName is what a variable is called that holds one.
var secretName = regexp.MustCompile(`(?i)(^|_)(api_?key|key|token|secret|password|passwd)$`)

// knownSecrets lists the values of this environment's keys, with those of .env, and the variables they are in.
func (a *app) knownSecrets() (map[string]string, error) {
	out := map[string]string{}
	add := func(name, value string) {
		// Short values are no secrets: servers without keys are given words such as "none".
		if value = strings.TrimSpace(value); len(value) >= 8 && secretName.MatchString(name) {
			out[value] = name
		}
	}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		add(name, value)
	}
	extra, err := readDotEnv(".env")
	for name, value := range extra {
		add(name, value)
	}
	for _, name := range []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY"} {
		add(name, a.getenv(name))
	}
	for _, value := range proxySecrets(a.getenv) {
		add("PROXY_PASSWORD", value)
	}
	return out, err
}

// found is a secret by its place.
type found struct {
	table, column, what string
	row                 int64
	known               bool // a value of this environment, not only a form
}

// errTooMany ends a scan that has found enough to tell.
var errTooMany = errors.New("enough")

// scan looks through every text of a file and fails when it finds a secret; it returns how many texts it read.
func (a *app) scan(ctx context.Context, path string, secrets map[string]string, o packOptions) (n int, err error) {
	f, err := open(ctx, path, store.Options{ReadOnly: true, MustExist: true})
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var list []found
	err = f.EachText(ctx, func(table, column string, row int64, text string) error {
		n++
		for value, name := range secrets {
			if strings.Contains(text, value) {
				list = append(list, found{table, column, "the value of " + name, row, true})
			}
		}
		for _, s := range suspects {
			if !o.allow && s.re.MatchString(text) {
				list = append(list, found{table, column, s.name, row, false})
			}
		}
		if len(list) > 20 {
			return errTooMany
		}
		return nil
	})
	if err != nil && !errors.Is(err, errTooMany) {
		return n, fmt.Errorf("look for secrets: %w", err)
	}
	return n, secretsFound(list)
}

// secretsFound names what a scan found without showing it.
func secretsFound(list []found) error {
	if len(list) == 0 {
		return nil
	}
	var lines []string
	for _, s := range list[:min(len(list), 20)] {
		lines = append(lines, fmt.Sprintf("  %s.%s, row %d: %s", s.table, s.column, s.row, s.what))
	}
	text := "nothing was written: the file holds what others must not see\n" + strings.Join(lines, "\n")
	if !slices.ContainsFunc(list, func(s found) bool { return s.known }) {
		text += "\nif these are no secrets: --allow-suspects"
	}
	return errors.New(text)
}
