import { isSpent, NOTHING_SPENT, withCorrections } from '#lib/call-rules';
import type { Json } from '#lib/kernel';
import type { ToolFact } from '#lib/runs/tools/core';
import {
  beside,
  branched,
  type Given,
  here,
  peopleAwaited,
  type Script,
  type Seen,
  type Steps,
  until,
} from '#lib/workflow';
import { callablesOf, withTags } from './callables.rules.js';
import { awaitStep, beginChat, type Chat, heard, listening } from './chat.rules.js';
import type { CodeInput } from './code.input.js';
import { type CodeState, failure, indexOf, type Stop } from './code.state.js';
import { componentsOf } from './components.rules.js';
import { exitsOf, LISTEN } from './exits.rules.js';
import { type Hook, hooked } from './hook.script.js';
import { iterated, over } from './iteration.script.js';
import { firstMessages } from './prompt.js';
import { endOf } from './result.rules.js';

/** A run of code: iterations until one takes an exit, or a limit is reached; in a conversation, one turn after the other. */
export class Coding implements Script<Json> {
  readonly state: CodeState;

  constructor(given: Given) {
    this.state = begun(given);
  }

  *[Symbol.iterator](): Steps<Json> {
    const { state } = this;
    const { onTrace } = state.input.hooks ?? {};
    (yield* here()).endWhenCancelled((event) => cancelled(state, event));
    const scripts = [...(onTrace ? [{ script: watched(state, onTrace) }] : []), { script: worked(state) }];
    // The calls of hooks for traces are completed, although no code waits for their answers.
    yield* branched({ path: 'code', scripts, until: 'all' });
    return endOf(state, state.stop as Stop);
  }
}

function begun({ start: { data, runId } }: Given): CodeState {
  const input = data.input as object as CodeInput;
  const { model, tools } = data.facts as object as {
    readonly model: Pick<CodeState, 'routes' | 'seed'>;
    readonly tools: readonly ToolFact[];
  };
  const { version, facts } = data;
  const exits = exitsOf(input, version);
  const components = input.chat === true ? componentsOf(input.components) : [];
  const callables = callablesOf(input, tools);
  const chat = beginChat(input);
  const firstRoutes = model.routes;
  const known = { runId, version, facts, input, exits, components, callables, firstRoutes, ...model };
  const none = { iterations: [], programs: 0, untold: [], repliedAt: '', spent: NOTHING_SPENT };
  const shown = version > 1 && input.citations ? callables.map(withTags) : callables;
  const messages = [...firstMessages(input, { callables: shown, exits, components })];
  return { ...known, ...none, messages, sources: [...(input.citations ?? [])], ...(chat && { chat }) };
}

/** Runs until there is an end. A turn of a conversation that fails leaves the run open for the next message. */
function* worked(state: CodeState): Steps<void> {
  while (!state.stop) {
    if (state.chat?.isListening) {
      yield* spokenTo(state, state.chat);
      continue;
    }
    const stop = limitOf(state) ?? (yield* iterated(state));
    if (!stop) continue;
    const { chat } = state;
    if (chat && isOfTurn(stop)) state.chat = listening(chat, 'failure' in stop ? stop.failure : undefined);
    else state.stop = stop;
  }
}

/** Waits for the message that begins the next turn. */
function* spokenTo(state: CodeState, listens: Chat): Steps<void> {
  const closed = yield* peopleAwaited(awaitStep(listens));
  if (!closed) {
    state.stop = failure('expired', 'Nobody wrote the next message within its time.');
    return;
  }
  const { chat, message } = heard(listens, closed.event, indexOf(state));
  state.chat = chat;
  // A model that failed in one turn may answer in the next; up to version 2 it was left out for the rest of the conversation.
  if (state.version > 2) state.routes = withCorrections(state.firstRoutes, state.routes);
  state.messages.push(message);
}

const LOOP = 3;

/** The reason why there is no further iteration, if there is one. */
function limitOf({ input, iterations, chat, spent }: CodeState): Stop | undefined {
  const loop = input.loop ?? LOOP;
  if (iterations.length - (chat?.from ?? 0) >= loop)
    return failure('loop-exceeded', `The loop of ${loop} iterations took no exit.`);
  if (iterations.length > 0 && isSpent(input.budget, spent))
    return failure('budget', 'The budget of the run is spent.');
  return undefined;
}

function isOfTurn(stop: Stop): boolean {
  if ('exit' in stop) return stop.exit === LISTEN.name;
  return stop.failure.kind !== 'budget' && stop.failure.kind !== 'aborted';
}

/** Calls the hook with the traces of each slice and of each call. Ends when all these calls have ended. */
function* watched(state: CodeState, onTrace: Hook): Steps<void> {
  yield* branched({ path: 'traces', scripts: [{ script: watching(state, onTrace) }], until: 'all' });
}

function* watching(state: CodeState, onTrace: Hook): Steps<void> {
  while (!state.stop) {
    yield* until(() => state.untold.length > 0 || state.stop !== undefined);
    for (const { iteration, upTo, traces } of state.untold.splice(0))
      yield* beside(hooked(`iteration-${iteration}-trace-${upTo}`, onTrace, { iteration, traces }));
  }
}

/** The result of a cancelled run. @throws RunFails */
function cancelled(state: CodeState, { data, occurredAt }: Seen): Json {
  if (state.stop) return endOf(state, state.stop);
  const { reason = 'The run was cancelled.' } = data as { readonly reason?: string };
  if (!state.chat?.isListening) over(state, { type: 'aborted', reason }, occurredAt);
  state.stop = failure('aborted', reason);
  return endOf(state, state.stop);
}
