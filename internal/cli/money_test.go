package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// moneyConfig has one paid model and systems whose prompts differ.
const moneyConfig = `
run: {name: money, latency_probe_questions: 0, max_workers: 1%s}
dataset: {path: data}
models: {generator: gpt-6-luna}
pricing: {gpt-6-luna: {input: 1000, output: 3000, cached_input: 500}}
systems: [no_retrieval, {name: two, type: bm25, retrieval: {top_k: 2}}, {name: three, type: bm25, retrieval: {top_k: 3}}]
evaluation: {judge: none}
`

func (b *bed) number(path, query string) float64 {
	b.t.Helper()
	v, err := strconv.ParseFloat(b.one(path, query), 64)
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

// Costs are tokens × the dated price: of every call, and of every answer, whose parts add up to its steps.
func TestCostsAddUp(t *testing.T) {
	b := newBed(t, 5)
	b.write("m.yaml", fmt.Sprintf(moneyConfig, ""))
	r := b.must("run", "-c", "m.yaml", "--yes", "--db", "m.db")
	tokens := "(1000.0 * prompt_tokens + 3000.0 * completion_tokens) / 1e6"
	for _, query := range []string{
		"SELECT count(*) FROM model_calls WHERE abs(cost_usd - " + tokens + ") > 1e-12",
		"SELECT count(*) FROM answers WHERE abs(total_cost - " + tokens + ") > 1e-12",
		"SELECT count(*) FROM answers AS a WHERE abs(total_cost - (SELECT sum(cost_usd) FROM steps AS t WHERE t.answer_id = a.answer_id)) > 1e-12",
		"SELECT count(*) FROM answers WHERE total_cost <> embedding_cost + llm_cost + rerank_cost + query_rewrite_cost + tool_cost + decision_cost",
		"SELECT count(*) FROM steps WHERE name = 'untracked'",
		"SELECT count(*) FROM step_calls WHERE booked <> 'llm'",
		"SELECT count(*) FROM model_calls WHERE price_id IS NULL OR run_id IS NULL",
	} {
		if got := b.one("m.db", query); got != "0" {
			t.Errorf("%s: got %s, want 0", query, got)
		}
	}
	if charged, paid := b.number("m.db", "SELECT charged_usd FROM spend"), b.number("m.db", "SELECT paid_usd FROM spend"); charged <= 0 || math.Abs(charged-paid) > 1e-9 {
		t.Errorf("got $%v charged and $%v paid, want the same", charged, paid)
	}
	if !strings.Contains(r.err, "paid $") {
		t.Errorf("got %s, want what was paid", r.err)
	}

	// The same calls at other prices: half of them, then unknown, then back.
	before := b.number("m.db", "SELECT sum(total_cost) FROM answers")
	b.write("half.yaml", "gpt-6-luna: {input: 500, output: 1500}\n")
	b.must("reprice", "--prices", "half.yaml", "--db", "m.db")
	if got := b.number("m.db", "SELECT sum(total_cost) FROM answers"); math.Abs(got-before/2) > 1e-9 {
		t.Errorf("got $%v at half the price, want $%v", got, before/2)
	}
	b.must("reprice", "--as-of", "2020-01-01", "--db", "m.db")
	if got := b.one("m.db", "SELECT count(total_cost) FROM answers"); got != "0" {
		t.Errorf("got %s costs before there was a price, want none", got)
	}
	b.write("back.yaml", "pricing: {gpt-6-luna: {input: 1000, output: 3000, cached_input: 500}}\n")
	b.must("reprice", "--prices", "back.yaml", "--db", "m.db")
	if got := b.number("m.db", "SELECT sum(total_cost) FROM answers"); math.Abs(got-before) > 1e-9 {
		t.Errorf("got $%v at the first prices again, want $%v", got, before)
	}
	if got := b.one("m.db", "SELECT count(*) FROM model_calls WHERE abs(cost_usd - "+tokens+") > 1e-12"); got != "0" {
		t.Error("what was paid has changed")
	}
}

// withoutPrice makes moneyConfig one without a price.
var withoutPrice = strings.NewReplacer("pricing: {gpt-6-luna: {input: 1000, output: 3000, cached_input: 500}}", "", "gpt-6-luna", "new-model")

// A price that is not known makes the cost unknown and shows; it is never 0.
func TestUnknownPrice(t *testing.T) {
	b := newBed(t, 3)
	b.write("u.yaml", withoutPrice.Replace(fmt.Sprintf(moneyConfig, "")))
	r := b.must("run", "-c", "u.yaml", "--db", "u.db")
	if !strings.Contains(r.out, "No price: openai:new-model (9 calls)") || !strings.Contains(r.err, "warning: no price for openai:new-model") {
		t.Errorf("got %s%s, want the model without a price named", r.out, r.err)
	}
	if got := b.one("u.db", "SELECT count(*) FROM answers WHERE total_cost IS NOT NULL OR llm_cost IS NOT NULL"); got != "0" {
		t.Errorf("got %s answers with a cost, want none", got)
	}
	if got := b.one("u.db", "SELECT json_array_length(metadata, '$.warnings') FROM runs"); got != "1" {
		t.Errorf("got %s warnings with the run, want 1", got)
	}
	b.write("capped.yaml", strings.Replace(withoutPrice.Replace(fmt.Sprintf(moneyConfig, ", max_cost_usd: 1")), "name: money", "name: capped", 1))
	b.server.Reset()
	if r := b.run("run", "-c", "capped.yaml", "--db", "c.db"); r.code != exitUsage || !strings.Contains(r.err, "max_cost_usd cannot be held") || b.server.Total() > 0 {
		t.Errorf("got exit code %d, %d requests and %s, want a cap that cannot be held refused", r.code, b.server.Total(), r.err)
	}
}

// A dear run is not started without being agreed to.
func TestConfirmation(t *testing.T) {
	b := newBed(t, 8)
	b.write("m.yaml", fmt.Sprintf(moneyConfig, ", cost_confirm_threshold_usd: 0.5"))
	r := b.run("run", "-c", "m.yaml", "--db", "m.db")
	if r.code != exitUsage || !strings.Contains(r.err, "above cost_confirm_threshold_usd") || b.server.Total() > 0 {
		t.Errorf("got exit code %d, %d requests and %s, want it refused", r.code, b.server.Total(), r.err)
	}
	var est estimate
	if err := json.Unmarshal([]byte(b.must("estimate", "-c", "m.yaml", "--json").out), &est); err != nil {
		t.Fatal(err)
	}
	if b.server.Total() > 0 {
		t.Errorf("an estimate sent %d requests", b.server.Total())
	}
	b.must("run", "-c", "m.yaml", "--yes", "--db", "m.db")
	charged := b.number("m.db", "SELECT charged_usd FROM spend")
	if est.USD < charged/3 || est.USD > charged*3 || est.Questions != 8 || len(est.Systems) != 3 {
		t.Errorf("got an estimate of $%v for %d questions, want about $%v for 8", est.USD, est.Questions, charged)
	}
}

// The cap stops new work and keeps what there is; a higher one goes on from there, and nothing is paid twice.
func TestCap(t *testing.T) {
	b := newBed(t, 8)
	b.write("whole.yaml", fmt.Sprintf(moneyConfig, ""))
	b.must("run", "-c", "whole.yaml", "--yes", "--db", "whole.db")
	whole := b.number("whole.db", "SELECT paid_usd FROM spend")
	b.server.Reset()

	b.write("m.yaml", fmt.Sprintf(moneyConfig, fmt.Sprintf(", max_cost_usd: %v", whole/2)))
	r := b.run("run", "-c", "m.yaml", "--yes", "--db", "m.db")
	if r.code != exitFailed || !strings.Contains(r.err, "max_cost_usd: stopped after paying") || !strings.Contains(r.err, "unfinished: ") {
		t.Fatalf("got exit code %d and %s, want the cap named", r.code, r.err)
	}
	paid := b.number("m.db", "SELECT paid_usd FROM spend")
	if paid < whole/2 || paid > whole*.75 {
		t.Errorf("got $%v paid of a cap of $%v", paid, whole/2)
	}
	if got := b.one("m.db", "SELECT status || ' ' || (metadata ->> '$.budget.stopped') || ' ' || (metadata ->> '$.budget.incomplete_systems.three.total') FROM runs"); got != "stopped 1 8" {
		t.Errorf("got the state %s, want stopped 1 8", got)
	}
	before := b.number("m.db", "SELECT count(*) FROM answers")
	// The same cap again pays nothing more.
	if r := b.run("run", "-c", "m.yaml", "--yes", "--db", "m.db"); r.code != exitFailed || b.number("m.db", "SELECT count(*) FROM answers") != before {
		t.Errorf("got exit code %d and another number of answers than %v: %s", r.code, before, r.err)
	}
	b.write("m.yaml", fmt.Sprintf(moneyConfig, fmt.Sprintf(", max_cost_usd: %v", whole*2)))
	b.must("run", "-c", "m.yaml", "--yes", "--db", "m.db")
	if got := b.one("m.db", "SELECT count(*) || ' ' || count(DISTINCT run_id) || ' ' || min(status) FROM runs"); got != "1 1 done" {
		t.Errorf("got runs %s, want one that is done", got)
	}
	if got := b.server.Count("gpt-6-luna"); got != 24 {
		t.Errorf("got %d requests in all, want 24, each once", got)
	}
	if got := b.number("m.db", "SELECT paid_usd FROM spend"); math.Abs(got-whole) > 1e-9 {
		t.Errorf("got $%v paid in the end, want $%v", got, whole)
	}
}
