// Package demo holds the bundled dataset: an invented ferry and bus operator, its documents, questions and graded
// relevance. The files live in data, are embedded in the binary and are described in data/README.md.
package demo

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

//go:embed data
var data embed.FS

// FS is the dataset: docs/*.md, docs/*.txt, questions.jsonl, qrels.jsonl and README.md. The identifier of a document is
// its file name without the extension.
var FS, _ = fs.Sub(data, "data") // the only failure is an invalid name, and the name is a constant

// ErrDiffers says that a file of the destination exists and holds something else than the dataset.
var ErrDiffers = errors.New("file exists with other content")

// parts are the entries of FS that Write copies.
var parts = []string{"docs", "questions.jsonl", "qrels.jsonl"}

// Write copies the dataset into dir, which is created when absent: docs/, questions.jsonl and qrels.jsonl. A file that is
// already there with the same content is left alone. When any file is there with other content, Write changes nothing and
// returns an error that wraps ErrDiffers and names the file. Files that are not part of the dataset are not looked at.
func Write(dir string) error {
	missing, err := plan(dir)
	if err != nil {
		return err
	}
	for _, name := range missing {
		if err := copyFile(dir, name); err != nil {
			return fmt.Errorf("write demo file %s: %w", name, err)
		}
	}
	return nil
}

// plan lists the files of the dataset that dir lacks, in the order of FS.
func plan(dir string) ([]string, error) {
	var missing []string
	for _, part := range parts {
		err := fs.WalkDir(FS, part, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			same, err := compare(dir, name)
			if errors.Is(err, fs.ErrNotExist) {
				missing = append(missing, name)
				return nil
			}
			if err != nil {
				return fmt.Errorf("read demo file %s: %w", name, err)
			}
			if !same {
				return fmt.Errorf("write demo file %s: %w", filepath.Join(dir, name), ErrDiffers)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return missing, nil
}

// compare reports whether the file name below dir holds what the dataset holds.
func compare(dir, name string) (bool, error) {
	got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return false, err
	}
	want, err := fs.ReadFile(FS, name)
	if err != nil {
		return false, err
	}
	return bytes.Equal(got, want), nil
}

// copyFile creates the file name below dir. It never replaces a file, and it removes a file that it could not finish.
func copyFile(dir, name string) (err error) {
	content, err := fs.ReadFile(FS, name)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
