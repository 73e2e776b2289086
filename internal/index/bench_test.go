package index

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"ragbench/internal/sqlext"
	"ragbench/internal/store"
	"ragbench/internal/vec"
)

// The benchmarks print ratios: what a user would pick instead, over ours, in one run on one machine.

const benchChunks, benchWords = 100_000, 100

// benchTexts cuts 100,000 chunks of 100 words out of real English text. When the text ends, it is cut again from other places,
// so that no chunk repeats.
func benchTexts(tb testing.TB) (chunks, questions []string) {
	tb.Helper()
	var words []string
	for _, name := range []string{"scifact", "hotpotqa-500", "2wiki-hipporag-101", "squad2-dev", "cacm", "cranfield", "multihop-rag-facts"} {
		documents, asked := sharedSet(tb, name)
		for _, d := range documents {
			words = append(words, strings.Fields(d)...)
		}
		questions = append(questions, asked[:min(20, len(asked))]...)
	}
	for offset := 0; ; offset += 37 {
		for at := offset; at+benchWords <= len(words); at += benchWords {
			chunks = append(chunks, strings.Join(words[at:at+benchWords], " "))
			if len(chunks) == benchChunks {
				return chunks, questions
			}
		}
	}
}

// bench is what the benchmarks share; the file is built once.
type bench struct {
	dir              string
	db               *store.DB
	questions        []string
	textBytes        int
	build            time.Duration // all of BuildLexical
	analysisID       int64
	lexicalID        int64
	indexID          int64
	chunkBytes, full int64 // size of the file before and after BuildLexical
}

// benchFile is made by openBench and removed by TestMain.
var benchFile *bench

func TestMain(m *testing.M) {
	code := m.Run()
	if benchFile != nil {
		benchFile.db.Close()
		os.RemoveAll(benchFile.dir)
	}
	os.Exit(code)
}

func openBench(tb testing.TB) *bench {
	tb.Helper()
	if benchFile != nil {
		return benchFile
	}
	chunks, questions := benchTexts(tb)
	dir, err := os.MkdirTemp("", "index")
	if err != nil {
		tb.Fatal(err)
	}
	b := &bench{dir: dir}
	if b.db, err = store.Open(context.Background(), filepath.Join(dir, "bench.db"), store.Options{}); err != nil {
		tb.Fatal(err)
	}
	benchFile = b
	b.questions = questions
	b.indexID = addIndex(tb, b.db, chunks)
	for _, c := range chunks {
		b.textBytes += len(c)
	}
	b.chunkBytes = b.size(tb)
	begin := time.Now()
	write(tb, b.db, func(ctx context.Context, tx *sql.Tx) (err error) {
		b.analysisID, err = BuildLexical(ctx, tx, b.indexID, Analysis{})
		b.build = time.Since(begin)
		if err == nil {
			b.lexicalID, err = Lexical(ctx, tx, b.analysisID, "fts5", 1.2, .75)
		}
		return err
	})
	b.full = b.size(tb)
	return b
}

