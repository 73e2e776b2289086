package sqlext

import (
	"os"
	"path/filepath"
	"sync"
)

// Hit is one row of a search: a chunk and its score, higher is better.
type Hit struct {
	ChunkID int64
	Score   float64
}

// Searcher answers the searches of one database file. It is called from inside a running SQL statement, by several
// goroutines at once, and must not use the pool that runs the statement: with every connection of the pool waiting for
// its searcher, nobody would ever get one.
//
// Both methods return at most k hits (k is 1 or more), score descending, equal scores by ascending chunk id; more hits,
// another order or a NaN score are reported as an error of the statement. index is the id that the statement names. An
// error, or a panic, becomes the statement's error: its text is kept, its type is not. A cancelled context ends the
// statement once the method has returned.
type Searcher interface {
	// SearchText searches the lexical index. query is the text as given, perhaps empty, perhaps not valid UTF-8.
	SearchText(index int64, query string, k int) ([]Hit, error)
	// SearchVector searches the vector index. vector holds one or more float32 values, little endian; it belongs to
	// the method, its number of dimensions is for the method to check.
	SearchVector(index int64, vector []byte, k int) ([]Hit, error)
}

// attachment is one searcher on one file, with the searches that it is running.
type attachment struct {
	file     string
	searcher Searcher
	running  sync.WaitGroup
}

// attached holds the searchers by canonical file name; of several on one file the last one answers. SQLite calls back
// with nothing but a connection, so this table cannot belong to a caller.
var attached = struct {
	sync.RWMutex
	byFile map[string][]*attachment
}{byFile: map[string][]*attachment{}}

// Attach makes s answer bm25_search and vector_search on every connection whose main database is the file at path, now
// open or later. path is a plain file name, not a URI; the file need not exist yet; links are followed. In-memory
// databases have no name and so no searcher.
//
// The newest searcher of a file answers. detach removes s and then waits for its running searches: once it has returned,
// s is not called again. Calling detach again does nothing; calling it from inside s would wait for ever.
func Attach(path string, s Searcher) (detach func()) {
	a := &attachment{file: canonical(path), searcher: s}
	attached.Lock()
	attached.byFile[a.file] = append(attached.byFile[a.file], a)
	attached.Unlock()
	return func() {
		a.remove()
		a.running.Wait()
	}
}

func (a *attachment) remove() {
	attached.Lock()
	defer attached.Unlock()
	list := attached.byFile[a.file]
	for i, b := range list {
		if a != b {
			continue
		}
		if len(list) == 1 {
			delete(attached.byFile, a.file)
		} else {
			attached.byFile[a.file] = append(append([]*attachment{}, list[:i]...), list[i+1:]...)
		}
		return
	}
}

// acquire returns the attachment of the file that SQLite calls name, or nil. The caller ends it with running.Done.
func acquire(name string) *attachment {
	if name == "" {
		return nil
	}
	attached.RLock()
	defer attached.RUnlock()
	list := attached.byFile[name]
	if list == nil {
		list = sameFile(name)
	}
	if list == nil {
		return nil
	}
	a := list[len(list)-1]
	a.running.Add(1)
	return a
}

// sameFile finds the attachments whose file is the one called name under another name: a hard link, another case, a
// link made since. attached must be locked.
func sameFile(name string) []*attachment {
	info, err := os.Stat(name)
	if err != nil {
		return nil
	}
	for file, list := range attached.byFile {
		if other, err := os.Stat(file); err == nil && os.SameFile(info, other) {
			return list
		}
	}
	return nil
}

// canonical is the name under which SQLite knows the file: absolute, links resolved, also for a file yet to be made.
func canonical(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		return filepath.Join(dir, filepath.Base(abs))
	}
	return abs
}
