package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// commandsPage writes the generated page of all commands and returns it.
func commandsPage(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(t, program(t)(t.Context(), "docs", dir))
	b, err := os.ReadFile(filepath.Join(dir, "commands.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var heading = regexp.MustCompile(`(?m)^## ragbench (.+)$`)

// helpTexts returns what --help says of every command, groups and the program itself included.
func helpTexts(t *testing.T) map[string]string {
	t.Helper()
	names := map[string]string{"": ""}
	for _, m := range heading.FindAllStringSubmatch(commandsPage(t), -1) {
		if group, _, ok := strings.Cut(m[1], " "); ok {
			names[group] = ""
		}
		names[m[1]] = ""
	}
	ragbench := program(t)
	for name := range names {
		names[name] = must(t, ragbench(t.Context(), append(strings.Fields(name), "--help")...))
	}
	return names
}

// TestHelpShowsExamplesFirst asks every command for help: on stdout, examples before the usage.
func TestHelpShowsExamplesFirst(t *testing.T) {
	texts := helpTexts(t)
	if len(texts) < 15 {
		t.Errorf("got help of %d commands, want more", len(texts))
	}
	for name, help := range texts {
		examples, usage := strings.Index(help, "Examples:\n  ragbench "), strings.Index(help, "\nUsage:\n  ragbench ")
		if examples < 0 || usage < examples {
			t.Errorf("ragbench %s --help: got examples at %d and usage at %d, want examples first:\n%s", name, examples, usage, help)
		}
	}
}

// TestExamplesParse types every example of every help text, of the README and of the configurations, in an empty folder: it
// may lack its files, but its commands and flags exist and take what is given to them.
func TestExamplesParse(t *testing.T) {
	var lines []string
	for _, help := range helpTexts(t) {
		_, examples, _ := strings.Cut(help, "Examples:\n")
		examples, _, _ = strings.Cut(examples, "\nUsage:\n")
		lines = append(lines, exampleLines(examples)...)
	}
	if len(lines) < 20 {
		t.Errorf("got %d examples of the commands, want more: %q", len(lines), lines)
	}
	pages, err := filepath.Glob("../../configs/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "../../README.md", "../../CONTRIBUTING.md") {
		lines = append(lines, exampleLines(readme(t, page))...)
	}
	ragbench := program(t)
	dir := t.TempDir()
	for _, line := range lines {
		for _, command := range commandsOf(line) {
			cmd := ragbench(t.Context(), command...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if m := misuse.Find(out); m != nil {
				t.Errorf("%s\n  %s", line, out)
			}
		}
	}
}

// misuse is how a message about the command line itself reads, other than one about a missing file.
var misuse = regexp.MustCompile(`; see ragbench .*--help|unknown command|unknown flag|unknown shorthand|arg\(s\)|unknown query|unknown parameter|unknown family|unknown component|unknown format|unknown method|unknown preset|did you mean|takes no parameters|want NAME=VALUE`)

// TestReadme runs the README's lines about demo.db over a finished demo run, and looks up the targets of make it names.
func TestReadme(t *testing.T) {
	text := readme(t, "../../README.md")
	dir := t.TempDir()
	b, err := os.ReadFile(demoRun(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "demo.db"), b, 0o644); err != nil {
		t.Fatal(err)
	}
	ragbench := program(t)
	ran := 0
	for _, line := range exampleLines(text) {
		for _, command := range commandsOf(line) {
			if !strings.Contains(line, "--db demo.db") || strings.Contains(line, "configs/") {
				continue
			}
			ran++
			cmd := ragbench(t.Context(), command...)
			cmd.Dir = dir
			if out := must(t, cmd); strings.Count(out, "\n") < 3 && !strings.Contains(line, "report") {
				t.Errorf("%s: got %q, want rows", line, out)
			}
		}
	}
	if ran < 3 {
		t.Errorf("got %d lines of the README about demo.db, want at least 3", ran)
	}

	targets := readme(t, "../../Makefile")
	named := regexp.MustCompile("(?m)(?:^|`)make ([a-z][a-z-]*)").FindAllStringSubmatch(text, -1)
	if len(named) == 0 {
		t.Error("got no make target in the README, want some")
	}
	for _, m := range named {
		if !strings.Contains(targets, "\n"+m[1]+":") {
			t.Errorf("the README names make %s, which the Makefile lacks", m[1])
		}
	}
}

// readme reads a file of the repository.
func readme(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var example = regexp.MustCompile("(?m)^(?:#? *)(?:bin/)?(ragbench [a-z][^\n]*)$|`(?:bin/)?(ragbench [a-z][^`\n]*)`")

// exampleLines returns the lines of a text that are commands, and the commands quoted in it, but for those that hold the
// placeholders of a usage line.
func exampleLines(text string) []string {
	var lines []string
	for _, m := range example.FindAllStringSubmatch(text, -1) {
		line := m[1] + m[2]
		if usage.MatchString(line) {
			continue
		}
		lines = append(lines, line)
	}
	return lines
}

var usage = regexp.MustCompile(`\[|<|…|\.\.\.|\b(DIR|DB|FILE|NAME|FAMILY|RUN|CONFIG|DATASET|QUESTION|STATEMENT|COMMAND)\b`)

// commandsOf splits a line into its commands and those into arguments, as a shell does. What follows two spaces or a # is a
// remark.
func commandsOf(line string) (commands [][]string) {
	var args []string
	for rest := line; ; {
		trimmed := strings.TrimLeft(rest, " ")
		if trimmed == "" || trimmed[0] == '#' || len(args) > 0 && len(rest)-len(trimmed) > 1 {
			break
		}
		word := ""
		for trimmed != "" && trimmed[0] != ' ' {
			switch end := 0; trimmed[0] {
			case '"', '\'':
				end = 1 + strings.IndexByte(trimmed[1:], trimmed[0])
				word, trimmed = word+trimmed[1:end], trimmed[end+1:]
			default:
				word, trimmed = word+trimmed[:1], trimmed[1:]
			}
		}
		rest = trimmed
		if word == "&&" {
			commands, args = append(commands, args[1:]), nil
			continue
		}
		args = append(args, word)
	}
	return append(commands, args[1:])
}