// size is the size of the file with the log folded in.
func (b *bench) size(tb testing.TB) (n int64) {
	tb.Helper()
	write(tb, b.db, func(ctx context.Context, tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`).Scan(&n)
	})
	return n
}

func median(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2])
}

func BenchmarkBM25(b *testing.B) {
	f := openBench(b)
	set := openSet(b, f.db)
	begin := time.Now()
	if _, err := set.SearchText(f.lexicalID, f.questions[0], 10); err != nil {
		b.Fatal(err)
	}
	first := time.Since(begin)
	analyzer, err := NewAnalyzer(Analysis{})
	if err != nil {
		b.Fatal(err)
	}
	defer analyzer.Close()
	var ours []time.Duration
	for range 2 { // the second round finds the postings in memory
		ours = ours[:0]
		for _, q := range f.questions {
			begin := time.Now()
			if _, err := set.SearchText(f.lexicalID, q, 10); err != nil {
				b.Fatal(err)
			}
			ours = append(ours, time.Since(begin))
		}
	}
	fts := func(order string) float64 {
		var times []time.Duration
		for _, q := range f.questions {
			match, err := analyzer.Match(q)
			if err != nil {
				b.Fatal(err)
			}
			begin := time.Now()
			queryHits(b, f.db, fmt.Sprintf(`SELECT rowid, bm25(fts_%d) FROM fts_%[1]d WHERE fts_%[1]d MATCH ? ORDER BY %[2]s LIMIT 10`, f.analysisID, order), match)
			times = append(times, time.Since(begin))
		}
		return median(times)
	}
	byFunction, byRank := fts(fmt.Sprintf("bm25(fts_%d)", f.analysisID)), fts("rank")
	i := 0
	for b.Loop() {
		if _, err := set.SearchText(f.lexicalID, f.questions[i%len(f.questions)], 10); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(median(ours)/1e6, "median-ms")
	b.ReportMetric(byFunction/median(ours), "fts5-bm25()/ours")
	b.ReportMetric(byRank/median(ours), "fts5-rank/ours")
	b.ReportMetric(first.Seconds()*1000, "first-ms")
}

func BenchmarkBuildLexical(b *testing.B) {
	f := openBench(b)
	var times []time.Duration
	for b.Loop() {
		err := f.db.Write(context.Background(), func(tx *sql.Tx) error {
			begin := time.Now()
			w := &lexicalWriter{ctx: context.Background(), tx: tx, index: f.indexID, tokenizer: "porter unicode61", terms: map[string]uint32{}}
			var err error
			if w.analyzer, err = NewAnalyzer(Analysis{}); err != nil {
				return err
			}
			defer w.analyzer.Close()
			for _, step := range []func() error{w.readSpan, func() error { return w.start("none") }, w.readChunks, w.writeTerms} {
				if err := step(); err != nil {
					return err
				}
			}
			times = append(times, time.Since(begin))
			return sql.ErrTxDone // roll back
		})
		if err != sql.ErrTxDone {
			b.Fatal(err)
		}
	}
	b.ReportMetric(benchChunks/(median(times)/1e9), "postings-chunks/s")
	b.ReportMetric(benchChunks/f.build.Seconds(), "all-chunks/s")
	b.ReportMetric(float64(f.textBytes)/1e6/f.build.Seconds(), "all-MB/s")
	b.ReportMetric(float64(f.full)/float64(f.textBytes), "file/text")
	b.ReportMetric(float64(f.full-f.chunkBytes)/float64(f.textBytes), "index/text")
}

// clustered makes unit vectors around 1,000 centres, as embeddings are.
func clustered(n int) [][]float32 {
	rng := rand.New(rand.NewPCG(3, 4))
	centres := make([][]float32, 1000)
	for i := range centres {
		centres[i] = make([]float32, hashDims)
		for d := range centres[i] {
			centres[i][d] = float32(rng.NormFloat64())
		}
	}
	all := make([][]float32, n)
	for i := range all {
		v := slices.Clone(centres[rng.IntN(len(centres))])
		for d := range v {
			v[d] += float32(rng.NormFloat64())
		}
		vec.Normalise(v)
		all[i] = v
	}
	return all
}

func BenchmarkVector(b *testing.B) {
	f := openBench(b)
	vectors := clustered(benchChunks)
	queries := clustered(20)
	next := 0
	begin := time.Now()
	vectorID, _ := buildVector(b, f.db, f.indexID, hashing, func(string) []float32 { next++; return vectors[next-1] })
	stored := time.Since(begin)
	set := openSet(b, f.db)
	begin = time.Now()
	if _, err := set.SearchVector(vectorID, vec.Encode(queries[0]), 10); err != nil {
		b.Fatal(err)
	}
	first := time.Since(begin)
	ours := timeEach(queries, func(q []float32) {
		if _, err := set.SearchVector(vectorID, vec.Encode(q), 10); err != nil {
			b.Fatal(err)
		}
	})
	plain := timeEach(queries, func(q []float32) {
		best := top{k: 10}
		for i, v := range vectors {
			var dot float32
			for d, x := range v {
				dot += x * q[d]
			}
			best.add(sqlext.Hit{ChunkID: int64(i), Score: float64(dot)})
		}
		best.ranked()
	})
	fillVec0(b, f.db, vectors)
	vec0 := timeEach(queries, func(q []float32) {
		queryHits(b, f.db, `SELECT rowid, distance FROM bench_vec0 WHERE v MATCH ? AND k = 10 ORDER BY distance`, vec.Encode(q))
	})
	i := 0
	for b.Loop() {
		if _, err := set.SearchVector(vectorID, vec.Encode(queries[i%len(queries)]), 10); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(ours/1e6, "median-ms")
	b.ReportMetric(vec0/ours, "vec0/ours")
	b.ReportMetric(plain/ours, "go-loop/ours")
	b.ReportMetric(first.Seconds()*1000, "first-ms")
	b.ReportMetric(benchChunks/stored.Seconds(), "stored-vectors/s")
	runtime.KeepAlive(vectors)
}

func timeEach(queries [][]float32, search func([]float32)) float64 {
	var times []time.Duration
	for _, q := range queries {
		begin := time.Now()
		search(q)
		times = append(times, time.Since(begin))
	}
	return median(times)
}

func fillVec0(tb testing.TB, db *store.DB, vectors [][]float32) {
	tb.Helper()
	write(tb, db, func(ctx context.Context, tx *sql.Tx) error {
		for _, st := range []string{`DROP TABLE IF EXISTS bench_vec0`, `CREATE VIRTUAL TABLE bench_vec0 USING vec0(v float[384] distance_metric=cosine)`} {
			if _, err := tx.ExecContext(ctx, st); err != nil {
				return err
			}
		}
		put, err := tx.PrepareContext(ctx, `INSERT INTO bench_vec0 (rowid, v) VALUES (?, ?)`)
		if err != nil {
			return err
		}
		defer put.Close()
		for i, v := range vectors {
			if _, err := put.ExecContext(ctx, i, vec.Encode(v)); err != nil {
				return err
			}
		}
		return nil
	})
}

// BenchmarkEmbeddingsView times brute force in SQL over the view, which anyone with sqlite-vec can run.
func BenchmarkEmbeddingsView(b *testing.B) {
	db := openStore(b)
	texts := make([]string, 5000)
	for i := range texts {
		texts[i] = fmt.Sprintf("%x", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
	}
	vectors := clustered(len(texts))
	next := 0
	id, _ := buildVector(b, db, addIndex(b, db, texts), hashing, func(string) []float32 { next++; return vectors[next-1] })
	for b.Loop() {
		sqlSearch(b, db, id, vectors[0], 10)
	}
}
