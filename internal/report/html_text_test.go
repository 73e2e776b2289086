package report

import (
	"testing"
)

func TestClip(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		n          int
		want       string
	}{
		{"short", "abc", 3, "abc"},
		{"cut", "abcdef", 4, "abc…"},
		{"counts code points", "äöüß", 4, "äöüß"},
		{"keeps a family whole", "ab👩‍👩‍👧cd", 5, "ab…"},
		{"a character too long for the room", "👩‍👩‍👧", 3, "👩\u200d…"},
		{"bytes that are no text", "a\xffb", 9, "a\uFFFDb"},
	} {
		if got := clip(tt.text, tt.n); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestShown(t *testing.T) {
	if got, want := shown("a\tb\r\nc\x1b[0m\u202ed\x00"), "a\tb\nc␛[0m⟨U+202E⟩d␀"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUnits(t *testing.T) {
	check := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check(duration(0), "0 ms")
	check(duration(0.0304), "30.4 µs")
	check(duration(0.9994), "999 µs")
	check(duration(0.9996), "1 ms")
	check(duration(2.079), "2.08 ms")
	check(duration(999.6), "1 s")
	check(duration(61_500), "61.5 s")
	check(duration(600_000), "10 min")
	check(dollars(0), "$0")
	check(dollars(0.00012345), "$0.000123")
	check(dollars(0.0000001), "$1.0e-07")
	check(dollars(12.345), "$12.35")
	check(significant(31099, 3), "31099")
	check(count(1234567), "1\u202f234\u202f567")
	check(count(-123456), "-123\u202f456")
	check(percent(1, 1000), "under 1 %")
	check(percent(2, 3), "67 %")
	check(joinNames([]string{"a", "b", "c"}), "a, b and c")
}

func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{
		"demo.db":       "demo.db",
		"a b":           "'a b'",
		"it's":          `'it'\''s'`,
		"-rf":           "'-rf'",
		"":              "''",
		"$(reboot)":     "'$(reboot)'",
		"`x`;":          "'`x`;'",
		"a\x1b[31m.db":  "'a␛[31m.db'",
		"runs/2026.db":  "runs/2026.db",
		"user@host:/db": "user@host:/db",
	} {
		if got := shellWord(word); got != want {
			t.Errorf("%q: got %s, want %s", word, got, want)
		}
	}
}
