package htmltext

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"words of one line", "<p>an <b>em</b>phasis <i>and</i>\n  more", "an emphasis and more"},
		{"entities once", "<p>&amp;lt;b&gt; caf&eacute; &#x4e2d; &nbsp;x</p>", "&lt;b> café 中 x"},
		{"scripts, styles, comments", "<style>p{}</style><p>a<!-- b --><script>c('<p>')</script><noscript>d</noscript>e</p><template>f</template>", "ae"},
		{"blocks", "<div>a</div><div>b</div><p>c<p>d<hr>e", "a\nb\n\nc\n\nd\n\ne"},
		{"breaks", "a<br>b<br><br>c", "a\nb\n\nc"},
		{"headings", "<h1>A <em>b</em></h1>c<h3>d</h3>", "# A b\n\nc\n\n### d"},
		{"lists", "<ul><li>a<ol start=3><li>b<li>c</ol><li><p>d</p></ul>e", "- a\n  3. b\n  4. c\n\n- d\n\ne"},
		{"table", "<table><caption>T</caption><tr><th>a<th>b</tr><tr><td>1<td><p>2</p><p>3</p></tr></table>x", "T\na | b\n1 | 2 3\n\nx"},
		{"layout table", "<table><tr><td>menu</td><td><table><tr><td>a<td>b</table><p>" + strings.Repeat("long ", 100) + "</p></td></table>", "menu\n\na | b\n\n" + strings.TrimSpace(strings.Repeat("long ", 100))},
		{"white space of code", "<pre>\nif x {\n\ty\n}</pre>after", "if x {\n\ty\n}\n\nafter"},
		{"hidden", "<p>a</p><p hidden>b</p><div style='color:red; Display : NONE'><p>c</p></div><p>d</p>", "a\n\nd"},
		{"data addresses", `<img src="data:image/png;base64,AAAA" alt="x"><p>a</p>`, "a"},
		{"controls", "<select><option>no</select><button>yes</button><textarea>kept  so</textarea>", "yes\n\nkept  so"},
		{"a title in the body", "<body><title>no</title>a", "a"},
	} {
		if got := Parse(tt.in).Text; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestTitleAndMeta(t *testing.T) {
	p := Parse(`<html lang="de"><head><title> A &amp;
 B </title><meta name="Author" content="C"><meta name=description content=" d  e"><meta property=og:title content=x></head><h1>F</h1></html>`)
	if diff := cmp.Diff(&Page{Title: "A & B", Text: "# F", Meta: map[string]string{"language": "de", "author": "C", "description": "d e"}}, p); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
	if got := Parse("<h2>x</h2><h1>The <b>first</b></h1><h1>second</h1>").Title; got != "The first" {
		t.Errorf("title = %q, want that of the first heading", got)
	}
}

// TestDeepNesting reads pages that the parser refuses, without growing with their depth.
func TestDeepNesting(t *testing.T) {
	deep := "<title>T</title>" + strings.Repeat("<div>", 200_000) + "a &amp; b<script>no</script><p>c</p>" + strings.Repeat("</div>", 200_000)
	if diff := cmp.Diff(&Page{Title: "T", Text: "a & b\n\nc"}, Parse(deep)); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
	formatting := strings.Repeat("<b><i>", 50_000) + "x"
	if got := Parse(formatting).Text; got != "x" {
		t.Errorf("text = %.50q, want x", got)
	}
}
