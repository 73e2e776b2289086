package container

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Each calls f with every start element of a part.
func Each(a *Archive, name string, f func(d *xml.Decoder, e xml.StartElement) error) error {
	d, c, err := a.XML(name)
	if err != nil {
		return err
	}
	defer c.Close()
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, Broken(err))
		}
		if e, ok := t.(xml.StartElement); ok {
			if err := f(d, e); err != nil {
				return fmt.Errorf("%s: %w", name, Broken(err))
			}
		}
	}
}

// Relations reads what a part refers to within the archive (Open Packaging Conventions): names of parts by the last
// word of the relationship's type. The part "" is the archive itself.
func Relations(a *Archive, part string) (map[string][]string, error) {
	out := map[string][]string{}
	err := relations(a, part, func(_, kind, target string) { out[kind] = append(out[kind], target) })
	return out, err
}

// RelationIDs is Relations by the ids that the part itself uses.
func RelationIDs(a *Archive, part string) (map[string]string, error) {
	out := map[string]string{}
	err := relations(a, part, func(id, _, target string) { out[id] = target })
	return out, err
}

func relations(a *Archive, part string, f func(id, kind, target string)) error {
	dir, base := path.Split(part)
	name := dir + "_rels/" + base + ".rels"
	if !a.Has(name) {
		return nil
	}
	return Each(a, name, func(_ *xml.Decoder, e xml.StartElement) error {
		if e.Name.Local != "Relationship" || Attr(e, "TargetMode") == "External" {
			return nil
		}
		target := Attr(e, "Target")
		if !strings.HasPrefix(target, "/") {
			target = dir + target
		}
		if target = Clean(target); a.Has(target) {
			f(Attr(e, "Id"), path.Base(Attr(e, "Type")), target)
		}
		return nil
	})
}

// Properties reads title and author of an office document; both may be "".
func Properties(a *Archive) (title, author string, err error) {
	const name = "docProps/core.xml"
	if !a.Has(name) {
		return "", "", nil
	}
	err = Each(a, name, func(d *xml.Decoder, e xml.StartElement) error {
		var s string
		switch e.Name.Local {
		case "title", "creator":
			if err := d.DecodeElement(&s, &e); err != nil {
				return err
			}
			if e.Name.Local == "title" {
				title = strings.Join(strings.Fields(s), " ")
			} else {
				author = strings.Join(strings.Fields(s), " ")
			}
		}
		return nil
	})
	return title, author, err
}

// Attr is the value of an attribute, whatever its namespace.
func Attr(e xml.StartElement, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}
