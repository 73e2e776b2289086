package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// endpoint is an OpenAI-compatible chat endpoint for scripts. It refuses questions about the bus, as a request that no
// repetition can mend, and answers the others alike.
type endpoint struct{}

func (endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if strings.Contains(string(body), "day ticket for the bus?") {
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"error": {"message": "no buses today", "type": "invalid_request_error"}}`)
		return
	}
	var request struct{ Model string }
	if err := json.Unmarshal(body, &request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	json.NewEncoder(w).Encode(map[string]any{
		"id": "1", "object": "chat.completion", "model": request.Model,
		"choices": []any{map[string]any{
			"index": 0, "finish_reason": "stop",
			"message": map[string]any{"role": "assistant", "content": "At 07:15 [doc_ferry]."},
		}},
		"usage": map[string]any{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
	})
}
