// Package text holds pure functions on text that several stages share: words, whitespace, previews, hashes, document
// ids, normalisation, and offsets that never fall inside a character as a reader sees it. One file each theme; no
// function touches the disk or keeps state.
package text
