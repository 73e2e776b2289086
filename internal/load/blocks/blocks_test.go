package blocks

import "testing"

func TestBuilder(t *testing.T) {
	for _, tt := range []struct {
		name  string
		build func(b *Builder)
		want  string
	}{
		{"nothing", func(b *Builder) { b.Para(); b.Text(" \n"); b.Break() }, ""},
		{"white space", func(b *Builder) { b.Text(" a\n\tb\u00a0"); b.Text("c"); b.Text("d e") }, "a b cd e"},
		{"a space between pieces", func(b *Builder) { b.Text("a "); b.Text("b"); b.Text(" "); b.Text("c") }, "a b c"},
		{"soft hyphens", func(b *Builder) { b.Text("hy\u00adphen \u00ad x") }, "hyphen x"},
		{"paragraphs", func(b *Builder) { b.Text("a"); b.Para(); b.Para(); b.Line(); b.Text("b") }, "a\n\nb"},
		{"breaks", func(b *Builder) {
			b.Text("a")
			b.Break()
			b.Text("b")
			b.Break()
			b.Break()
			b.Break()
			b.Text("c")
		}, "a\nb\n\nc"},
		{"heading", func(b *Builder) {
			b.Text("a")
			b.Heading(2)
			b.Text("b")
			b.Break()
			b.Text("c")
			b.EndPrefixed()
			b.Text("d")
		}, "a\n\n## b c\n\nd"},
		{"empty heading", func(b *Builder) { b.Text("a"); b.Heading(1); b.EndPrefixed(); b.Text("b") }, "a\n\nb"},
		{"items", func(b *Builder) {
			b.Item(0, "-")
			b.Text("a")
			b.Item(1, "1.")
			b.Text("b")
			b.EndPrefixed()
			b.Item(0, "-")
			b.EndPrefixed()
		}, "- a\n  1. b"},
		{"paragraph in an item", func(b *Builder) { b.Text("x"); b.Item(0, "-"); b.Para(); b.Text("a") }, "x\n\n- a"},
		{"rows", func(b *Builder) {
			b.Text("x")
			b.Row([]string{"a", "b\nc"})
			b.Row([]string{"", " "})
			b.Row([]string{"d", ""})
		}, "x\na | b c\nd |"},
		{"layout table", func(b *Builder) { b.Row([]string{"menu", "a | b\nc | d"}); b.Text("x") }, "menu\n\na | b\nc | d\n\nx"},
		{"verbatim", func(b *Builder) { b.Verbatim("\n\ta  b\r\n c\n") }, "\ta  b\n c"},
	} {
		var b Builder
		tt.build(&b)
		if got := b.String(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
