import { type Completion, type LlmCallInput, parseReplyObject, type ToolCall } from '#lib/call-rules';
import { isJsonObject, type Json, type JsonObject, ownMember } from '#lib/kernel';
import { withoutReasoning } from './ask-reasoning.js';
import { readDecision } from './read-decision.js';

/** The outcome of an answer of a model: `LlmCallOutcome` of the audit. */
type AnswerOutcome = 'toolCall' | 'decision' | 'noToolCall' | 'unreadable';

/** The part of a request that its answer is read by. */
export type AnsweredRequest = Pick<LlmCallInput, 'body' | 'labels' | 'toolNames'> & {
  /** Each tool also asks for the reasoning. */
  readonly asksReasoning?: true;
};

/** An answer by itself. Whether its choice fits the round is not checked. */
export type ReadAnswer = {
  readonly outcome: AnswerOutcome;
  /** Absent if it chooses none, and for a call outside of solicitations. */
  readonly transitionName?: string;
  readonly metaJson?: JsonObject;
};

/** Whether a rung offers no tools, so that only the text counts. */
export function isOnText(rung: unknown): boolean {
  return rung === 'text' || rung === 'structured';
}

/** @param rung not a text for a call outside of solicitations */
export function answerOutcome(rung: unknown, { toolCall, content }: Completion): AnswerOutcome {
  const isText = isOnText(rung);
  if (!isText && toolCall) return 'toolCall';
  if (typeof rung !== 'string') return 'noToolCall';
  if (!('unreadable' in readDecision(content))) return 'decision';
  return isText ? 'unreadable' : 'noToolCall';
}

export function readAnswer(asked: AnsweredRequest, completion: Completion): ReadAnswer {
  const rung = asked.labels?.['rung'];
  const outcome = answerOutcome(rung, completion);
  if (outcome === 'toolCall') {
    const { toolCall } = completion;
    return { outcome, ...(typeof rung === 'string' && toolCall && calledTransition(asked, toolCall)) };
  }
  const decision = readDecision(completion.content);
  if (outcome !== 'decision' || 'unreadable' in decision) return { outcome };
  const { transitionName, metaJson } = decision;
  return { outcome, transitionName, ...(metaJson && { metaJson }) };
}

/** Without arguments metaJson is absent, never `{}`. */
function calledTransition(
  { body, toolNames = {}, asksReasoning }: AnsweredRequest,
  { name, argumentsText }: ToolCall,
): Omit<ReadAnswer, 'outcome'> {
  const tool = toolsIn(body).find((one) => one['name'] === name);
  if (!tool) return {};
  const given = parseReplyObject(argumentsText) ?? {};
  const args = asksReasoning ? withoutReasoning(tool['parameters'], given) : given;
  const transitionName = ownMember(toolNames, name) ?? name;
  return { transitionName, ...(Object.keys(args).length > 0 && { metaJson: args }) };
}

function toolsIn({ tools }: JsonObject): readonly JsonObject[] {
  const offered: readonly Json[] = Array.isArray(tools) ? (tools as readonly Json[]) : [];
  return offered.flatMap((tool) =>
    isJsonObject(tool) && isJsonObject(tool['function']) ? [tool['function']] : [],
  );
}
