package text

import (
	"regexp"
	"strings"
)

// refusals are the wordings by which a model says that it has no answer.
var refusals = regexp.MustCompile(strings.Join([]string{
	`(?:could not|couldn't|cannot|can't) find (?:(?:the|a|an|any) )?(?:answer|information)`,
	`do(?:es)? not (?:contain|provide|mention|include|have) (?:(?:the|any|enough|sufficient|relevant) )*(?:information|answer|details)`,
	`(?:not enough|insufficient|no relevant) information`,
	`no information (?:is |was )?(?:available|provided|found)`,
	`unable to (?:find|answer|determine)`,
	`not available in the (?:provided |given )?(?:documents|context|sources)`,
}, "|"))

// Refuses tells whether an answer declines to answer. Case and the kind of apostrophe do not count.
func Refuses(answer string) bool {
	return refusals.MatchString(strings.ToLower(strings.ReplaceAll(answer, "’", "'")))
}
