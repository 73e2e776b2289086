package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ragbench/internal/chunk"
	"ragbench/internal/load"
	"ragbench/internal/load/pdf"
	"ragbench/internal/model"
	"ragbench/internal/rag"
	"ragbench/internal/report"
	"ragbench/internal/text"
)

// previewText is how many code points of a chunk the preview shows.
const previewText = 160

func (a *app) chunkPreviewCommand() *cobra.Command {
	var name string
	var number int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "chunk-preview PATH",
		Short: "Show how a chunker would cut a file or a folder: sizes, coverage, overlap, the first chunks",
		Long: "Nothing is stored and nothing is paid for: a chunker that embeds is given the hashing embedding, which knows words and not\n" +
			"meaning. Options are those of ragbench doc CHUNKER; one that the chunker does not use is an error.",
		Example: `  ragbench chunk-preview handbook.md --chunker markdown --prefix-heading -n 3
  ragbench chunk-preview docs --chunker sentence --chunk-size 200 --chunk-overlap 2 --json`,
		Args: cobra.ExactArgs(1),
	}
	cmd.Flags().StringVar(&name, "chunker", chunk.Default, strings.Join(chunk.All.Names(), ", "))
	cmd.Flags().IntVarP(&number, "number", "n", 5, "chunks to show")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	chunkerFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		options, err := chunkerOptions(cmd)
		if err != nil {
			return err
		}
		recipe, err := chunk.Parse(name, options)
		if err != nil {
			return err
		}
		p, err := preview(cmd.Context(), recipe, args[0], number)
		if err != nil {
			return failed(err)
		}
		for _, w := range p.warnings {
			a.say("%s: %s", w.Subject, w.Message)
		}
		if asJSON {
			enc := json.NewEncoder(a.Out)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			return enc.Encode(p)
		}
		return p.write(a)
	}
	return cmd
}

// chunkerFlags adds a flag for every option that some chunker has.
func chunkerFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	takers := map[string][]string{}
	for _, e := range chunk.All {
		for _, o := range e.Options {
			takers[o.Name] = append(takers[o.Name], e.Name)
		}
	}
	for _, e := range chunk.All {
		for _, o := range e.Options {
			name := flagName(o.Name)
			if flags.Lookup(name) != nil {
				continue
			}
			usage := "as in ragbench doc " + e.Name
			if len(takers[o.Name]) < len(chunk.All)-1 {
				usage = "of " + strings.Join(takers[o.Name], ", ")
			}
			flags.String(name, "", usage)
			if o.Default == "true" || o.Default == "false" {
				flags.Lookup(name).NoOptDefVal = "true"
			}
		}
	}
}

func flagName(option string) string { return strings.ReplaceAll(option, "_", "-") }

// chunkerOptions reads the flags that were given as a configuration file would give the options.
func chunkerOptions(cmd *cobra.Command) (map[string]any, error) {
	out := map[string]any{}
	for _, e := range chunk.All {
		for _, o := range e.Options {
			f := cmd.Flags().Lookup(flagName(o.Name))
			if !f.Changed {
				continue
			}
			v := f.Value.String()
			if n, err := strconv.ParseFloat(v, 64); err == nil {
				out[o.Name] = n
			} else if b, err := strconv.ParseBool(v); err == nil {
				out[o.Name] = b
			} else {
				out[o.Name] = v
			}
		}
	}
	return out, nil
}

// chunkPreview is what chunk-preview shows. Shares are from 0 to 1, offsets code points.
type chunkPreview struct {
	Recipe     chunk.Recipe `json:"recipe"`
	Statistics struct {
		Documents    int     `json:"documents"`
		Blank        int     `json:"blank_documents"`
		Characters   int     `json:"characters"`
		Chunks       int     `json:"chunks"`
		TokensMin    int     `json:"tokens_min"`
		TokensMedian int     `json:"tokens_median"`
		TokensP95    int     `json:"tokens_p95"`
		TokensMax    int     `json:"tokens_max"`
		Coverage     float64 `json:"coverage"`
		Overlap      float64 `json:"overlap"`
		Embedded     int     `json:"embedded_tokens"`
	} `json:"statistics"`
	Chunks []previewChunk `json:"chunks"`

	warnings []rag.Warning
}

