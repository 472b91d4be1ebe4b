import { oneLine } from '#lib/kernel';
import type { AnswerOf } from '../operations/call-operation.js';
import { type Columns, table } from './table.js';
import { known } from './text.js';

const REACTIONS: Columns<AnswerOf<'listReactions'>['items'][number]> = {
  reaction: ({ name }) => name,
  lag: ({ lag }) => known(lag, String),
  parked: ({ parked }) => parked,
  error: ({ error }) => oneLine(error ?? '', 60),
};

const PARKED: Columns<AnswerOf<'listParkedDeliveries'>['items'][number]> = {
  delivery: ({ deliveryId }) => deliveryId,
  event: ({ stream, revision }) => `${stream}@${revision}`,
  type: ({ type }) => type,
  parked: ({ parkedAt }) => parkedAt,
  error: ({ attempts }) => oneLine(attempts.at(-1)?.error ?? '', 60),
};

const HOOKS: Columns<AnswerOf<'listHooks'>['items'][number]> = {
  hook: ({ hookId }) => hookId,
  url: ({ url }) => oneLine(url, 50),
  types: ({ types }) => oneLine(types.join(' '), 50),
  state: ({ disabled, gone }) => stateOf(disabled, gone),
};

const DELIVERIES: Columns<AnswerOf<'listHookDeliveries'>['items'][number]> = {
  delivery: ({ deliveryId }) => deliveryId,
  type: ({ type }) => type,
  status: ({ status }) => status,
  attempts: ({ attempts }) => attempts.length,
  error: ({ attempts, reason }) => oneLine(reason ?? attempts.at(-1)?.error ?? '', 60),
};

/** Only this answer has a random secret. */
export function registeredHookLines(hook: AnswerOf<'registerHook'>): readonly string[] {
  const { hookId, secret } = hook;
  const given = `secret of ${hookId}, given only now: its receiver checks signatures with it: ${secret}`;
  return [...table(HOOKS, [hook]), ...(secret === undefined ? [] : [given])];
}

function stateOf(isDisabled: boolean, isGone = false): string {
  if (isGone) return 'gone';
  return isDisabled ? 'disabled' : '';
}

/** The columns of reactions, hooks and their deliveries, by the operation. */
export const REACTION_LISTS = {
  listReactions: REACTIONS,
  retryDelivery: REACTIONS,
  dropDelivery: REACTIONS,
  listParkedDeliveries: PARKED,
  listHooks: HOOKS,
  getHook: HOOKS,
  listHookDeliveries: DELIVERIES,
  retryHookDelivery: DELIVERIES,
};
