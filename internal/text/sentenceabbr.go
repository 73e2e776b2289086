package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// abbreviation says how a full stop after a word is read.
type abbreviation int

const (
	whole   abbreviation = iota // a word like any other
	leads                       // a name or an example follows: never the end of a sentence
	numbers                     // no end before a number, a letter or a Roman numeral
	closes                      // may close a sentence: the end before a word that begins one
)

// abbreviations are in small letters, those that are words otherwise with their capital, all without the last full
// stop. What mostly closes a sentence, such as etc., is left out.
var abbreviations = abbreviated(map[abbreviation]string{
	leads: "mr mrs Ms messrs mmes dr drs prof profs rev Hon Gen lt Col sgt capt cmdr adm Maj Sen Rep Reps Gov Pres supt insp " +
		"msgr fr mme mlle sra srta sig dott dipl e.g eg i.e ie viz vs cf z.b d.h p.ex bzw vgl bijv dhr mevr esp incl a.k.a resp",
	numbers: "no nos nr num fig figs eq eqs eqn eqns sec secs sect ch chap vol vols p pp para paras art arts abs tab ref refs ex " +
		"pt pts n c b d r bk ser ver thm prop def lem op tel ext approx ca max min kap bd",
	closes: "inc ltd co corp bros jr sr plc assn assoc dept univ inst st mt ft ave blvd rd hwy sq al ed eds trans repr est intl govt " +
		"ibid cit v hr hrs mins lb lbs oz yd Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri " +
		"Sat Sun Calif Conn Mich Minn Tenn Tex Wis Fla Ala Ariz Colo Del Ill Ind Kan Okla Nev Neb ph.d m.d",
})

// starters are words with a capital that begin sentences far more often than they follow an abbreviation or an initial
// within one.
var starters = abbreviated(map[abbreviation]string{
	leads: "the this that these those it its he she his they their we our you your i a an there here what who where when why how " +
		"however but and or so yet in on at as by for from of with without to if while although though because since after before " +
		"during until between among within through despite unlike both each every some many most several all another such " +
		"then thus therefore hence also moreover furthermore additionally meanwhile nevertheless instead later finally next " +
		"today yesterday according only even once perhaps please let one two three is are was were did do does has have can could",
})

// monthsGerman follow the full stop of an ordinal.
const monthsGerman = " januar februar märz april mai juni juli august september oktober november dezember "

func abbreviated(lists map[abbreviation]string) map[string]abbreviation {
	t := map[string]abbreviation{}
	for kind, words := range lists {
		for _, w := range strings.Fields(words) {
			t[w] = kind
		}
	}
	return t
}

// longestAbbreviation bounds, in bytes, how far back a word is read.
const longestAbbreviation = 24

// abbreviates reports whether the full stop at i, in a sentence that began at start, belongs to the word before it
// alone, given the text at after.
func abbreviates(s string, start, i, after int) bool {
	from := i
	for from > start && i-from <= longestAbbreviation {
		r, w := decodeLast(s, from)
		if isSpace(r) || strings.ContainsRune("([{\"'“‘«„—–-*_", r) {
			break
		}
		from -= w
	}
	word := s[from:i]
	if word == "" || i-from > longestAbbreviation {
		return false
	}
	if enumerates(word) && (from == start || startsLine(s, from)) {
		return true
	}
	next := nextWord(s, after)
	switch kindOf(word) {
	case leads:
		return true
	case numbers:
		r, _ := utf8.DecodeRuneInString(next)
		return unicode.IsDigit(r) || enumerates(next) && !starts(s, after, next)
	case closes:
		return !starts(s, after, next)
	}
	return isNumber(word) && next != "" && strings.Contains(monthsGerman, " "+strings.ToLower(next)+" ")
}

// kindOf classifies the word before a full stop.
func kindOf(word string) abbreviation {
	if k, ok := abbreviations[word]; ok {
		return k
	}
	k, ok := abbreviations[strings.ToLower(word)]
	if ok && len(word) > 1 && (k != closes || word != strings.ToUpper(word)) {
		return k // HR and ED are no abbreviations with a full stop
	}
	// Initials: a capital, or short parts with full stops between them.
	parts := 0
	for part := range strings.SplitSeq(word, ".") {
		parts++
		n := RuneCount(part)
		r, _ := utf8.DecodeRuneInString(part)
		if n == 0 || n > 2 || n == 2 && part == word || !unicode.IsLetter(r) {
			return whole
		}
	}
	r, _ := utf8.DecodeRuneInString(word)
	if parts > 1 || unicode.IsUpper(r) {
		return closes
	}
	return whole
}

// nextWord returns the letters and digits at i, after opening marks.
func nextWord(s string, i int) string {
	for i < len(s) {
		r, w := decode(s, i)
		if unicode.IsLetter(r) || unicode.IsDigit(r) || isSpace(r) {
			break
		}
		i += w
	}
	end := i
	for end < len(s) && end-i <= longestAbbreviation {
		r, w := decode(s, end)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) {
			break
		}
		end += w
	}
	return s[i:end]
}

// starts reports whether the word next, found at or after i, begins a sentence: a starter that is not an initial or
// the first part of a name with a hyphen.
func starts(s string, i int, next string) bool {
	if _, ok := starters[strings.ToLower(next)]; !ok {
		return false
	}
	at := i + strings.Index(s[i:], next) + len(next)
	return at >= len(s) || s[at] != '.' && s[at] != '-'
}

// enumerates reports whether word may number a list item or a figure: up to three digits, a letter or a Roman numeral.
func enumerates(word string) bool {
	if isNumber(word) {
		return len(word) <= 3
	}
	return RuneCount(word) == 1 && isASCIILetter(word[0]) || word != "" && len(word) <= 5 && strings.Trim(word, "IVX") == ""
}

func isNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// startsLine reports whether only spaces and marks of Markdown are between offset i and the line end before it.
func startsLine(s string, i int) bool {
	for range longestAbbreviation {
		if i == 0 {
			return true
		}
		switch s[i-1] {
		case '\n', '\r':
			return true
		case ' ', '\t', '#', '>', '*', '_':
			i--
		default:
			return false
		}
	}
	return false
}
