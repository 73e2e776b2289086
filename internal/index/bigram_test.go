package index

import (
	"testing"
	"unicode/utf8"
)

func TestBigrams(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"plain words, naïve café", "plain words, naïve café"},
		{"渡", "渡"},
		{"渡轮", "渡轮"},
		{"渡轮七点", "渡轮 轮七 七点"},
		{"iPhone手机2023年版x", "iPhone 手机 2023 年版 x"},
		{"渡轮，七", " 渡轮 ， 七"[1:]},
		{"デッキの下", "デッ ッキ キの の下"},
		{"カー", "カー"},
		{"カ\u3099ス", "ガス"},
		{"부두를 떠난다", "부두 두를   떠난 난다"},
		{"\u1112\u1161\u11ab\u1100\u1173\u11af", "\u1112\u1161\u11ab\u1100\u1173\u11af"}, // conjoining letters stay words
		{"ที่นี่", "ทน"},
		{"葛\ufe00飾", "葛飾"},
		{"𠀀𠀁𠀂", "𠀀𠀁 𠀁𠀂"},
		{"a\xffb", "a\xffb"},
		{"\xe4\xb8渡轮\xff", "\xe4\xb8 渡轮 \xff"},
		{"Русский हिन्दी العربية", "Русский हिन्दी العربية"},
	}
	for _, tt := range tests {
		got, changed := bigrams(tt.text)
		if got != tt.want {
			t.Errorf("bigrams(%q): got %q, want %q", tt.text, got, tt.want)
		}
		if runs := tt.text != "" && utf8.ValidString(tt.text) && got != tt.text; runs && !changed {
			t.Errorf("bigrams(%q): got unchanged, want changed", tt.text)
		}
	}
}

func TestStopWords(t *testing.T) {
	a, err := NewAnalyzer(Analysis{StopWords: "english"})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	tests := []struct{ text, want string }{
		{"no stop here?", "stop here"},
		{"Boilers run.", "Boilers run."}, // untouched, as nothing is left out
		{"The crew's ferry", "crew ferry"},
		{"the crew’s, dog＇s; s' 's", "crew dog s s"},
		{"it's THAT", ""},
		{"AND ANDES", "ANDES"},
		{"the 渡轮七 and", "渡轮 轮七"},
		{"", ""},
	}
	for _, tt := range tests {
		got, err := a.Prepare(tt.text)
		if err != nil || got.Text != tt.want || got.Changed != (tt.text != tt.want) {
			t.Errorf("Prepare(%q): got %+v, %v, want %q", tt.text, got, err, tt.want)
		}
	}
	if got := len(englishStopWords); got != 33 {
		t.Errorf("got %d stop words, want 33", got)
	}
}
