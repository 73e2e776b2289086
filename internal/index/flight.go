package index

import "sync"

// loads keeps what has been loaded by id. Concurrent calls for one id load it once; a failed load is forgotten, so that an
// index built later is found.
type loads[V any] struct {
	mu   sync.Mutex
	byID map[int64]*load[V]
}

type load[V any] struct {
	done  chan struct{} // closed when value and err are set
	value V
	err   error
}

func (l *loads[V]) get(id int64, read func(id int64) (V, error)) (V, error) {
	l.mu.Lock()
	entry, found := l.byID[id]
	if !found {
		entry = &load[V]{done: make(chan struct{})}
		if l.byID == nil {
			l.byID = map[int64]*load[V]{}
		}
		l.byID[id] = entry
	}
	l.mu.Unlock()
	if found {
		<-entry.done
		return entry.value, entry.err
	}
	finished := false
	defer func() {
		if !finished || entry.err != nil { // a panic must not leave others waiting, nor what it left behind
			l.forget(id, entry)
		}
		close(entry.done)
	}()
	entry.err = errInterrupted
	entry.value, entry.err = read(id)
	finished = true
	return entry.value, entry.err
}

func (l *loads[V]) forget(id int64, entry *load[V]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byID[id] == entry {
		delete(l.byID, id)
	}
}

// clear forgets everything and calls f on what had been loaded.
func (l *loads[V]) clear(f func(V)) {
	l.mu.Lock()
	all := l.byID
	l.byID = nil
	l.mu.Unlock()
	for _, entry := range all {
		<-entry.done
		if entry.err == nil {
			f(entry.value)
		}
	}
}
