package cli

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ragbench/internal/config"
	"ragbench/internal/rag"
	"ragbench/internal/report"
	"ragbench/internal/rerank"
	"ragbench/internal/spec"
	"ragbench/internal/sqlfile"
	"ragbench/internal/store"
	"ragbench/internal/systems"
	"ragbench/internal/text"
	"ragbench/internal/trace"
)

//go:embed search.sql
var searchFile embed.FS

var searchSQL = sqlfile.MustLoad(searchFile, "search.sql", "search_indexes", "system_config")

// searchMethods are the values of --method.
var searchMethods = []string{"hybrid", "keyword", "vector"}

// searchOptions are the flags of search.
type searchOptions struct {
	method, reranker, config, format string
	filter                           []string
	n                                int
	over                             config.Overrides
}

func (a *app) searchCommand() *cobra.Command {
	var o searchOptions
	cmd := &cobra.Command{
		Use:   "search DB QUESTION",
		Short: "Search the indexes of a file and show the passages",
		Long: "search looks in the newest dataset of the file, in the newest chunks that have the indexes it needs; it builds none. hybrid fuses\n" +
			"the words and the vectors by rank, the vectors weighing three times as much. A filter holds on the documents' metadata; given\n" +
			"several times, all must hold.",
		Example: `  ragbench search demo.db "when does the ferry leave?"
  ragbench search demo.db "refund" --method keyword -n 20
  ragbench search papers.db "heat transfer" --filter topic=physics --rerank local_relevance --json`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.search(cmd.Context(), args[0], args[1], o) },
	}
	cmd.Flags().StringVar(&o.method, "method", "hybrid", strings.Join(searchMethods, ", "))
	cmd.Flags().StringArrayVar(&o.filter, "filter", nil, "FIELD=VALUE that the documents' metadata must hold")
	cmd.Flags().StringVar(&o.reranker, "rerank", "", "reorder four times as many candidates by "+strings.Join(rerank.All.Names(), ", "))
	cmd.Flags().IntVarP(&o.n, "number", "n", 10, "passages to show")
	cmd.Flags().StringVarP(&o.config, "config", "c", "", "configuration file, for the endpoints and models it names")
	cmd.Flags().BoolVar(&o.over.Mock, "mock", false, "use the mock models")
	formatFlag(cmd, &o.format)
	return cmd
}

// search runs one search and writes its hits.
func (a *app) search(ctx context.Context, path, question string, o searchOptions) error {
	in := systems.SearchInput{Question: question, K: o.n, Reranker: o.reranker}
	var err error
	if in.Filter, err = parseFilter(o.filter); err != nil {
		return err
	}
	if o.n < 1 {
		return fmt.Errorf("-n %d: want at least 1", o.n)
	}
	if !isOneOf(o.method, searchMethods) {
		return spec.Unknown("method", o.method, searchMethods)
	}
	if o.reranker != "" {
		if _, err := rerank.Find(o.reranker); err != nil {
			return err
		}
	}
	c := &config.Config{Models: config.Models{Generator: mockChat}}
	if o.config != "" {
		if c, err = a.loadConfig(o.config, o.over); err != nil {
			return err
		}
	}
	f, err := open(ctx, path, store.Options{ReadOnly: true, MustExist: true})
	if err != nil {
		return err
	}
	defer f.Close()
	env, err := a.searchEnv(ctx, f, c, o, path, &in)
	if err != nil {
		return err
	}
	hits, err := systems.Search(ctx, env, in, trace.New(a.now))
	if err != nil {
		return failed(err)
	}
	return failed(passages(hits, o.format).Write(a.Out, o.format))
}

