package text

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sentences(s string) []string {
	var out []string
	for _, span := range Sentences(s) {
		out = append(out, s[span[0]:span[1]])
	}
	return out
}

func TestSentences(t *testing.T) {
	// A bar marks each boundary.
	for _, marked := range []string{
		"", "   ", "One", "One.", "One. ", " One. |Two!  |Three?\n|Four",
		"He said \"no.\" |She left. |(He stayed.) |[Both] did.",
		"It ended at 5. |6 people left. |\"Why?\" |‘Because.’ |«Oui.» |Élan follows.",
		"lower. case goes on... and on. |Then... |Not here",
		"Dr. Smith met Mr. J. R. Jones of Acme Inc. in the U.S. Senate on Jan. 5 at 5 p.m. |He left.",
		"See Fig. 3 and No. IV, e.g. Table 2, i.e. Rows (cf. Smith et al. (2012) and Roe v. Wade). |It costs 3.50 a lb. |The end.",
		"I said no. |The answer holds. |He lives in the U.S. |It is large.",
		"1. First item\n2. Second item. |Third.\n\n|a. Fourth",
		"A heading\n\n|A paragraph\nin two lines.\n \t\n|Next", "a\r\n\r\n|b\rc\r\r|d",
		"Am 3. Oktober war es so. |Danach nicht.",
		"the flow . |the boundary layer . |end .",
		"渡轮九点出发。|狗可以免费！|真的吗？|“是的。”|他说。", "真的吗?|是", "It is so.[1] |Or not.[note 2][3] |[4] a[0].b is code.", "有。[注] |好。：三。 。|“一”。", "「はい。」と言った。|終わり", "３．１４です．|次",
		"क्या? |हाँ। |ठीक", "هل؟ |نعم. |لا", "안녕하세요. |반갑습니다.",
		"**Bold ends.** |*Then* more. |`code` next.", "a.b Go to example.com. |Now v1.2.3 is out",
	} {
		want := strings.Split(marked, "|")
		if marked == "" {
			want = nil
		}
		s := strings.ReplaceAll(marked, "|", "")
		if diff := cmp.Diff(want, sentences(s)); diff != "" {
			t.Errorf("sentences of %q (-want +got):\n%s", s, diff)
		}
	}
}

// FuzzSentences checks that sentences tile the text and that none but the first is blank at its start.
func FuzzSentences(f *testing.F) {
	f.Add("Dr. No. \n\n 5. \"A\"。x\xff. . .\r\r")
	f.Fuzz(func(t *testing.T, s string) {
		at := 0
		for _, span := range Sentences(s) {
			if span[0] != at || span[1] <= span[0] {
				t.Fatalf("sentence %v after offset %d of %q", span, at, s)
			}
			at = span[1]
		}
		if at != len(s) {
			t.Fatalf("sentences of %q end at %d of %d", s, at, len(s))
		}
	})
}

func BenchmarkSentences(b *testing.B) {
	s := strings.Repeat("The relevance of a passage is judged by its reader, e.g. Dr. Smith, and not by its words. ", 10_000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Sentences(s)
	}
}
