package text

import (
	"crypto/sha256"
	"encoding/hex"
)

// StableHash returns the first n hexadecimal digits of the SHA-256 of s, at most 64.
func StableHash(s string, n int) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:min(max(n, 0), 64)]
}
