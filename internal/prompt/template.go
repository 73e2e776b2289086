// Package prompt holds the texts that models read: one .tmpl file a prompt, compiled into the program, each with a
// name, a version and a SHA-256 that runs store. A template is filled in one pass: what is put in is data and is
// never parsed again, so a passage that holds "{{question}}" stays those characters. A variable that the code does
// not fill, or that the file does not use, stops the program when it loads.
//
// Instructions are in the system message; whatever comes from documents or users is in user messages only.
package prompt

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ragbench/internal/rag"
)

//go:embed *.tmpl
var files embed.FS

// Template is a prompt text with slots.
type Template struct {
	Name    string
	Version int
	SHA256  string // hex, of the file with its constants put in

	vars     []string
	messages []message
}

type message struct {
	role   string
	pieces []piece
}

// piece is literal text, or a slot when slot is not negative.
type piece struct {
	text string
	slot int // index into Template.vars
}

// value fills a slot: text is joined to the words around it, blocks stay a part each.
type value struct {
	text   string
	blocks []string
}

// constants are put into every template when it loads.
var constants = map[string]string{"refusal": rag.Refusal}

var (
	slotMark = regexp.MustCompile(`\{\{([a-z_]+)\}\}`)
	roleMark = regexp.MustCompile(`^--- (system|user|assistant)$`)
)

// mustLoad reads NAME.tmpl, whose faults are programming errors: it panics.
func mustLoad(name string, vars ...string) *Template {
	t, err := load(files, name, vars...)
	if err != nil {
		panic(err)
	}
	return t
}

// load reads NAME.tmpl and checks that its slots are exactly vars, beside the constants.
func load(fsys fs.FS, name string, vars ...string) (*Template, error) {
	b, err := fs.ReadFile(fsys, name+".tmpl")
	if err != nil {
		return nil, fmt.Errorf("read prompt: %w", err)
	}
	text := slotMark.ReplaceAllStringFunc(string(b), func(m string) string {
		if c, ok := constants[m[2:len(m)-2]]; ok {
			return c
		}
		return m
	})
	sum := sha256.Sum256([]byte(text))
	t := &Template{Name: name, SHA256: hex.EncodeToString(sum[:]), vars: vars}
	head, body, ok := strings.Cut(text, "\n--- ")
	if !ok {
		return nil, fmt.Errorf("prompt %s: no message", name)
	}
	if err := t.parseHead(head); err != nil {
		return nil, err
	}
	if err := t.parseBody("--- " + body); err != nil {
		return nil, err
	}
	for i, v := range vars {
		used := slices.ContainsFunc(t.messages, func(m message) bool {
			return slices.ContainsFunc(m.pieces, func(p piece) bool { return p.slot == i })
		})
		if !used {
			return nil, fmt.Errorf("prompt %s: variable %s is not used", name, v)
		}
	}
	return t, nil
}

func (t *Template) parseHead(head string) error {
	for _, line := range strings.Split(head, "\n") {
		key, val, _ := strings.Cut(line, ": ")
		switch key {
		case "name":
			if val != t.Name {
				return fmt.Errorf("prompt %s: the file calls itself %q", t.Name, val)
			}
		case "version":
			n, err := strconv.Atoi(val)
			if err != nil || n < 1 {
				return fmt.Errorf("prompt %s: version %q is not a positive number", t.Name, val)
			}
			t.Version = n
		default:
			return fmt.Errorf("prompt %s: unknown header line %q", t.Name, line)
		}
	}
	if t.Version == 0 {
		return fmt.Errorf("prompt %s: no version", t.Name)
	}
	return nil
}

func (t *Template) parseBody(body string) error {
	var role string
	var lines []string
	add := func() error {
		if role == "" {
			return nil
		}
		pieces, err := t.parsePieces(strings.Trim(strings.Join(lines, "\n"), "\n"))
		t.messages = append(t.messages, message{role, pieces})
		return err
	}
	for _, line := range strings.Split(body, "\n") {
		m := roleMark.FindStringSubmatch(line)
		if m == nil {
			lines = append(lines, line)
			continue
		}
		if err := add(); err != nil {
			return err
		}
		role, lines = m[1], nil
	}
	return add()
}

func (t *Template) parsePieces(text string) ([]piece, error) {
	var pieces []piece
	last := 0
	for _, m := range slotMark.FindAllStringSubmatchIndex(text, -1) {
		if m[0] > last {
			pieces = append(pieces, piece{text[last:m[0]], -1})
		}
		name := text[m[2]:m[3]]
		slot := slices.Index(t.vars, name)
		if slot < 0 {
			return nil, fmt.Errorf("prompt %s: variable %s is filled by nothing", t.Name, name)
		}
		pieces = append(pieces, piece{"", slot})
		last = m[1]
	}
	if last < len(text) {
		pieces = append(pieces, piece{text[last:], -1})
	}
	return pieces, nil
}

// fill puts one value into each variable, in the order the template was loaded with.
func (t *Template) fill(values ...value) []rag.Message {
	if len(values) != len(t.vars) {
		panic(fmt.Sprintf("prompt %s: got %d values, want %d", t.Name, len(values), len(t.vars)))
	}
	out := make([]rag.Message, len(t.messages))
	for i, m := range t.messages {
		parts := make([]string, 0, len(m.pieces)+8)
		joined := ""
		for _, p := range m.pieces {
			switch {
			case p.slot < 0:
				joined += p.text
			case values[p.slot].blocks != nil:
				if joined != "" {
					parts = append(parts, joined)
				}
				joined = ""
				parts = append(parts, values[p.slot].blocks...)
			default:
				joined += values[p.slot].text
			}
		}
		if joined != "" {
			parts = append(parts, joined)
		}
		out[i] = rag.Message{Role: m.role, Parts: parts}
	}
	return out
}
