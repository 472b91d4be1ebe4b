import type { LlmCallCompleted, LlmCallFailed, LlmCallRequested } from '#lib/call-rules';
import { jsonText, sha256 } from '#lib/kernel';
import type { CallRung } from '#lib/decisions/solicitation';

/** The body that the request of `llmCallRequested` sends. */
export function sentBody(model = 'model-a') {
  return { model, messages: [{ role: 'user', content: 'Well?' }] };
}

export function llmCallRequested(
  stepId: string,
  rung: CallRung = 'tools',
  model = 'model-a',
): LlmCallRequested {
  const { messages } = sentBody(model);
  return {
    type: 'LlmCallRequested',
    data: {
      stepId,
      url: 'http://model.test/v1/chat/completions',
      timeoutMs: 1000,
      attempt: 1,
      labels: { rung },
      body: { model, messages: { after: null, add: messages } },
      bodySha256: sha256(jsonText(sentBody(model))),
    },
  };
}

export function llmCallCompleted(stepId: string, content: string, status = 200): LlmCallCompleted {
  return {
    type: 'LlmCallCompleted',
    data: {
      stepId,
      status,
      requestHeaders: { Authorization: '[REDACTED]' },
      responseHeaders: {},
      body: { encoding: 'utf8', content, sha256: sha256(content) },
      durationMs: 120,
    },
  };
}

export function llmCallFailed(stepId: string): LlmCallFailed {
  return {
    type: 'LlmCallFailed',
    data: {
      stepId,
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
