import { jsonText, sha256 } from '#lib/kernel';
import type { CallRung, LlmCallCompleted, LlmCallFailed, LlmCallRequested } from '#lib/solicitation';

export function llmCallRequested(
  callId: string,
  rung: CallRung = 'tools',
  model = 'model-a',
): LlmCallRequested {
  return {
    type: 'LlmCallRequested',
    data: {
      callId,
      rung,
      attempt: 1,
      delayMs: 0,
      timeoutMs: 1000,
      requestUrl: 'http://model.test/v1/chat/completions',
      requestBody: { model, messages: [{ role: 'user', content: 'Well?' }] },
    },
  };
}

export function llmCallCompleted(callId: string, content: string, status = 200): LlmCallCompleted {
  return {
    type: 'LlmCallCompleted',
    data: {
      callId,
      status,
      requestHeaders: { Authorization: '[REDACTED]' },
      responseHeaders: {},
      body: { encoding: 'utf8', content, sha256: sha256(content) },
      durationMs: 120,
    },
  };
}

export function llmCallFailed(callId: string): LlmCallFailed {
  return {
    type: 'LlmCallFailed',
    data: {
      callId,
      failure: { kind: 'timeout', message: 'no reply in time', retryable: true, durationMs: 1000 },
    },
  };
}

/** A completion as providers send it. */
export function completion(message: object, usage?: object): string {
  return jsonText({
    model: 'model-a-2026',
    choices: [{ message }],
    ...(usage && { usage }),
  });
}

export const toolCallReply = completion(
  { content: null, tool_calls: [{ id: 'c1', function: { name: 'approve', arguments: '{}' } }] },
  { prompt_tokens: 10, completion_tokens: 4 },
);
export const decisionReply = completion({
  content: '{"transitionName":"approve","toState":"constructor","reasoning":"fine"}',
});
export const proseReply = completion({ content: 'I would rather not say.' }, { prompt_tokens: 7 });
