package config

import (
	"path/filepath"

	"go.yaml.in/yaml/v3"
)

// Dataset says where documents, questions and labels are. Either Path is set, or Docs and Questions. Paths are as found
// from the working folder.
type Dataset struct {
	Name        string // the folder's name unless given
	Path        string // a dataset folder
	Docs        string // a folder of documents, or one file
	Questions   string // file; with Path, it replaces the folder's questions
	Qrels       string // file; empty means none, or those of Path
	Split       string // which labels of a dataset folder, such as test
	OnlyJudged  bool   // leave out the questions without labels
	MaxFileMB   float64
	OnError     string   // raise or skip, for a document that cannot be loaded
	Include     []string // globs of documents to load; empty means all
	Exclude     []string // globs of documents to leave out
	TextColumns []string // of tables: what the text of a row is made of; empty means all columns
	IDColumn    string   // of tables: what names the rows
	PDFEngine   string   // what reads PDFs; empty means the built-in one
}

func defaultDataset() Dataset {
	return Dataset{Split: "test", MaxFileMB: 25, OnError: "raise"}
}

// what a path must lead to
const (
	folder = "folder"
	file   = "file"
	either = "file or folder"
)

// dataset reads the section dataset and what the command line says instead. n is nil when the file has no such section.
func (l *loader) dataset(where string, n *yaml.Node) {
	d := &l.cfg.Dataset
	nodes := map[string]*yaml.Node{}
	path := func(key, kind string, dst *string, flag string) field {
		return field{key: key, also: []string{key + "_path"}, read: func(where string, n *yaml.Node) {
			v, ok := l.value(where, n, option{kind: text})
			nodes[key] = n
			if ok && flag == "" && (l.over.Dataset == "" && (key != "path" || l.over.Docs == "")) {
				*dst = l.locate(where, n, v.(string), kind)
			}
		}}
	}
	docs := path("docs", either, &d.Docs, l.over.Docs)
	docs.also = append(docs.also, "documents", "documents_path")
	root := path("path", folder, &d.Path, "")
	root.also = nil
	l.fields(n, where,
		root, docs,
		path("questions", file, &d.Questions, l.over.Questions),
		path("qrels", file, &d.Qrels, l.over.Qrels),
		field{key: "name", read: l.nameTo(&d.Name)},
		field{key: "split", read: l.nameTo(&d.Split)},
		field{key: "only_judged", read: to(&l.reader, &d.OnlyJudged, option{kind: boolean})},
		field{key: "max_file_mb", read: to(&l.reader, &d.MaxFileMB, option{kind: number, lo: 0, hi: inf, above: true})},
		field{key: "on_error", read: l.textTo(&d.OnError, "raise", "skip")},
		field{key: "include", read: listTo(&l.reader, &d.Include, option{kind: text})},
		field{key: "exclude", read: listTo(&l.reader, &d.Exclude, option{kind: text})},
		field{key: "tabular", read: func(where string, n *yaml.Node) {
			l.fields(n, where,
				field{key: "text_columns", read: listTo(&l.reader, &d.TextColumns, option{kind: text})},
				field{key: "id_column", read: l.textTo(&d.IDColumn)},
			)
		}},
		field{key: "pdf", read: func(where string, n *yaml.Node) {
			l.fields(n, where, field{key: "engine", read: l.textTo(&d.PDFEngine, "pdfium", "pdftotext")})
		}},
	)
	l.checkDataset(n, nodes)
	l.datasetFlags()
	if d.Name == "" {
		d.Name = datasetName(*d)
	}
}

// checkDataset reports a dataset that is not said, or said twice.
func (l *loader) checkDataset(n *yaml.Node, nodes map[string]*yaml.Node) {
	path := nodes["path"] != nil || l.over.Dataset != ""
	docs := nodes["docs"] != nil || l.over.Docs != ""
	questions := nodes["questions"] != nil || l.over.Questions != ""
	switch {
	case l.over.Dataset != "" && l.over.Docs != "":
		l.fail(nil, "--dataset and --docs are both given, give one of them")
	case nodes["path"] != nil && nodes["docs"] != nil:
		l.fail(nodes["docs"], "dataset: path and docs are both given, give one of them")
	case !path && !docs:
		l.fail(n, "dataset: want path (a dataset folder), or docs and questions")
	case l.over.Dataset == "" && docs && !questions:
		l.fail(nodes["docs"], "dataset: docs are given without questions")
	}
}

// datasetFlags puts what the command line says in place of the file's values. Its paths start at the working folder.
// A dataset folder replaces all of the file's paths; documents replace the file's dataset folder.
func (l *loader) datasetFlags() {
	d, o := &l.cfg.Dataset, l.over
	for _, f := range []struct {
		flag, value, kind string
		dst               *string
	}{
		{"--dataset", o.Dataset, folder, &d.Path},
		{"--docs", o.Docs, either, &d.Docs},
		{"--questions", o.Questions, file, &d.Questions},
		{"--qrels", o.Qrels, file, &d.Qrels},
	} {
		if f.value != "" {
			*f.dst = l.locateFlag(f.flag, f.value, f.kind)
		}
	}
}

// datasetName derives a name from the folder; a folder called docs says less than the one around it.
func datasetName(d Dataset) string {
	p := d.Path
	if p == "" {
		p = d.Docs
		if filepath.Base(p) == "docs" && filepath.Dir(p) != "." {
			p = filepath.Dir(p)
		}
	}
	if abs, err := filepath.Abs(p); err == nil {
		p = abs
	}
	return filepath.Base(p)
}
