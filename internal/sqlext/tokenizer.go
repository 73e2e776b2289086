package sqlext

// #cgo noescape ragbench_tokenizer_run
// #cgo nocallback ragbench_tokenizer_run
// #include "sqlext.h"
// #include <stdlib.h>
import "C"

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"unsafe"
)

// keepBytes is the output memory that an idle instance may hold: enough for the terms of any page or chunk, while one
// huge document does not stay in memory.
const keepBytes = 1 << 20

// Token is one token of a text.
type Token struct {
	Text       string // the term as FTS5 indexes it: folded, stemmed, cut at 32,768 bytes
	Start, End int    // byte offsets of the token in the text
}

// Tokenizer is one of FTS5's tokenizers with its options. It is safe for concurrent use: SQLite's instances are not, so
// each call takes one from a pool that grows to the number of calls that ever ran at once. Close frees it.
type Tokenizer struct {
	words []byte // spec cut into words, each ended by NUL
	n     int    // number of words

	mu     sync.Mutex
	fts5   C.ragbench_fts5
	idle   []*C.ragbench_tokenizer
	busy   int
	closed bool
}

// NewTokenizer makes the tokenizer that FTS5 would use for tokenize=spec: `unicode61`, `porter unicode61`,
// `unicode61 remove_diacritics 2 tokenchars '-_'`, `ascii`, `trigram`. The empty spec is FTS5's default, unicode61. An
// unknown name or option is an error, under the same conditions as in CREATE VIRTUAL TABLE.
func NewTokenizer(spec string) (*Tokenizer, error) {
	words, err := tokenizerWords(spec)
	if err != nil {
		return nil, err
	}
	t := &Tokenizer{words: []byte(strings.Join(words, "\x00") + "\x00"), n: len(words)}
	var message *C.char
	if rc := C.ragbench_fts5_open(&t.fts5, &message); rc != C.SQLITE_OK {
		return nil, fmt.Errorf("open FTS5's tokenizers: %w", takeError(message, rc))
	}
	first, err := t.take() // an error in spec belongs to this call, not to the first text
	if err != nil {
		t.Close()
		return nil, fmt.Errorf("make tokenizer %q: %w", spec, err)
	}
	t.give(first)
	return t, nil
}

// Each calls f for every token of text, in order, in document mode (as FTS5 tokenizes what it indexes). term is valid
// until f returns; start and end are byte offsets in text. One call into C serves the whole text, and no memory is
// allocated. f may use t. The error is nil unless t is closed, text is longer than 2 GiB or memory runs out.
func (t *Tokenizer) Each(text string, f func(term []byte, start, end int)) error {
	return t.with(text, C.FTS5_TOKENIZE_DOCUMENT, func(terms []byte, spans []C.ragbench_span) {
		pos := 0
		for i := range spans {
			end := pos + int(spans[i].length)
			f(terms[pos:end:end], int(spans[i].start), int(spans[i].end))
			pos = end
		}
	})
}

// Tokens returns all tokens of text. query selects query mode, which FTS5's own tokenizers treat like document mode. The
// errors are those of Each.
func (t *Tokenizer) Tokens(text string, query bool) ([]Token, error) {
	flags := C.FTS5_TOKENIZE_DOCUMENT
	if query {
		flags = C.FTS5_TOKENIZE_QUERY
	}
	var tokens []Token
	err := t.with(text, C.int(flags), func(terms []byte, spans []C.ragbench_span) {
		all := string(terms) // one allocation, shared by every Text
		tokens = make([]Token, len(spans))
		pos := 0
		for i, s := range spans {
			end := pos + int(s.length)
			tokens[i] = Token{Text: all[pos:end], Start: int(s.start), End: int(s.end)}
			pos = end
		}
	})
	return tokens, err
}

// Close frees the tokenizer; later calls return an error. Calls that are running end normally, the last one frees what
// is left. Closing twice does nothing.
func (t *Tokenizer) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.freeIdle()
}

// with tokenizes text and shows f the output, which is valid until f returns.
func (t *Tokenizer) with(text string, flags C.int, f func(terms []byte, spans []C.ragbench_span)) error {
	if len(text) > math.MaxInt32 {
		return fmt.Errorf("tokenize %d bytes: FTS5 takes at most %d", len(text), math.MaxInt32)
	}
	c, err := t.take()
	if err != nil {
		return fmt.Errorf("tokenize: %w", err)
	}
	defer t.give(c)
	if text == "" {
		return nil
	}
	rc := C.ragbench_tokenizer_run(c, flags, (*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.int(len(text)))
	if rc != C.SQLITE_OK {
		return fmt.Errorf("tokenize %d bytes: %w", len(text), takeError(nil, rc))
	}
	f(unsafe.Slice((*byte)(unsafe.Pointer(c.terms)), int(c.terms_n)), unsafe.Slice(c.spans, int(c.spans_n)))
	return nil
}

// take gives the caller an instance of its own.
func (t *Tokenizer) take() (*C.ragbench_tokenizer, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, errors.New("the tokenizer is closed")
	}
	if n := len(t.idle); n > 0 {
		c := t.idle[n-1]
		t.idle = t.idle[:n-1]
		t.busy++
		return c, nil
	}
	var c *C.ragbench_tokenizer
	var message *C.char
	words := (*C.char)(unsafe.Pointer(&t.words[0]))
	if rc := C.ragbench_tokenizer_new(&t.fts5, words, C.int(t.n), &c, &message); rc != C.SQLITE_OK {
		return nil, takeError(message, rc)
	}
	t.busy++
	return c, nil
}

// give takes an instance back.
func (t *Tokenizer) give(c *C.ragbench_tokenizer) {
	C.ragbench_tokenizer_trim(c, keepBytes)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy--
	t.idle = append(t.idle, c)
	if t.closed {
		t.freeIdle()
	}
}

// freeIdle frees the idle instances and, after the last of all, the connection they come from. mu must be locked.
func (t *Tokenizer) freeIdle() {
	for _, c := range t.idle {
		C.ragbench_tokenizer_free(c)
	}
	t.idle = nil
	if t.busy == 0 {
		C.ragbench_fts5_close(&t.fts5)
	}
}

// takeError turns a result code, and the message that C may have left, into an error and frees the message.
func takeError(message *C.char, rc C.int) error {
	if message == nil {
		return errors.New(C.GoString(C.sqlite3_errstr(rc)))
	}
	defer C.sqlite3_free(unsafe.Pointer(message))
	return errors.New(C.GoString(message))
}
