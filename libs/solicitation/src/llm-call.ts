import type { LlmCallInput } from '#lib/calls';
import { askingReasoning } from './ask-reasoning.js';
import { reaskMessages, requestBody, textMessages, toolMessages } from './prompts.js';
import { renderTemplate } from './render-template.js';
import type { CallRung, ProposerMode } from './solicitation.events.js';
import type { SolicitationState } from './solicitation.state.js';

type ModelMode = Extract<ProposerMode, { kind: 'model' }>;

/** One call of the model on a rung. @throws TemplateTooLarge */
export function llmCall(state: SolicitationState, rung: CallRung, attempt: number): LlmCallInput {
  const { input } = state;
  const { price } = input;
  const mode = input.proposer as ModelMode;
  return {
    url: llmUrl(mode.baseUrl),
    timeoutMs: input.policies.callTimeoutMs,
    attempt,
    labels: { rung },
    ...(price && { price }),
    body: bodyOf(state, mode, rung),
  };
}

function bodyOf(state: SolicitationState, mode: ModelMode, rung: CallRung): LlmCallInput['body'] {
  const { context, refused } = state;
  const text = contextText(state, mode);
  if (rung === 'text') return requestBody(mode.modelId, textMessages(context, text), null);
  const asked = toolMessages(context, text);
  const offered = mode.askReasoning ? askingReasoning(context.transitions) : context.transitions;
  const messages =
    rung === 'reask' && refused ? reaskMessages(asked, refused.content, refused.call, refused.errors) : asked;
  return requestBody(mode.modelId, messages, offered);
}

function contextText(state: SolicitationState, { context }: ModelMode): string {
  if ('contextTemplate' in context) return renderTemplate(context.contextTemplate, state.context);
  return state.contextText ?? '';
}

/** Of the calls of a model. The base URL may have a query: it stays behind the path. */
export function llmUrl(baseUrl: string): string {
  return baseUrl.replace(/(\?.*)?$/, '/chat/completions$1');
}
