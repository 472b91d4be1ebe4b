import { isJsonObject, ownMember } from '#lib/kernel';
import type { Choice, ProposerContext, SolicitationFailure } from '#lib/session';
import type { Decision } from './read-decision.js';

/** A choice that the state offers, or why it is none. */
export type Verdict = FailedVerdict | { readonly chosen: Choice };

export interface FailedVerdict {
  readonly failure: SolicitationFailure;
}

/** Readable, but not a transition of the state or with a target that is not the transition's: a failure, no second call. */
export function judgeDecision(context: ProposerContext, decision: Decision): Verdict {
  const { transitionName, toState } = decision;
  const transition = ownMember(context.transitions, transitionName);
  if (!transition) return notOffered(context, `The choice "${transitionName}"`);
  if (transition.target === toState) return { chosen: decision };
  const message = `The choice "${transitionName}" names the state "${toState}", but leads to "${transition.target}".`;
  return { failure: { kind: 'invalid-choice', message } };
}

/** What a strategy returned, taken apart member by member: functions return what they like. */
export function judgeStrategyResult(context: ProposerContext, result: unknown): Verdict {
  if (!isJsonObject(result) || typeof result['transitionName'] !== 'string') {
    return {
      failure: { kind: 'invalid-choice', message: 'The strategy returned no object with a transitionName.' },
    };
  }
  const { transitionName, reasoning, metaJson } = result;
  const toState = result['toState'] ?? ownMember(context.transitions, transitionName)?.target ?? '';
  const decision = {
    transitionName,
    toState: typeof toState === 'string' ? toState : JSON.stringify(toState),
    reasoning: typeof reasoning === 'string' ? reasoning : '',
    ...(isJsonObject(metaJson) && { metaJson }),
  };
  const verdict = judgeDecision(context, decision);
  return 'failure' in verdict ? verdict : { chosen: { ...verdict.chosen, ...numbersOf(result) } };
}

const NUMBERS = ['costUSD', 'latencyMsec', 'numInputTokens', 'numOutputTokens'] as const;

/** What a strategy says of its own cost wins over what was measured around it. */
function numbersOf(result: {
  readonly [member: string]: unknown;
}): Partial<Record<(typeof NUMBERS)[number], number>> {
  return Object.fromEntries(
    NUMBERS.flatMap((name) => (typeof result[name] === 'number' ? [[name, result[name]]] : [])),
  );
}

export function notOffered(context: ProposerContext, what: string): FailedVerdict {
  const offered = Object.keys(context.transitions)
    .map((name) => `"${name}"`)
    .join(', ');
  const message = `${what} does not match any transition of state "${context.currentState}", which offers ${offered}.`;
  return { failure: { kind: 'invalid-choice', message } };
}
