import {
  type Command,
  type Decider,
  ofProblems,
  type Problem,
  reject,
  type Rejection,
  sameJson,
} from '#lib/kernel';
import { isWebhookTokenName, KeptMap, WEBHOOK_TOKEN_FORM, webhookUrlProblem } from '#lib/workflow';
import type { HookEvent, HookRegistered } from './hook.events.js';

/** A registration that was not deleted. */
export type Hook = Omit<HookRegistered['data'], 'by' | 'isDisabled'> & {
  readonly isDisabled: boolean;
  /** The receiver answered that it is gone, which disabled the hook. */
  readonly isGone: boolean;
};

export interface HooksState {
  /** By their ids. */
  readonly hooks: KeptMap<Hook>;
  /** The number of deleted hooks of each id. */
  readonly deleted: KeptMap<number>;
}

type Body = Omit<HookRegistered['data'], 'life' | 'isDisabled'> & {
  /** Default: unchanged; a new one is enabled. */
  readonly disabled?: boolean;
};

export type RegisterHook = Command<'RegisterHook', Body>;
/** The receiver at this address is gone. */
type EndHook = Command<'EndHook', { readonly hookId: string; readonly life: number; readonly url: string }>;
export type DeleteHook = Command<'DeleteHook', { readonly hookId: string; readonly by: string }>;
type HookCommand = RegisterHook | EndHook | DeleteHook;

/** Each has a lease, reads the log, and makes up to four calls at once. */
const MOST_HOOKS = 100;
/** With the id it is the name of its reaction. */
export const OF_HOOKS = 'hook-';
const LONGEST_ID = 128 - OF_HOOKS.length;

/** The rules of the hooks of a log. */
export const hookDecider: Decider<HooksState, HookCommand, HookEvent> = {
  initialState: { hooks: KeptMap.empty(), deleted: KeptMap.empty() },
  decide,
  evolve,
  record: (command) => command,
  rebuild: (recorded) => recorded as HookCommand,
};

/** Total: an event of a type from the future changes nothing. */
function evolve(state: HooksState, event: HookEvent): HooksState {
  const { hookId } = event.data;
  const hook = state.hooks.get(hookId);
  switch (event.type) {
    case 'HookRegistered':
      return { ...state, hooks: state.hooks.with(hookId, registered(event.data)) };
    case 'HookGone':
      return hook
        ? { ...state, hooks: state.hooks.with(hookId, { ...hook, isDisabled: true, isGone: true }) }
        : state;
    case 'HookDeleted':
      return {
        hooks: state.hooks.without(hookId),
        deleted: state.deleted.with(hookId, (state.deleted.get(hookId) ?? 0) + 1),
      };
    default:
      event satisfies never;
      return state;
  }
}

function registered({ by: _, isDisabled, ...data }: HookRegistered['data']): Hook {
  return { ...data, isDisabled: isDisabled === true, isGone: false };
}

function decide(command: HookCommand, state: HooksState): readonly HookEvent[] | Rejection {
  const { hookId } = command.data;
  const hook = state.hooks.get(hookId);
  switch (command.type) {
    case 'RegisterHook':
      return registering(command.data, hook, state);
    case 'EndHook':
      return isSameReceiver(hook, command.data) && !hook?.isGone
        ? [{ type: 'HookGone', data: { hookId } }]
        : [];
    case 'DeleteHook':
      return hook ? [{ type: 'HookDeleted', data: command.data }] : unknownHook(hookId);
  }
}

/** A hook may have been deleted or have another address by now. */
export function isSameReceiver(hook: Hook | undefined, { life, url }: Pick<Hook, 'life' | 'url'>): boolean {
  return hook?.life === life && hook.url === url;
}

function registering(
  { disabled, ...body }: Body,
  known: Hook | undefined,
  { hooks, deleted }: HooksState,
): readonly HookEvent[] | Rejection {
  const problems = problemsOf(body);
  if (problems.length > 0)
    return reject('refused', 'invalid-hook', ofProblems(`hook ${body.hookId}`, problems), problems);
  if (!known && hooks.size >= MOST_HOOKS) return tooManyHooks(body.hookId);
  const isDisabled = disabled ?? known?.isDisabled ?? false;
  const life = known?.life ?? deleted.get(body.hookId) ?? 0;
  const data: HookRegistered['data'] = { ...body, ...(isDisabled && { isDisabled: true }), life };
  const isSame = known && sameJson({ ...registered(data), isGone: known.isGone }, known);
  return isSame ? [] : [{ type: 'HookRegistered', data }];
}

function problemsOf({ hookId, url, secretName }: Omit<Body, 'disabled'>): readonly Problem[] {
  const ofUrl = webhookUrlProblem(url);
  return [
    ...(hookId.length > LONGEST_ID
      ? [{ path: '/hookId', message: `must be ${LONGEST_ID} characters or less` }]
      : []),
    ...(ofUrl === undefined ? [] : [{ path: '/url', message: ofUrl }]),
    ...(secretName === undefined || isWebhookTokenName(secretName)
      ? []
      : [{ path: '/secretName', message: `is not the name of a token of webhooks. ${WEBHOOK_TOKEN_FORM}` }]),
  ];
}

/** The reaction of a hook. */
export function reactionName(hookId: string): string {
  return `${OF_HOOKS}${hookId}`;
}

export function unknownHook(hookId: string): Rejection {
  return reject('unknown', 'unknown-hook', {
    what: `hook ${hookId}`,
    why: 'no hook is registered under this id',
    fix: 'List the hooks with GET /v1/hooks',
  });
}

function tooManyHooks(hookId: string): Rejection {
  return reject('refused', 'too-many-hooks', {
    what: `hook ${hookId}`,
    why: `there are ${MOST_HOOKS} hooks, which is the most of a log`,
    fix: 'Delete one, or let one receiver pass messages on to others',
  });
}
