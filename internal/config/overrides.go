package config

// Overrides are what the command line says instead of the file. Zero values leave the file's.
type Overrides struct {
	Dataset   string // dataset folder; replaces all of the file's dataset paths
	Docs      string // documents; replaces the file's dataset folder too
	Questions string
	Qrels     string

	Mock          bool // run.mode: mock
	Replay        bool // run.mode: replay, which no file says
	NoCache       bool // cache: false
	Stored        bool // the dataset is in the database file: its paths need not lead anywhere
	MaxWorkers    int
	SystemWorkers int
	Only, Skip    []string // see Config.Select
}

// apply puts the overrides of run into the configuration; the dataset's are applied where it is read.
func (l *loader) apply() {
	r, o := &l.cfg.Run, l.over
	if o.Mock {
		r.Mode = "mock"
	}
	if o.Replay {
		r.Mode = "replay"
	}
	for _, f := range []struct {
		flag  string
		value int
		dst   *int
	}{
		{"--max-workers", o.MaxWorkers, &r.MaxWorkers},
		{"--system-workers", o.SystemWorkers, &r.SystemWorkers},
	} {
		switch {
		case f.value < 0:
			l.fail(nil, "%s: want a whole number of at least 1, got %d", f.flag, f.value)
		case f.value > 0:
			*f.dst = f.value
		}
	}
}
