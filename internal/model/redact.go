package model

import (
	"net/url"
	"strings"
)

const (
	redacted = "[redacted]"
	// secretMin is the shortest value taken for a secret: servers without keys are given words such as "none", and
	// replacing those would damage replies.
	secretMin = 8
)

// redact takes every secret out of s by its value, and what servers echo of one with asterisks in its middle.
func redact(s string, secrets []string) string {
	for _, secret := range secrets {
		if len(secret) < secretMin {
			continue
		}
		s = strings.ReplaceAll(s, secret, redacted)
		if q := url.QueryEscape(secret); q != secret {
			s = strings.ReplaceAll(s, q, redacted)
		}
		s = redactMasked(s, secret[:3])
	}
	return s
}

// redactMasked takes out runs of key characters that begin with head and hold "**".
func redactMasked(s, head string) string {
	if !strings.Contains(s, "**") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, head)
		if i < 0 {
			break
		}
		end := i + len(head)
		for end < len(s) && (wordByte[s[end]] || s[end] == '-' || s[end] == '*') {
			end++
		}
		b.WriteString(s[:i])
		if strings.Contains(s[i:end], "**") {
			b.WriteString(redacted)
		} else {
			b.WriteString(s[i:end])
		}
		s = s[end:]
	}
	b.WriteString(s)
	return b.String()
}

// urlSecrets lists what of an address must not be seen: user, password and the values of its query.
func urlSecrets(u *url.URL) []string {
	var list []string
	if u.User != nil {
		list = append(list, u.User.String())
		if pw, ok := u.User.Password(); ok {
			list = append(list, pw)
		}
	}
	for _, values := range u.Query() {
		list = append(list, values...)
	}
	return list
}
