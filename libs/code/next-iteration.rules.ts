import type { JsonObject } from '#lib/kernel';
import { beginModelCall, isSpent } from '#lib/call-rules';
import { listening } from './chat.rules.js';
import { citationsIn } from './citations.js';
import { isCritical } from './code-errors.rules.js';
import { type CodeState, current, failed, type FailureKind, indexOf, stopped } from './code.state.js';
import { fittingMessages } from './context.rules.js';
import { LISTEN } from './exits.rules.js';
import { beginHook } from './hook.rules.js';
import { feedbackOf, type IterationStatus } from './iteration.rules.js';

const LOOP = 3;

export function nextIteration(state: CodeState): CodeState {
  const { input, iterations, routes, seed, chat, spent } = state;
  const rest = atRest(state);
  const loop = input.loop ?? LOOP;
  if (iterations.length - (chat?.from ?? 0) >= loop)
    return ended(rest, 'loop-exceeded', `The loop of ${loop} iterations took no exit.`);
  if (isSpent(input.budget, spent) && iterations.length > 0)
    return failed(rest, 'budget', 'The budget of the run is spent.');
  const index = iterations.length + 1;
  return {
    ...rest,
    iterations: [...iterations, { index, status: { type: 'pending' }, traces: [], durationMs: 0 }],
    request: { messages: fittingMessages(state.messages, input.contextTokens, state.request) },
    asking: beginModelCall({ callId: `iteration-${index}`, routes, seed }),
  };
}

/** The iteration is over: a hook may end the run. */
export function concluded(state: CodeState, status: IterationStatus, occurredAt: string): CodeState {
  const next = over(state, status, occurredAt);
  const { onIterationEnd } = state.input.hooks ?? {};
  if (!onIterationEnd) return proceeded(next, status);
  const iteration = indexOf(state);
  const input = { iteration, status };
  const hook = beginHook(`iteration-${iteration}-end`, onIterationEnd, input as object as JsonObject);
  return { ...next, hook: { ...hook, at: 'end', status } };
}

export function checkedEnd(state: CodeState, { abort }: JsonObject, occurredAt: string): CodeState {
  if (typeof abort === 'string')
    return failed(over(state, { type: 'aborted', reason: abort }, occurredAt), 'aborted', abort);
  return proceeded(state, state.iterations.at(-1)?.status ?? { type: 'pending' });
}

function proceeded(state: CodeState, status: IterationStatus): CodeState {
  if (status.type === 'exit_success') return exited(state, status.name, status.value);
  if ('code' in status && isCritical(status.code))
    return ended(state, status.code === 'budget' ? 'budget' : 'critical', status.message);
  const { code = '' } = state.iterations.at(-1) ?? {};
  const end = state.program?.end;
  const line = end && 'line' in end ? end.line : undefined;
  const content = feedbackOf(status, code, line) ?? '';
  return nextIteration({ ...state, messages: [...state.messages, { role: 'user', content }] });
}

function exited(state: CodeState, exit: string, value: CodeState['messages'][number]): CodeState {
  const { chat, input } = state;
  if (chat && exit === LISTEN.name) return { ...atRest(state), chat: listening(chat) };
  const cited = input.citations ? citationsIn(value) : { value };
  return stopped(state, { exit, ...cited });
}

/** A turn of a conversation that fails leaves the run open for the next message. */
function ended(state: CodeState, kind: FailureKind, message: string): CodeState {
  const { chat } = state;
  if (!chat || kind === 'budget' || kind === 'aborted') return failed(state, kind, message);
  return { ...atRest(state), chat: listening(chat, { kind, message }) };
}

function atRest({ asking: _, hook: _hook, program: _program, ...state }: CodeState): CodeState {
  return state;
}

export function over(state: CodeState, status: IterationStatus, occurredAt: string): CodeState {
  const since = state.repliedAt === '' ? occurredAt : state.repliedAt;
  return current(state, { status, durationMs: Date.parse(occurredAt) - Date.parse(since) });
}
