package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/sashabaranov/go-openai"
)

const maxErrorBody = 64 << 10

// doer is the HTTP client under the libraries of the providers. It turns a failure status into a CallError with its
// headers and half a reply into one that may pass, and mends three things go-openai leaves out: a temperature of 0 is
// sent as 0, a null inside a vector is not read as 0, and an endless error body is not read.
type doer struct {
	client *http.Client
}

var _ openai.HTTPDoer = doer{}

func newDoer(client *http.Client) doer {
	if client == nil {
		client = sharedClient()
	}
	return doer{client}
}

// sharedClient honours the proxy variables and keeps a connection open for every request at a time. It has no timeout of
// its own: the guard gives each attempt its time.
var sharedClient = sync.OnceValue(func() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, 1024
	return &http.Client{Transport: t}
})

// offline is the client of a replay.
var offline = &http.Client{Transport: refuse{}}

type refuse struct{}

func (refuse) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("a replay sends nothing")
}

// The library leaves a temperature of 0 out of the body, so the smallest float32 stands for it. The sequence cannot be
// part of a message, where a backslash stands before each quote.
var (
	zeroStandIn = []byte(`"temperature":1e-45`)
	zeroSent    = []byte(`"temperature":0`)
)

// Do implements openai.HTTPDoer. A reply that is no stream is read whole, so that a broken connection is told from a
// broken reply.
func (d doer) Do(req *http.Request) (*http.Response, error) {
	if err := sendZero(req); err != nil {
		return nil, err
	}
	res, err := d.client.Do(req)
	if err != nil {
		return nil, networkError("", err)
	}
	if res.StatusCode < 200 || res.StatusCode >= 300 {
		defer res.Body.Close()
		return nil, statusError(res)
	}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		return res, nil
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, networkError("read reply: ", err)
	}
	if strings.HasSuffix(req.URL.Path, "/embeddings") && nullInArray(body) {
		return nil, &CallError{Message: "a vector in the reply holds null"}
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}

func sendZero(req *http.Request) error {
	if req.Body == nil {
		return nil
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return fmt.Errorf("read request: %w", err)
	}
	body = bytes.Replace(body, zeroStandIn, zeroSent, 1)
	req.Body = io.NopCloser(bytes.NewReader(body))
	req.ContentLength = int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return nil
}

// statusError reads the error envelope {"error": {...}} or {"error": "..."}; any other body is quoted.
func statusError(res *http.Response) *CallError {
	e := &CallError{Status: res.StatusCode, RetryAfter: res.Header.Get("Retry-After")}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxErrorBody))
	if err != nil {
		e.Message, e.Network = "read error reply: "+err.Error(), true
		return e
	}
	var envelope struct {
		Error json.RawMessage `json:"error"`
	}
	var detail struct {
		Message string `json:"message"`
		Code    any    `json:"code"`
		Param   any    `json:"param"`
		Type    string `json:"type"`
	}
	if json.Unmarshal(body, &envelope) == nil {
		switch {
		case json.Unmarshal(envelope.Error, &e.Message) == nil && e.Message != "":
			return e
		case json.Unmarshal(envelope.Error, &detail) == nil && detail.Message != "":
			e.Message = detail.Message
			e.Code = detail.Type
			if detail.Code != nil {
				e.Code = fmt.Sprint(detail.Code)
			}
			if detail.Param != nil {
				e.Param = fmt.Sprint(detail.Param)
			}
			return e
		}
	}
	e.Message = strings.ToValidUTF8(strings.TrimSpace(string(body)), "\uFFFD")
	if e.Message == "" {
		e.Message = http.StatusText(res.StatusCode)
	}
	return e
}

// nullInArray tells whether an array in body has a null element, which the decoder would read as 0.
func nullInArray(body []byte) bool {
	for i := 0; ; {
		j := bytes.Index(body[i:], []byte("null"))
		if j < 0 {
			return false
		}
		before := bytes.TrimRight(body[:i+j], " \t\r\n")
		if n := len(before); n > 0 && (before[n-1] == '[' || before[n-1] == ',') {
			return true
		}
		i += j + len("null")
	}
}
