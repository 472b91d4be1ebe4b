import { excerpt } from '#lib/call-rules';
import type { SolicitationFailure } from '#lib/decisions/session';
import { type JsonObject, present } from '#lib/kernel';
import { RunFails } from '#lib/workflow';
import type { SolicitationAsk } from './solicitation.ask.js';
import type { SolicitationChoice, SolicitationLoss } from './solicitation.events.js';

type Verdict =
  | { readonly failure: SolicitationFailure }
  | { readonly chosen: Omit<SolicitationChoice, 'rung'> };

/** The result of the run. @throws RunFails */
export function concluded(
  ask: SolicitationAsk,
  verdict: Verdict,
  rung: SolicitationChoice['rung'],
): JsonObject {
  if ('failure' in verdict) throw failed(ask, verdict.failure);
  const { transitionName, toState, reasoning, ...said } = verdict.chosen;
  const { promptTokens, completionTokens } = ask.spent.usage;
  const choice = {
    transitionName,
    toState,
    reasoning,
    rung,
    latencyMsec: ask.spent.latencyMs,
    ...costOf(ask),
    ...present({ numInputTokens: promptTokens, numOutputTokens: completionTokens }),
    ...said,
    ...callsOf(ask),
  };
  return choice;
}

/** The failure that ends the run without a choice, with its cost. */
export function failed(ask: SolicitationAsk, { upstreamStatus, ...failure }: SolicitationFailure): RunFails {
  const result: SolicitationLoss = {
    ...(upstreamStatus !== undefined && { upstreamStatus }),
    ...costOf(ask),
    ...callsOf(ask),
  };
  return new RunFails(failure, Object.keys(result).length > 0 ? result : undefined);
}

export function unreadable(content: string): SolicitationFailure {
  return {
    kind: 'unreadable-decision',
    message: `Failed to parse LLM proposer response: ${excerpt(content)}`,
  };
}

function costOf({ spent: { costUSD } }: SolicitationAsk): { costUSD?: number } {
  return costUSD === undefined ? {} : { costUSD };
}

/** Sessions do not count calls, but experiments limit them. */
function callsOf({ input, calls }: SolicitationAsk): { calls?: string[] } {
  return input.experiment ? { calls } : {};
}
