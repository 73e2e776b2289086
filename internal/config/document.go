package config

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// maxBytes is far above what a person writes.
const maxBytes = 4 << 20

var yamlLine = regexp.MustCompile(`^line (\d+): `)

// document parses the one YAML document of a file and returns its top node, or nil and a problem.
func (l *loader) document(data []byte) *yaml.Node {
	switch {
	case len(data) > maxBytes:
		l.fail(nil, "the file is larger than %d MB", maxBytes>>20)
		return nil
	case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		l.fail(nil, "the file is not UTF-8 text")
		return nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, next yaml.Node
	err := dec.Decode(&doc)
	if errors.Is(err, io.EOF) || err == nil && (len(doc.Content) == 0 || isNull(doc.Content[0])) {
		l.fail(nil, "the file is empty")
		return nil
	}
	if err == nil {
		err = dec.Decode(&next)
		if err == nil {
			l.fail(&next, "a second document starts here, a file holds one experiment")
			return nil
		}
	}
	if errors.Is(err, io.EOF) {
		return doc.Content[0]
	}
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	at := &yaml.Node{}
	if m := yamlLine.FindStringSubmatch(msg); m != nil {
		at.Line, _ = strconv.Atoi(m[1])
		msg = msg[len(m[0]):]
	}
	l.fail(at, "not YAML: %s", msg)
	return nil
}
