package rag

import "context"

// Message is one turn of a conversation. Its content is the concatenation of Parts; callers keep each context block a
// part of its own, so that the call log stores a passage once however many prompts hold it.
type Message struct {
	Role   string // system, user, assistant or tool
	Parts  []string
	Calls  []ToolCall // of an assistant message: the tools it called
	CallID string     // of a tool message: the call it answers
}

// Text returns the whole content of m.
func (m Message) Text() string {
	n := 0
	for _, p := range m.Parts {
		n += len(p)
	}
	b := make([]byte, 0, n)
	for _, p := range m.Parts {
		b = append(b, p...)
	}
	return string(b)
}

// Tool is something a chat model may call.
type Tool struct {
	Name        string
	Description string
	Schema      string // of the arguments: a JSON schema of type object
}

// ToolCall is a model's wish to call a tool. Arguments is the model's own text: it may be no JSON, and Name may name no
// tool.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string
}

// ChatRequest is one call of a chat model. Zero MaxTokens, nil Temperature and empty Effort mean: not sent.
type ChatRequest struct {
	Messages    []Message
	MaxTokens   int
	Temperature *float64
	Effort      string // reasoning effort, where the model has one: none, low, medium, high
	JSON        bool   // ask for a JSON object
	Tools       []Tool
	Repeat      int    // distinguishes deliberate repeats of one request
	Purpose     string // what the call is for, such as answer; kept in the log, not sent
	// Stream, when set, is called with the text so far as it comes, and once with the whole text of a stored reply. A
	// call that is made again starts over, with a shorter text.
	Stream func(text string)
}

// ChatReply is what came back. Text is empty for a refusal; Finish is stop for a whole answer, else tool_calls, length,
// content_filter, refusal or empty.
type ChatReply struct {
	Text   string
	Calls  []ToolCall
	Finish string
	Call   Call
}

// Call is what the log knows of one model call.
type Call struct {
	ID               int64  // model_calls.call_id
	Kind             string // chat, embedding or decision
	PromptTokens     int
	CompletionTokens int
	CachedTokens     int
	ReasoningTokens  int
	Cost             Cost // standalone price
	LatencyMS        float64
	Cached           bool // answered from the log
	Record           any  // the log's records, stored with the answer by the package that made them
}

// Chat is a chat model.
type Chat interface {
	// Ref is the model's full reference, provider:model.
	Ref() string
	Chat(ctx context.Context, req ChatRequest) (ChatReply, error)
}

// EmbedRequest asks for one vector a text. Query says that the texts are questions, not passages.
type EmbedRequest struct {
	Texts []string
	Query bool
}

// EmbedReply holds one vector a text, in the order of the request, each of Embedder.Dims numbers.
type EmbedReply struct {
	Vectors   [][]float32
	Tokens    []int  // input tokens a text, as charged
	Truncated []bool // the text was over the model's limit and was cut before sending
	Call      Call
}

// Embedder turns text into vectors of one fixed length.
type Embedder interface {
	Ref() string
	// Info names everything that decides a vector. Vectors with different infos are never compared. Dims may be 0
	// until the first reply for a model whose length is not known beforehand.
	Info() EmbedderInfo
	Embed(ctx context.Context, req EmbedRequest) (EmbedReply, error)
}

// EmbedderInfo identifies a vector space.
type EmbedderInfo struct {
	Provider   string
	Model      string
	Revision   string
	Dims       int
	Normalised bool
	Prefix     string // put before every passage
	QueryPref  string // put before every question
}

// Predicate is one yes/no question put to a decision model.
type Predicate struct {
	Name         string
	Instructions string
}

// Decision is the answer to one predicate. A nil Probability means unknown, which is not no; Reason says why.
type Decision struct {
	Name        string
	Probability *float64
	Reason      string
}

// Decider is a decision model: typed probabilities in one request (OpenAI Decisions API, POST /v1/decisions).
type Decider interface {
	Ref() string
	Decide(ctx context.Context, input string, ps []Predicate) ([]Decision, Call, error)
}

// TokenEncoder turns text into one vector a token, for late interaction (ColBERT, Khattab and Zaharia 2020).
type TokenEncoder interface {
	Ref() string
	EncodeTokens(ctx context.Context, texts []string, query bool) ([][][]float32, Call, error)
}
