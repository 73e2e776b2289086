package load

import (
	"errors"

	"ragbench/internal/load/charset"
	"ragbench/internal/load/container"
	"ragbench/internal/load/pdf"
)

// The statuses of a file, beside loaded and the codes of what a walk passes over (skipped_…). Each is the code of a
// warning too.
const (
	StatusLoaded    = "loaded"
	StatusEmpty     = "empty"          // it was read and has no text
	StatusNoText    = "no_text"        // a PDF of pictures: the document is kept, without text
	StatusPartly    = "partly_scanned" // a PDF with pages that are pictures alone
	StatusEncrypted = "encrypted"
	StatusBroken    = "broken"
	StatusBomb      = "bomb" // it unpacks to far more than a file of its size may
	StatusBinary    = "skipped_binary"
	StatusError     = "skipped_error"
)

// refusals are the errors with a status of their own.
var refusals = []struct {
	err    error
	status string
}{
	{charset.ErrBinary, StatusBinary},
	{container.ErrBomb, StatusBomb},
	{container.ErrEncrypted, StatusEncrypted},
	{pdf.ErrEncrypted, StatusEncrypted},
	{container.ErrBroken, StatusBroken},
	{pdf.ErrBroken, StatusBroken},
}

// statusOf names the status of a file that failed with err.
func statusOf(err error) string {
	for _, r := range refusals {
		if errors.Is(err, r.err) {
			return r.status
		}
	}
	return StatusError
}
