"use strict";
// Sorting, the question explorer and copying. Data is inserted as text alone: no markup is ever made from it.
(() => {
  const byId = (id) => document.getElementById(id);

  // el makes an element. Keys of props are attributes; kids are nodes or text.
  function el(tag, props, ...kids) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(props || {})) {
      if (value !== undefined && value !== null && value !== false) node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...kids.filter((kid) => kid !== null && kid !== undefined));
    return node;
  }

  // shown makes characters visible that have no form of their own or that turn the text around them.
  function shown(text) {
    return String(text)
      .replace(/[\u0000-\u0008\u000b-\u001f]/g, (c) => (c === "\r" ? "" : String.fromCharCode(0x2400 + c.charCodeAt(0))))
      .replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (c) => "⟨U+" + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0") + "⟩");
  }
  const bdi = (text, props) => {
    const node = el("bdi", props);
    node.textContent = shown(text);
    return node;
  };

  // duration writes milliseconds in the unit that suits them.
  function duration(ms) {
    const digits = (v) => (v === 0 ? "0" : String(Number(v.toPrecision(3))));
    if (ms === 0) return "0 ms";
    if (ms < 0.9995) return digits(ms * 1000) + " µs";
    if (ms < 999.5) return digits(ms) + " ms";
    return digits(ms / 1000) + " s";
  }

  // ---- tables that sort ----
  for (const table of document.querySelectorAll("table.sortable")) {
    const head = table.tHead.rows[table.tHead.rows.length - 1];
    [...head.cells].forEach((cell, column) => {
      const button = cell.querySelector("button");
      if (!button) return;
      button.addEventListener("click", () => {
        const first = button.dataset.kind === "text" || button.dataset.better === "low" ? "ascending" : "descending";
        const other = first === "ascending" ? "descending" : "ascending";
        const order = cell.getAttribute("aria-sort") === first ? other : first;
        for (const c of head.cells) c.removeAttribute("aria-sort");
        cell.setAttribute("aria-sort", order);
        const sign = order === "ascending" ? 1 : -1;
        const rows = [...table.tBodies[0].rows].map((row, n) => ({ row, n, key: row.cells[column].dataset.sort }));
        rows.sort((a, b) => {
          if ((a.key === undefined) !== (b.key === undefined)) return a.key === undefined ? 1 : -1;
          const d = button.dataset.kind === "text" ? a.key.localeCompare(b.key, "en") : Number(a.key) - Number(b.key);
          return sign * (d || 0) || a.n - b.n;
        });
        table.tBodies[0].append(...rows.map((r) => r.row));
      });
    });
  }

  // ---- copying ----
  for (const block of document.querySelectorAll(".copy")) {
    const pre = block.querySelector("pre");
    if (!pre) continue;
    const button = el("button", { type: "button", "aria-label": "Copy to the clipboard" }, "Copy");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(pre.textContent);
        button.textContent = "Copied";
      } catch {
        const range = document.createRange();
        range.selectNodeContents(pre);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    block.append(button);
  }

  // ---- printing: what is folded and short is unfolded ----
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details.printed:not([open])")];
    for (const d of folded) d.open = true;
  });
  addEventListener("afterprint", () => { for (const d of folded) d.open = false; });

  // ---- questions ----
  const explorer = byId("explorer");
  if (!explorer) return;
  const data = JSON.parse(byId("questions-data").textContent);
  const page = 50;
  let limit = page;
  let rows = [];

  data.questions.forEach((q, n) => {
    const values = q.recall.filter((v) => v !== null);
    q.n = n;
    q.best = values.length ? Math.max(...values) : null;
    q.spread = values.length ? q.best - Math.min(...values) : 0;
    q.hay = (q.id + " " + q.text).toLocaleLowerCase();
  });

  const kinds = {
    disagree: (q) => q.spread >= 0.5,
    nobody: (q) => q.relevant > 0 && q.best === 0,
    everyone: (q) => q.best === 1 && q.spread === 0,
    unanswerable: (q) => !q.answerable,
    refused: (q) => (q.refused || []).length > 0,
    error: (q) => (q.errors || []).length > 0,
  };
  const orders = {
    hard: (a, b) => (a.best ?? 2) - (b.best ?? 2) || b.spread - a.spread || a.n - b.n,
    spread: (a, b) => b.spread - a.spread || a.n - b.n,
  };

  const categories = [...new Set(data.questions.map((q) => q.category || ""))].filter(Boolean).sort();
  for (const c of categories) {
    const option = el("option", { value: c });
    option.textContent = shown(c);
    byId("f-category").append(option);
  }
  for (const option of byId("f-kind").options) {
    if (!option.value) continue;
    const n = data.questions.filter(kinds[option.value]).length;
    option.textContent += " (" + n + ")";
    option.disabled = n === 0;
  }
  byId("f-systems").append("Boxes, left to right: ", ...data.systems.flatMap((s, n) => (n ? [", ", bdi(s)] : [bdi(s)])), ".");

  function filter() {
    const words = byId("f-text").value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const category = byId("f-category").value;
    const kind = kinds[byId("f-kind").value];
    rows = data.questions.filter((q) =>
      words.every((w) => q.hay.includes(w)) && (!category || q.category === category) && (!kind || kind(q)));
    const order = orders[byId("f-order").value];
    if (order) rows = [...rows].sort(order);
    limit = page;
    render();
  }

  function render() {
    const part = rows.slice(0, limit);
    byId("list").replaceChildren(...part.map(row));
    const all = data.questions.length;
    byId("f-count").textContent = rows.length === 0 ? "No question fits." :
      (rows.length === all ? all + " questions" : rows.length + " of " + all + " questions") +
      (part.length < rows.length ? ", the first " + part.length + " shown" : "");
    byId("more").hidden = part.length >= rows.length;
  }

  function boxes(q) {
    const words = q.recall.map((v, s) => shown(data.systems[s]) + " " +
      ((q.errors || []).includes(s) ? "error" : v === null ? "missing" : String(Number(v.toFixed(2)))));
    const node = el("span", { class: "boxes", role: "img", "aria-label": words.join(", "), title: words.join("\n") });
    q.recall.forEach((v, s) => {
      const box = el("span", { class: "box" + ((q.errors || []).includes(s) ? " err" : v === null ? " none" : "") });
      box.style.setProperty("--v", Math.round(100 * (v ?? 0)) + "%");
      node.append(box);
    });
    return node;
  }

  function row(q) {
    const body = "q-body-" + q.n;
    const tags = el("span", { class: "q-cat" });
    if (!q.answerable) tags.append(el("span", { class: "tag" }, "unanswerable"));
    else if (q.category) tags.append(bdi(q.category, { class: "tag" }));
    const button = el("button", { type: "button", "aria-expanded": "false", "aria-controls": body },
      bdi(q.id, { class: "q-id" }), bdi(q.text, { class: "q-text", dir: "auto" }), tags, boxes(q));
    const node = el("div", { class: "q", "data-n": q.n }, el("h3", {}, button), el("div", { id: body, class: "q-body", hidden: true }));
    button.addEventListener("click", () => toggle(node, q));
    return node;
  }

  function toggle(node, q) {
    const button = node.querySelector("button");
    const body = node.querySelector(".q-body");
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(open));
    body.hidden = !open;
    if (open && !body.hasChildNodes()) body.append(...details(q));
  }

  function details(q) {
    const d = data.details[q.n];
    if (!d) return [el("p", { class: "note" }, "The details are left out to keep the page small; they are in the file.")];
    const meta = el("dl", { class: "q-meta" });
    const add = (name, ...value) => meta.append(el("dt", {}, name), el("dd", { dir: "auto" }, ...value));
    if (d.reference) add("Reference", bdi(d.reference));
    if (q.difficulty || q.category) add("Category", bdi([q.category, q.difficulty].filter(Boolean).join(", ")));
    if (!q.answerable) add("Answerable", "no: the right answer is a refusal");
    const labels = (d.labels || []).map((l) => el("span", { class: "label" }, bdi(l.doc), " ", grade(l)));
    add("Labels", ...(labels.length ? labels : ["none"]));
    const key = el("p", { class: "note" }, "A number after relevant is the grade; a place without a mark is not judged.");
    return [meta, key, el("div", { class: "cards" }, ...d.answers.map((a) => card(q, d, a)))];
  }

  const grade = (l) => el("span", { class: l.relevant ? "mark rel" : "mark" },
    (l.relevant ? "relevant" : "not relevant") + (l.grade === 1 && l.relevant ? "" : " " + l.grade));

  function card(q, d, a) {
    const name = el("h4", {}, bdi(data.systems[a.system]));
    if (a.repeat) name.append(" ", el("small", {}, "repeat " + a.repeat));
    const facts = [];
    const recall = q.recall[a.system];
    if (recall !== null && !a.error && !a.repeat) facts.push("recall@" + data.k + " " + Number(recall.toFixed(3)));
    if (a.ndcg !== undefined) facts.push("nDCG " + Number(a.ndcg.toFixed(3)));
    if (a.ms !== undefined) facts.push(duration(a.ms));
    if (a.refused) facts.push("refused");
    if (a.finish && a.finish !== "stop") facts.push("finish " + shown(a.finish));
    const node = el("article", { class: "card" }, name, el("p", { class: "card-facts" }, facts.join(" · ")));
    const text = el("p", { class: a.error ? "answer failed" : "answer", dir: "auto", tabindex: "0" });
    text.textContent = shown(a.error || a.text || "(no text)");
    node.append(text);
    node.append(...hits(d, a), ...steps(a));
    return node;
  }

  // hit gives the parts of a place in a ranking their names.
  const hit = ([rank, doc, score, grade, flags, passage]) => ({ rank, doc: data.texts[doc], score, grade,
    context: (flags & 1) > 0, relevant: (flags & 2) > 0, again: (flags & 4) > 0, passage: data.texts[passage] });

  function hits(d, a) {
    if (!a.hits) return a.error ? [] : [el("h5", {}, "Nothing was retrieved")];
    const list = el("ol", { class: "hits" });
    for (const h of a.hits.map(hit)) {
      const marks = el("span", { class: "marks" });
      if (h.grade !== null && (h.relevant || h.grade !== 0)) marks.append(grade({ grade: h.grade, relevant: h.relevant }));
      else if (h.grade !== null) marks.append(el("span", { class: "mark" }, "not relevant"));
      if (h.context) marks.append(el("span", { class: "mark ctx" }, "in context"));
      const doc = bdi(h.doc, { class: h.again ? "doc again" : "doc", title: h.again ? "stands further up" : null });
      const passage = el("div", { class: "passage", dir: "auto" });
      passage.textContent = shown(h.passage) || "(no text stored)";
      list.append(el("li", {}, el("details", { class: "hit" },
        el("summary", { title: "score " + h.score }, el("span", { class: "rank" }, String(h.rank)), doc, marks), passage)));
    }
    const ranked = a.hits.map(hit);
    const out = [el("h5", {}, "Ranked" + (a.ranked > ranked.length ? ", " + ranked.length + " of " + a.ranked : "") +
      (a.context > ranked.length ? "; " + a.context + " in context" : "")), list];
    const seen = new Set(ranked.map((h) => h.doc));
    const missed = (d.labels || []).filter((l) => l.relevant && !seen.has(l.doc));
    if (missed.length) {
      const first = a.first !== undefined && !ranked.some((h) => h.relevant) ? " (the first relevant document is at " + a.first + ")" : "";
      out.push(el("p", { class: "note" }, "Not among these: ", ...missed.flatMap((l, n) => (n ? [", ", bdi(l.doc)] : [bdi(l.doc)])), first));
    }
    return out;
  }

  function steps(a) {
    if (!a.steps) return [];
    const end = Math.max(...a.steps.map((s) => s.start + s.ms), a.ms || 0) || 1;
    const list = el("div", { class: "steps" });
    for (const s of a.steps) {
      const span = el("i", { class: "st st-" + s.step.split(":")[0] });
      span.style.left = Math.min(98, 100 * s.start / end) + "%";
      span.style.width = Math.min(100 - 100 * s.start / end, 100 * s.ms / end) + "%";
      const more = el("div", { class: "passage", dir: "auto" });
      more.textContent = ["in: " + shown(data.texts[s.input]), "out: " + shown(data.texts[s.output])]
        .concat(s.tokens ? ["tokens: " + s.tokens] : [], s.cost ? ["cost: $" + s.cost] : [], s.error ? ["error: " + shown(s.error)] : []).join("\n");
      list.append(el("details", {}, el("summary", {}, bdi(s.step + (s.error ? " ▲ failed" : "")),
        el("span", { class: "span", "aria-hidden": "true" }, span), el("span", { class: "ms" }, duration(s.ms))), more));
    }
    return [el("h5", {}, "Steps"), list];
  }

  // show opens a question by its id, whatever the filters say.
  function show(id) {
    const q = data.questions.find((x) => x.id === id);
    if (!q) return;
    byId("filters").reset();
    rows = data.questions;
    limit = Math.max(page, q.n + 1);
    render();
    const node = byId("list").querySelector('[data-n="' + q.n + '"]');
    toggle(node, q);
    node.scrollIntoView({ block: "start" });
    node.querySelector("button").focus({ preventScroll: true });
  }

  byId("filters").addEventListener("input", filter);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("more").addEventListener("click", () => { limit += page; render(); });
  for (const link of document.querySelectorAll("a.ask")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      location.hash = "q=" + encodeURIComponent(link.dataset.question);
    });
  }
  const fromHash = () => {
    if (location.hash.startsWith("#q=")) show(decodeURIComponent(location.hash.slice(3)));
  };
  addEventListener("hashchange", fromHash);
  explorer.hidden = false;
  filter();
  fromHash();
})();
