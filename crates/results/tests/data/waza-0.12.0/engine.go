// Stands in for waza's mock engine (internal/execution/mock.go): asks a local model over HTTP instead of
// echoing the prompt. Graders, statuses, statistics, the baseline's pass and all writing are waza's own.
package execution

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	copilot "github.com/github/copilot-sdk/go"
	"github.com/microsoft/waza/internal/models"
)

// MockEngine answers by the model at MODEL_URL, in a workspace that it leaves the answer in.
type MockEngine struct {
	model     string
	workspace string
}

// NewMockEngine makes one for a model.
func NewMockEngine(modelID string) *MockEngine { return &MockEngine{model: modelID} }

// Initialize makes the workspace.
func (m *MockEngine) Initialize(ctx context.Context) error {
	m.workspace = filepath.Join(os.TempDir(), "workspace")
	return os.MkdirAll(m.workspace, 0o755)
}

// Shutdown removes the workspace.
func (m *MockEngine) Shutdown(ctx context.Context) error { return os.RemoveAll(m.workspace) }

// SessionUsage is in the responses already.
func (m *MockEngine) SessionUsage(sessionID string) *models.UsageStats { return nil }

// Execute asks once. A skill is what the system message has; a refusal for its rate is told as the Copilot engine
// tells errors of a session (with a response), any other as an error.
func (m *MockEngine) Execute(ctx context.Context, req *ExecutionRequest) (*ExecutionResponse, error) {
	start := time.Now()
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	messages := []message{{"user", req.Message}}
	if len(req.SkillPaths) > 0 {
		messages = append([]message{{"system", "Check your work"}}, messages...)
	}
	body, err := json.Marshal(map[string]any{"model": m.model, "messages": messages})
	if err != nil {
		return nil, err
	}
	reply, err := http.Post(os.Getenv("MODEL_URL")+"/chat/completions", "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	var got struct {
		ID      string
		Error   struct{ Message string }
		Choices []struct{ Message message }
		Usage   struct {
			PromptTokens     int `json:"prompt_tokens"`
			CompletionTokens int `json:"completion_tokens"`
		}
	}
	if err := json.NewDecoder(reply.Body).Decode(&got); err != nil {
		return nil, err
	}
	event := func(of copilot.SessionEventType, text string) copilot.SessionEvent {
		return copilot.SessionEvent{Type: of, Data: copilot.Data{Content: &text}}
	}
	resp := &ExecutionResponse{
		ModelID: m.model, WorkspaceDir: m.workspace, ToolCalls: []models.ToolCall{},
		Events: []copilot.SessionEvent{event(copilot.UserMessage, req.Message)},
	}
	if reply.StatusCode != http.StatusOK {
		failed := fmt.Errorf("HTTP %d: %s", reply.StatusCode, got.Error.Message)
		if reply.StatusCode != http.StatusTooManyRequests {
			return nil, failed
		}
		resp.ErrorMsg = failed.Error()
		return resp, nil
	}
	answer := got.Choices[0].Message.Content
	if err := os.WriteFile(filepath.Join(m.workspace, "answer.txt"), []byte(req.Message+"\n"+answer), 0o644); err != nil {
		return nil, err
	}
	resp.Success, resp.FinalOutput, resp.SessionID = true, answer, got.ID
	resp.Events = append(resp.Events, event(copilot.AssistantMessage, answer))
	resp.Usage = &models.UsageStats{Turns: 1, InputTokens: got.Usage.PromptTokens, OutputTokens: got.Usage.CompletionTokens}
	resp.DurationMs = time.Since(start).Milliseconds()
	return resp, nil
}
