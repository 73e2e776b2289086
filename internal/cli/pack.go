package cli

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ragbench/internal/index"
	"ragbench/internal/store"
)

// packOptions are the flags of pack.
type packOptions struct {
	slim, noDocuments, allow bool
}

func (a *app) packCommand() *cobra.Command {
	var o packOptions
	cmd := &cobra.Command{
		Use:   "pack RUN.db OUT.db",
		Short: "Write a copy of a file to hand to others: complete, checked, without secrets",
		Long: "pack copies the file as one, without its log, checks the copy and looks through every text in it for keys and passwords: the values\n" +
			"of this environment's keys, and what looks like one. Found secrets are named by place, never shown, and no file is left.\n" +
			"--slim leaves out what the next run builds again from the chunks, and the prompts of calls; replies stay, so that the copy still\n" +
			"replays. --no-documents leaves out the documents, chunks, vectors and all texts of models but the answers: numbers stay, a replay\n" +
			"is not possible.",
		Example: "  ragbench pack demo.db demo-share.db\n  ragbench pack demo.db results.db --no-documents",
		Args:    cobra.ExactArgs(2),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.pack(cmd.Context(), args[0], args[1], o) },
	}
	cmd.Flags().BoolVar(&o.slim, "slim", false, "without search data that can be built again, and without prompts")
	cmd.Flags().BoolVar(&o.noDocuments, "no-documents", false, "without documents and everything made from them but the answers")
	cmd.Flags().BoolVar(&o.allow, "allow-suspects", false, "keep what only looks like a secret; keys of this environment are refused all the same")
	return cmd
}

func (a *app) pack(ctx context.Context, from, to string, o packOptions) (err error) {
	if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("pack into %s: it exists already", to)
	}
	secrets, err := a.knownSecrets()
	if err != nil {
		return err
	}
	src, err := open(ctx, from, store.Options{MustExist: true})
	if err != nil {
		return err
	}
	defer src.Close()
	// The copy grows under another name: what is there under its own is whole and checked.
	part := filepath.Join(filepath.Dir(to), "."+filepath.Base(to)+".part")
	defer func() {
		for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
			os.Remove(part + suffix)
		}
	}()
	os.Remove(part)
	if err := src.CopyTo(ctx, part); err != nil {
		return failed(err)
	}
	if err := a.trim(ctx, part, o); err != nil {
		return failed(fmt.Errorf("pack %s: %w", from, err))
	}
	n, err := a.scan(ctx, part, secrets, o)
	if err != nil {
		return failed(fmt.Errorf("pack %s: %w", from, err))
	}
	if err := os.Rename(part, to); err != nil {
		return failed(fmt.Errorf("pack %s: %w", from, err))
	}
	before, after := size(src.Path()), size(to)
	a.say("%s: %.1f MB of %.1f MB; integrity checked, no secret in %d texts", to, after, before, n)
	return nil
}

func size(path string) float64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return float64(info.Size()) / 1e6
}

// trim takes out of a copy what was asked to, gives the space back and checks the rest.
func (a *app) trim(ctx context.Context, path string, o packOptions) error {
	f, err := open(ctx, path, store.Options{MustExist: true})
	if err != nil {
		return err
	}
	defer f.Close()
	if o.slim || o.noDocuments {
		err := f.Write(ctx, func(tx *sql.Tx) error {
			if err := dropSearch(ctx, tx); err != nil {
				return err
			}
			names := []string{"drop_messages", "drop_unused_prompts"}
			if o.noDocuments {
				names = append(names, "drop_vector_slots", "drop_vector_blocks", "drop_call_vectors", "hide_chunks",
					"hide_documents", "hide_evidence", "hide_replies", "hide_steps")
			}
			for _, name := range names {
				if _, err := tx.ExecContext(ctx, packSQL.SQL(name)); err != nil {
					return fmt.Errorf("%s: %w", strings.ReplaceAll(name, "_", " "), err)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if err := f.Vacuum(ctx); err != nil {
			return err
		}
	}
	return f.Check(ctx)
}

// dropSearch takes out the search data of every index. Vectors stay: they belong to texts.
func dropSearch(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, packSQL.SQL("indexes"))
	if err != nil {
		return err
	}
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			rows.Close()
			return err
		}
		ids = append(ids, id)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, id := range ids {
		if err := index.Drop(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}
