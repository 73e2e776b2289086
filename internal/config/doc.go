// Package config turns an experiment file (YAML) into checked values: what to run, on which dataset, with which systems
// and options. It is the first step of every run.
//
// A file is read as a tree of nodes that know their lines, so that every problem is reported as file:line with the key,
// the nearest valid name and the valid names, and all problems of a file come together. Nothing in a file is skipped
// silently: an unknown key is an error, and a key that is known and has no effect is listed in Config.Ignored.
//
// Options of a system are those its type lists (Known.Systems). Their values come from the system's own section, else
// from the sections chunker, retrieval and models of the file, else from the default. Two kinds of value belong to what
// they were written for and are not carried over to something else: chunk sizes when the file's chunker section names
// another chunker than the system does, and k1 and b when the file's retrieval section names another formula.
//
// Environment variables are not substituted, and null means: not given.
package config
