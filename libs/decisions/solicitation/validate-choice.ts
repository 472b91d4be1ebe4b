import { isJsonObject, type JsonObject, jsonText, ownMember } from '#lib/kernel';
import { type ArgumentError, checkArguments, type TransitionDefinition } from '#lib/decisions/machines';
import {
  type Choice,
  type ProposerContext,
  type SolicitationFailure,
  statedMembers,
} from '#lib/decisions/session';
import type { Decision } from './read-decision.js';

/** A choice that the state offers, or the failure of another one. */
export type Verdict = FailedVerdict | { readonly chosen: Choice };

interface FailedVerdict {
  readonly failure: SolicitationFailure;
}

/** The offer of a round, and the version of the rules for its choices. */
export interface Offered {
  readonly context: ProposerContext;
  readonly version: number;
}

/** A verdict, or the errors for a reask of the model. */
export type AskedVerdict = Verdict | { readonly reask: WrongArguments };

/** A decision of a model that may be asked once more: version 1 asks again for tool calls alone. */
export function validateAnswer(offered: Offered, decision: Decision): AskedVerdict {
  const { context, version } = offered;
  const transition = ownMember(context.transitions, decision.transitionName);
  const mayReask = version > 1 && transition?.onInvalidArguments === 'reask';
  const wrong = mayReask ? wrongArguments(transition, decision.metaJson) : undefined;
  const isTarget = transition?.target === decision.toState;
  return wrong && isTarget ? { reask: wrong } : validateDecision(offered, decision);
}

/** A readable decision for no transition of the state, or with another target than its transition's, is a failure without a second call. */
export function validateDecision({ context, version }: Offered, decision: Decision): Verdict {
  const { transitionName, toState } = decision;
  const transition = ownMember(context.transitions, transitionName);
  if (!transition) return notOffered(context, `The choice "${transitionName}"`);
  if (transition.target === toState) return fittingChoice(transition, decision, version);
  const message = `The choice "${transitionName}" names the state "${toState}", but leads to "${transition.target}".`;
  return { failure: { kind: 'invalid-choice', message } };
}

/** The arguments of a choice without a tool call. With the policy `accept` they are not checked. */
function fittingChoice(transition: TransitionDefinition, decision: Decision, version: number): Verdict {
  if ((transition.onInvalidArguments ?? 'accept') === 'accept') return { chosen: decision };
  const wrong = wrongArguments(transition, decision.metaJson);
  const what = `the choice "${decision.transitionName}"`;
  return refusedArguments(transition, what, wrong, version) ?? { chosen: decision };
}

/** Reads the result of a strategy member by member, because functions may return anything. */
export function validateStrategyResult(offered: Offered, result: unknown, who = 'strategy'): Verdict {
  const { context } = offered;
  if (!isJsonObject(result) || typeof result['transitionName'] !== 'string') {
    return {
      failure: { kind: 'invalid-choice', message: `The ${who} returned no object with a transitionName.` },
    };
  }
  const wrong = Object.entries(MEMBERS).find(
    ([name, fits]) => result[name] !== undefined && !fits(result[name]),
  );
  if (wrong)
    return { failure: { kind: 'invalid-choice', message: `The ${who} returned an unusable ${wrong[0]}.` } };
  const { transitionName } = result;
  const toState = result['toState'] ?? ownMember(context.transitions, transitionName)?.target ?? '';
  const said = Object.entries(result).filter(
    ([name, value]) => name !== 'toState' && value !== null && ownMember(MEMBERS, name),
  );
  return validateDecision(offered, {
    transitionName,
    toState,
    reasoning: '',
    ...Object.fromEntries(said),
  } as Decision);
}

/** The optional members of a strategy's result. Its own cost members go before measured ones; other members are left out. */
const MEMBERS: { readonly [member: string]: (value: unknown) => boolean } = {
  toState: statedMembers.reasoning.fits,
  ...Object.fromEntries(Object.entries(statedMembers).map(([name, form]) => [name, fitsStrategy(form)])),
};

/** null counts as an absent text or object; null is not an amount. */
function fitsStrategy({ fits, kind }: (typeof statedMembers)[keyof typeof statedMembers]) {
  return (value: unknown): boolean => (value === null && kind === 'content') || fits(value);
}

export function notOffered(context: ProposerContext, what: string): FailedVerdict {
  const offered = Object.keys(context.transitions)
    .map((name) => `"${name}"`)
    .join(', ');
  const message = `${what} does not match any transition of state "${context.currentState}", which offers ${offered}.`;
  return { failure: { kind: 'invalid-choice', message } };
}

/** The problems of arguments: the first errors, and their number. */
interface WrongArguments {
  readonly argumentErrors: readonly ArgumentError[];
  readonly argumentErrorCount: number;
}

/** The errors of arguments against a transition; `undefined` if they fit. */
export function wrongArguments(
  transition: TransitionDefinition,
  args: JsonObject | 'malformed' | undefined,
): WrongArguments | undefined {
  const { errors, count } = checkArguments(transition, args);
  return count === 0 ? undefined : { argumentErrors: errors, argumentErrorCount: count };
}

/** The failure by the transition's policy for arguments that no further call can correct. The policy `reask` then rejects, as `reject` does. */
export function refusedArguments(
  { onInvalidArguments = 'accept' }: TransitionDefinition,
  what: string,
  wrong: WrongArguments | undefined,
  version: number,
): FailedVerdict | undefined {
  if (!wrong || onInvalidArguments === 'accept') return undefined;
  return {
    failure: {
      kind: 'invalid-arguments',
      message: `The arguments of ${what} do not fit: ${listed(wrong, version)}.`,
    },
  };
}

/** Version 1 does not name the missing member. */
function listed({ argumentErrors, argumentErrorCount }: WrongArguments, version: number): string {
  const locations = argumentErrors.map(({ path, keyword, params: { missingProperty } }) => {
    const missing =
      version > 1 && missingProperty !== undefined ? ` ${jsonText(missingProperty)} is missing` : '';
    return `${path === '' ? '(root)' : path} ${keyword}${missing}`;
  });
  const more = argumentErrorCount - argumentErrors.length;
  return [...locations, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
