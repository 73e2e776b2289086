package chunk

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"

	"ragbench/internal/rag"
)

// pagesKey is the key of a document's metadata under which loaders say where pages are: JSON, [[page, start, end], …] in
// code points, ascending.
const pagesKey = "pages"

// pageFinder tells which pages chunks of ascending offsets are on.
type pageFinder struct {
	spans [][3]int // those that end before the chunks asked for are dropped
}

func newPageFinder(d *rag.Document) (pageFinder, error) {
	raw := d.Metadata[pagesKey]
	if raw == "" {
		return pageFinder{}, nil
	}
	var f pageFinder
	if err := json.Unmarshal([]byte(raw), &f.spans); err != nil {
		return f, fmt.Errorf("read the pages of the document: %w", err)
	}
	return f, nil
}

// mark adds page, the first page of c, and page_end, its last where that is another, to the metadata of c.
func (f *pageFinder) mark(c *rag.Chunk) {
	for len(f.spans) > 0 && f.spans[0][2] <= c.Start {
		f.spans = f.spans[1:]
	}
	if len(f.spans) == 0 || f.spans[0][1] >= c.End {
		return
	}
	last := 0
	for last+1 < len(f.spans) && f.spans[last+1][1] < c.End {
		last++
	}
	meta := maps.Clone(c.Metadata)
	if meta == nil {
		meta = map[string]string{}
	}
	meta["page"] = strconv.Itoa(f.spans[0][0])
	if last > 0 {
		meta["page_end"] = strconv.Itoa(f.spans[last][0])
	}
	c.Metadata = meta
}