type previewChunk struct {
	Key      string            `json:"key"`
	Document string            `json:"document"`
	Start    int               `json:"start"`
	End      int               `json:"end"`
	Tokens   int               `json:"tokens"`
	Metadata map[string]string `json:"metadata,omitempty"`
	Text     string            `json:"text"`
}

// preview cuts every document below path and keeps the first chunks.
func preview(ctx context.Context, r chunk.Recipe, path string, number int) (*chunkPreview, error) {
	p := &chunkPreview{Chunks: []previewChunk{}}
	cutter, err := hashingCutter(r, &p.Statistics.Embedded)
	if err != nil {
		return nil, err
	}
	p.Recipe = cutter.Recipe()
	var sum chunk.Summary
	p.warnings, err = load.Walk(ctx, path, load.Options{OnError: "skip", PDF: pdf.Options{CacheDir: codeCache()}}, func(d rag.Document) error {
		chunks, err := cutter.Cut(ctx, &d)
		if err != nil {
			return err
		}
		sum.Add(&d, chunks)
		for _, c := range chunks[:min(len(chunks), max(0, number-len(p.Chunks)))] {
			p.Chunks = append(p.Chunks, previewChunk{c.Key, c.DocID, c.Start, c.End, c.Tokens, c.Metadata, c.Text})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s := &p.Statistics
	s.Documents, s.Blank, s.Characters, s.Chunks = sum.Documents, sum.Blank, sum.Characters, sum.Chunks()
	s.TokensMin, s.TokensMedian, s.TokensP95, s.TokensMax = sum.Tokens(0), sum.Tokens(0.5), sum.Tokens(0.95), sum.Tokens(1)
	s.Coverage, s.Overlap = sum.Coverage(), sum.Overlap()
	return p, nil
}

// hashingCutter is a cutter by r that embeds with the mock model, and counts the tokens that takes.
func hashingCutter(r chunk.Recipe, embedded *int) (*chunk.Cutter, error) {
	p, err := model.OpenEmbedder(mockEmbedding, model.Env{})
	if err != nil {
		return nil, err
	}
	return chunk.New(r, chunk.Models{Embedder: mockEmbedding, Embed: func(ctx context.Context, texts []string) ([][]float32, error) {
		reply, err := p.SendEmbed(ctx, rag.EmbedRequest{Texts: texts})
		for _, n := range reply.Tokens {
			*embedded += n
		}
		return reply.Vectors, err
	}})
}

// write prints the statistics and the chunks for a person.
func (p *chunkPreview) write(a *app) error {
	s := p.Statistics
	fmt.Fprintf(a.Out, "%s: %d chunks of %d documents (%d blank), %d characters without spaces\n", p.Recipe.Chunker, s.Chunks, s.Documents, s.Blank, s.Characters)
	fmt.Fprintf(a.Out, "tokens a chunk: %d least, %d median, %d p95, %d most (%s)\n", s.TokensMin, s.TokensMedian, s.TokensP95, s.TokensMax, p.Recipe.Tokenizer)
	fmt.Fprintf(a.Out, "coverage %.1f %%, overlap %.1f %%", 100*s.Coverage, 100*s.Overlap)
	if s.Embedded > 0 {
		fmt.Fprintf(a.Out, "; %d tokens embedded to cut", s.Embedded)
	}
	fmt.Fprint(a.Out, "\n\n")
	t := report.Table{Columns: []string{"document", "start", "end", "tokens", "text"}}
	for _, c := range p.Chunks {
		t.Rows = append(t.Rows, []any{c.Document, int64(c.Start), int64(c.End), int64(c.Tokens), text.Truncate(c.Text, previewText)})
	}
	return t.Write(a.Out, "table")
}