// searchEnv chooses the indexes and opens the models that searching them takes.
func (a *app) searchEnv(ctx context.Context, f *file, c *config.Config, o searchOptions, path string, in *systems.SearchInput) (systems.Env, error) {
	env := systems.Env{DB: f.DB, Search: f.search, Now: a.now}
	ds, err := f.NewestDataset(ctx, "")
	if errors.Is(err, rag.ErrNotFound) {
		return env, fmt.Errorf("%s holds no dataset: ragbench ingest %s DATASET", path, path)
	}
	if err != nil {
		return env, err
	}
	at, err := findIndexes(ctx, f, ds, o.method)
	if errors.Is(err, rag.ErrNotFound) {
		return env, fmt.Errorf("dataset %s has no index for --method %s: ragbench ingest %s DATASET builds one for words and one for vectors", ds.Name, o.method, path)
	}
	if err != nil {
		return env, err
	}
	in.Index = at.index
	m := a.newModels(f, c)
	if o.method != "vector" {
		in.Lexical = at.lexical
	}
	if o.method != "keyword" {
		in.Vectors = at.vectors
		emb, err := m.embedder(at.embedder)
		if err != nil {
			return env, fmt.Errorf("the vectors are those of %s: %w; --method keyword needs no model", at.embedder, err)
		}
		if dims := emb.Info().Dims; dims != 0 && dims != at.dims {
			return env, fmt.Errorf("the vectors of %s in the file have %d dimensions, the model gives %d", at.embedder, at.dims, dims)
		}
		env.Embedder, env.EmbeddingCost = emb.Embedder, emb.cost
	}
	if o.reranker == "llm" {
		ref := c.Models.Generator
		if o.over.Mock {
			ref = mockChat
		}
		if env.Chat, err = m.chat(ref); err != nil {
			return env, err
		}
		if o.config == "" {
			a.say("reranking with the mock model; -c CONFIG names another")
		}
	}
	a.say("dataset %s, %d chunks by %s", ds.Name, at.chunks, at.chunker)
	return env, nil
}

// searchable is a set of chunks with what it can be searched by.
type searchable struct {
	index, lexical, vectors int64
	chunks, dims            int
	chunker, embedder       string
}

// findIndexes returns the newest chunks of a dataset that a method can search; rag.ErrNotFound when there are none.
func findIndexes(ctx context.Context, f *file, ds store.Dataset, method string) (at searchable, err error) {
	rows, err := f.Reader().QueryContext(ctx, searchSQL.SQL("search_indexes"), named("corpus", ds.CorpusSHA256))
	if err != nil {
		return at, fmt.Errorf("find the indexes: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var s searchable
		var provider, model string
		if err := rows.Scan(&s.index, &s.chunks, &s.chunker, &s.lexical, &s.vectors, &provider, &model, &s.dims); err != nil {
			return at, fmt.Errorf("find the indexes: %w", err)
		}
		s.embedder = provider + ":" + model
		if s.lexical == 0 && method != "vector" || s.vectors == 0 && method != "keyword" {
			continue
		}
		return s, nil
	}
	if err := rows.Err(); err != nil {
		return at, fmt.Errorf("find the indexes: %w", err)
	}
	return at, rag.ErrNotFound
}

// parseFilter reads FIELD=VALUE; a field that is given several times must hold every value.
func parseFilter(list []string) (map[string]any, error) {
	filter := map[string]any{}
	for _, s := range list {
		field, value, ok := strings.Cut(s, "=")
		if !ok || field == "" {
			return nil, fmt.Errorf("--filter %s: want FIELD=VALUE", s)
		}
		values, _ := filter[field].([]any)
		filter[field] = append(values, value)
	}
	return filter, nil
}

// previewChars is how much of a passage a table shows.
const previewChars = 90

// passages makes a table of hits: the start of each text for people, all of it for programs.
func passages(hits []rag.Hit, format string) report.Table {
	t := report.Table{Columns: []string{"rank", "score", "document", "chunk", "text"}}
	for _, h := range hits {
		shown := h.Chunk.Text
		if format == "table" || format == "md" {
			shown = text.Truncate(shown, previewChars)
		}
		t.Rows = append(t.Rows, []any{int64(h.Rank), h.Score, h.Chunk.DocID, h.Chunk.Key, shown})
	}
	return t
}

func isOneOf(s string, list []string) bool {
	for _, item := range list {
		if s == item {
			return true
		}
	}
	return false
}
