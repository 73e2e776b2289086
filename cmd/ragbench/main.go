// Command ragbench compares retrieval-augmented-generation architectures on a person's own documents and questions, and
// keeps documents, indexes, rankings, traces and scores in one SQLite file.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"ragbench/internal/cli"
)

func main() {
	// The first interrupt lets questions in flight finish, the second ends at once.
	interrupt := make(chan os.Signal, 2)
	signal.Notify(interrupt, os.Interrupt, syscall.SIGTERM)
	os.Exit(cli.Main(context.Background(), os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, os.Getenv, interrupt))
}
