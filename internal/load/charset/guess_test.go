package charset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// samples are sentences of everyday text, for the pages they are written in.
var samples = []struct{ language, text, pages string }{
	{"French", "Le marché rouvre à huit heures ; l'été, les élèves y vendent des légumes près du théâtre, où ça sent déjà la fête.", "windows-1252 macintosh ibm850"},
	{"German", "Die Züge fahren früh über die Brücke, und wer zu spät kommt, muß größere Geduld üben als gewöhnlich; schöne Grüße!", "windows-1252 macintosh ibm850"},
	{"Spanish", "El niño pidió más información sobre la excursión de mañana, pero el señor García ya había cerrado la oficina de atención al público.", "windows-1252 macintosh ibm850"},
	{"English", "The manager’s note – “please don’t park here” – was ignored; it cost £40 or €45, said the café’s owner.", "windows-1252"},
	{"Polish", "Pociąg spóźnił się o godzinę, więc wszyscy pasażerowie czekali na peronie i pili gorącą herbatę, żeby się rozgrzać w śnieżną noc.", "windows-1250 iso-8859-2"},
	{"Czech", "Příští týden otevřou novou knihovnu, která bude mít větší čítárnu a půjčovnu, řekl včera ředitel městského úřadu.", "windows-1250 iso-8859-2"},
	{"Hungarian", "A könyvtár új épülete jövő ősszel nyílik meg, és több mint ötvenezer könyvet őriz majd a földszinti gyűjteményben.", "windows-1250 iso-8859-2"},
	{"Turkish", "Öğrenciler sabahleyin kütüphanenin önünde buluşup şehrin eski çarşısını gezdiler, akşam yağmur başlayınca dönüş yolunu tuttular.", "windows-1254"},
	{"Russian", "Утром поезд опоздал на два часа, и пассажиры пили чай в зале ожидания, пока дежурный объявлял новое расписание.", "windows-1251 koi8-r x-mac-cyrillic ibm866 iso-8859-5"},
	{"Ukrainian", "Уранці потяг запізнився на дві години, і пасажири пили чай у залі очікування, доки черговий оголошував новий розклад її маршруту.", "windows-1251 koi8-u"},
	{"Bulgarian", "Сутринта влакът закъсня с два часа и пътниците пиха чай в чакалнята, докато дежурният обяви новото разписание.", "windows-1251"},
	{"Greek", "Το τρένο καθυστέρησε δύο ώρες το πρωί και οι επιβάτες έπιναν τσάι στην αίθουσα αναμονής μέχρι να ανακοινωθεί το νέο δρομολόγιο.", "windows-1253 iso-8859-7"},
	{"Hebrew", "הרכבת איחרה בשעתיים בבוקר והנוסעים שתו תה באולם ההמתנה עד שהודיעו על לוח הזמנים החדש של הקו לצפון.", "windows-1255"},
	{"Arabic", "تأخر القطار ساعتين في الصباح وشرب المسافرون الشاي في قاعة الانتظار حتى أعلن الموظف عن الجدول الجديد للرحلات.", "windows-1256 iso-8859-6"},
	{"Thai", "รถไฟมาช้าไปสองชั่วโมงในตอนเช้า ผู้โดยสารจึงดื่มชาในห้องพักรอจนกว่าเจ้าหน้าที่จะประกาศตารางเวลาใหม่", "windows-874"},
	{"Japanese", "朝の列車は二時間遅れたので、乗客は待合室でお茶を飲みながら、駅員が新しい時刻表を発表するのを待っていました。", "shift_jis euc-jp"},
	{"Chinese", "早上的火车晚了两个小时，乘客们在候车室里喝茶，等着工作人员公布新的时间表。他们说这样的事情每年都会发生几次。", "gb18030"},
	{"Chinese, traditional", "早上的火車晚了兩個小時，乘客們在候車室裡喝茶，等著工作人員公布新的時間表。他們說這樣的事情每年都會發生幾次。", "big5"},
	{"Korean", "아침 기차가 두 시간 늦어서 승객들은 역무원이 새로운 시간표를 발표할 때까지 대합실에서 차를 마시며 기다렸습니다.", "euc-kr"},
}

// TestGuess encodes every sample in its pages. The text must come back; where two pages write it alike, either name will do.
func TestGuess(t *testing.T) {
	for _, s := range samples {
		for _, name := range strings.Fields(s.pages) {
			b := encodeIn(t, name, s.text)
			d, err := Decode(b)
			if err != nil {
				t.Errorf("%s in %s: %v", s.language, name, err)
				continue
			}
			if d.Text != s.text {
				t.Errorf("%s in %s was read as %s: %.60s", s.language, name, d.Encoding, d.Text)
			}
			if len(d.Notes) != 1 || !strings.HasPrefix(d.Notes[0].Code, "encoding_") {
				t.Errorf("%s in %s: notes %v, want one that says the encoding was guessed", s.language, name, codes(d))
			}
		}
	}
}

func encodeIn(t *testing.T, name, text string) []byte {
	t.Helper()
	for i := range pages {
		if pages[i].name == name {
			b, err := pages[i].enc.NewEncoder().Bytes([]byte(text))
			if err != nil {
				t.Fatalf("%s cannot write the sample: %v", name, err)
			}
			return b
		}
	}
	t.Fatalf("no page %s", name)
	return nil
}

// TestFewBytesProveNothing wants Windows-1252 where a word or two cannot tell.
func TestFewBytesProveNothing(t *testing.T) {
	for in, want := range map[string]string{
		"caf\xe9 noir, two of them": "café noir, two of them",
		"\xa9 2024, all rights":     "© 2024, all rights",
		"it\x92s 5\xb0 colder":      "it’s 5° colder",
	} {
		d, err := Decode([]byte(in))
		if err != nil || d.Text != want || d.Encoding != "windows-1252" {
			t.Errorf("Decode(%q) = %q in %s, %v; want %q", in, d.Text, d.Encoding, err, want)
		}
	}
}

// TestGuessRealFiles reads the samples of charset_normalizer, which are in eight encodings.
func TestGuessRealFiles(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "shared", "data", "loader-files", "txt")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("the real files are not here: %v", err)
	}
	for name, want := range map[string]struct{ encoding, holds string }{
		"arabic-1":    {"windows-1256", "المؤرخون العرب"},
		"arabic":      {"utf-8", "المؤرخون العرب"},
		"bulgarian":   {"utf-8", "Член"},
		"chinese":     {"big5", "維基大典"},
		"english.bom": {"utf-8", "About 2 months ago"},
		"greek":       {"windows-1253", "ελληνική"},
		"hebrew-3":    {"windows-1255", "השפה"},
		"korean":      {"euc-kr", "역사적 예수"},
		"russian-3":   {"utf-8", "столица России"},
		"russian":     {"x-mac-cyrillic", "первых учеников"},
		"spanish":     {"utf-8", "creación"},
		"turkish":     {"windows-1254", "İstanbul"},
	} {
		b, err := os.ReadFile(filepath.Join(root, "charset_normalizer__data_sample-"+name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		d, err := Decode(b)
		if err != nil || d.Encoding != want.encoding || !strings.Contains(d.Text, want.holds) {
			t.Errorf("%s: %v, %s: %.60q; want %s with %s", name, err, d.Encoding, d.Text, want.encoding, want.holds)
		}
	}
}
