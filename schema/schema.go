// Package schema embeds the data flow as DDL: one migration a stage, in order, and the views that are the public
// interface of the file.
package schema

import "embed"

// Files holds NNNN_stage.sql, applied once and in order, and views.sql, applied again after any of them.
//
//go:embed *.sql
var Files embed.FS
