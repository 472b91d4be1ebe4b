import { addSpent, NOTHING_SPENT, TemplateTooLarge } from '#lib/call-rules';
import type { ProposerContext } from '#lib/decisions/session';
import { type Json, type JsonObject, ownMember } from '#lib/kernel';
import { attempts, type ChildEnded, delayed, done, type Given, type Steps } from '#lib/workflow';
import { type CallName, callOfProposer, type FailedCall, outcomeOfCall } from './calls-of-proposer.js';
import { concluded, failed } from './conclusion.js';
import { BUILT_IN_STRATEGIES } from './functions/proposer-functions.js';
import { ladder } from './ladder.script.js';
import { validateWorkflowEnd, workflowInput } from './proposing-workflow.js';
import type { SolicitationAsk } from './solicitation.ask.js';
import type { ProposerMode } from './solicitation.events.js';
import { validateStrategyResult } from './validate-choice.js';

/** Asks one proposer for one proposal. No model is asked if a template exceeds its bounds. @throws RunFails */
export function* solicit(given: Given): Steps<Json> {
  const ask = beginning(given);
  try {
    return yield* proposed(ask);
  } catch (error) {
    if (!(error instanceof TemplateTooLarge)) throw error;
    const message = `${templatesOf(ask)} cannot be rendered for this session: ${error.message}.`;
    throw failed(ask, { kind: 'template-too-large', message });
  }
}

function beginning({ start: { data }, context }: Given): SolicitationAsk {
  const input = { ...(data.input as JsonObject), ...data.facts } as JsonObject & SolicitationAsk['input'];
  const given = withPrompt(context as JsonObject & ProposerContext, input);
  return {
    version: data.version,
    input,
    context: input.exemplars.length > 0 ? { ...given, exemplars: input.exemplars } : given,
    routes: input.proposer.kind === 'model' ? input.proposer.routes : [],
    spent: NOTHING_SPENT,
    calls: [],
  };
}

/** An experiment may replace the machine's question. */
function withPrompt(
  context: JsonObject & ProposerContext,
  { experiment }: Pick<SolicitationAsk['input'], 'experiment'>,
): JsonObject & ProposerContext {
  const prompt = ownMember(experiment?.prompts ?? {}, context.currentState);
  return prompt === undefined ? context : { ...context, prompt };
}

function* proposed(ask: SolicitationAsk): Steps<Json> {
  const { proposer } = ask.input;
  if (proposer.kind === 'workflow') return yield* worked(ask, proposer);
  if (proposer.kind !== 'model')
    return concluded(ask, validateStrategyResult(ask, yield* called(ask, 'strategy')), 'strategy');
  if (!('contextTemplate' in proposer.context))
    ask.contextText = contextIn(ask, yield* called(ask, 'context'));
  return yield* ladder(ask);
}

/** The whole time of the workflow counts, with its waits for people. */
function* worked(ask: SolicitationAsk, mode: Extract<ProposerMode, { kind: 'workflow' }>): Steps<Json> {
  const { workflow, input } = mode;
  const given = workflowInput(input, ask.context);
  const { opening, event } = yield* done({ do: 'child', id: 'workflow', workflow, input: given });
  const { stepId: _s, runId: _r, ...end } = event.data as ChildEnded['data'];
  const latencyMs = Math.max(0, Date.parse(event.occurredAt) - Date.parse(opening?.occurredAt ?? ''));
  ask.spent = { latencyMs, usage: {} };
  return concluded(ask, validateWorkflowEnd(ask, workflow, end), 'workflow');
}

/** The answer of the function or webhook. Calls for the context do not count in the cost. */
function* called(ask: SolicitationAsk, id: CallName): Steps<unknown> {
  const tried = yield* attempts<unknown, FailedCall>({
    *call(attempt) {
      const step = { do: 'call', id: `${id}#${attempt}`, ...callOfProposer(ask, attempt) } as const;
      ask.calls.push(step.id);
      const { event } = yield* done(step, isBuiltIn(ask));
      const { failure, durationMs = failure?.durationMs } = event.data as Timed;
      if (id === 'strategy') ask.spent = addSpent(ask.spent, { latencyMs: durationMs ?? 0, usage: {} });
      return outcomeOfCall(id, event);
    },
    pauses: { after: delayed(ask.input.policies.maxAttempts), id: (attempt) => `${id}#${attempt}-delay` },
  });
  if ('failed' in tried) throw failed(ask, tried.failed.failure);
  return tried.value;
}

function isBuiltIn({ input: { proposer } }: SolicitationAsk): boolean {
  return proposer.kind === 'strategy' && BUILT_IN_STRATEGIES.has(proposer.strategyFnName);
}

interface Timed {
  readonly durationMs?: number;
  readonly failure?: { readonly durationMs: number };
}

function contextIn(ask: SolicitationAsk, result: unknown): string {
  if (typeof result === 'string') return result;
  const type = result === null ? 'null' : `a ${typeof result}`;
  const message = `A context function must return text; it returned ${type}.`;
  throw failed(ask, { kind: 'function', message });
}

function templatesOf({ input: { proposer } }: SolicitationAsk): string {
  if (proposer.kind === 'workflow') return `The input of the workflow ${proposer.workflow}`;
  const hasPrompt = 'systemPrompt' in proposer && proposer.systemPrompt !== undefined;
  return hasPrompt ? 'The contextTemplate with the systemPrompt' : 'The contextTemplate';
}
