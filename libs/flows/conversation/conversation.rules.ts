import { addUsageTotals, NO_USAGE, type UsageTotals } from '#lib/call-rules';
import { type JsonObject, ownMember, type RecordedEvent } from '#lib/kernel';
import type { Directive } from '../agent/directive-definition.js';
import { agentOfFork } from './fork.rules.js';
import type { FiredSignal, FlowPosition, Move, TurnResult } from '../turn/turn-result.js';
import type {
  ConversationEvent,
  ConversationForked,
  ConversationStarted,
  HistoryCompacted,
  TurnTaken,
} from './conversation.events.js';

/** The firings of a signal. The times are those of the requests of turns. */
interface SignalState {
  readonly count: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly lastReason: string;
  readonly lastPhase: FiredSignal['phase'];
}

interface FlowVisit {
  readonly flowId: string;
  readonly enteredAt: string;
  readonly exitedAt?: string;
  readonly completed: boolean;
}

/** The part of a conversation that is reset when it is cleared. */
interface Memory {
  /** Turns with a revision above `compactedUpTo` were not compacted. */
  readonly turns: readonly {
    readonly turnId: string;
    /** The revision of `TurnTaken`. */
    readonly revision: number;
    readonly said: string;
    readonly answered: string;
  }[];
  readonly summary: { readonly text: string; readonly revision: number } | undefined;
  readonly compactedUpTo: number;
  readonly visits: readonly FlowVisit[];
  /** The ids of completed flows, without repetitions. */
  readonly completedFlows: readonly string[];
  /** By the ids of signals. */
  readonly signals: { readonly [signalId: string]: SignalState };
}

/** The state of a conversation for its views and its next turn. Decisions need less (`conversationDecider`). */
export interface Conversation extends Memory {
  readonly started: ConversationStarted['data'];
  readonly data: JsonObject;
  readonly context: JsonObject | undefined;
  /** The status after the last turn. */
  readonly status: TurnResult['status'];
  readonly position: FlowPosition | undefined;
  /** The time of the last change of the position. */
  readonly positionSince: string;
  readonly pendingDirective: Directive | undefined;
  /** In a fork: since its begin. */
  readonly usage: UsageTotals;
  /** In a fork: the time of its begin. */
  readonly createdAt: string;
  /** The message of the newest turn, and the time of its request. */
  readonly asked: { readonly text: string; readonly at: string };
}

/** Folded from turn to turn: the cost of a turn does not grow with the conversation. */
export const conversationFold = { initialState: undefined as Conversation | undefined, evolve };

const NOTHING: Memory = {
  turns: [],
  summary: undefined,
  compactedUpTo: -1,
  visits: [],
  completedFlows: [],
  signals: {},
};

function evolve(
  state: Conversation | undefined,
  event: RecordedEvent<ConversationEvent>,
): Conversation | undefined {
  if (event.type === 'ConversationStarted') return begun(event);
  if (!state) return state;
  switch (event.type) {
    case 'ConversationForked':
      return forked(state, event);
    case 'TurnRequested':
      return { ...state, asked: { text: event.data.text, at: event.occurredAt } };
    case 'TurnTaken':
      return taken(state, event);
    case 'TurnFailed':
      return { ...state, usage: addUsageTotals(state.usage, event.data.usage) };
    case 'HistoryCompacted':
      return compacted(state, event);
    case 'DirectiveDispatched':
      return { ...state, pendingDirective: event.data.directive };
    default:
      return state;
  }
}

function begun({ data: started, occurredAt }: RecordedEvent<ConversationStarted>): Conversation {
  return {
    ...NOTHING,
    started,
    data: started.data,
    context: started.context,
    status: 'open',
    position: undefined,
    positionSince: '',
    pendingDirective: undefined,
    usage: NO_USAGE,
    createdAt: occurredAt,
    asked: { text: '', at: '' },
  };
}

/** The events before are copies: the conversation begins here. */
function forked(before: Conversation, event: RecordedEvent<ConversationForked>): Conversation {
  const started = { ...before.started, agent: agentOfFork(before.started.agent, event) };
  return { ...before, started, usage: NO_USAGE, createdAt: event.occurredAt };
}

function taken(before: Conversation, event: RecordedEvent<TurnTaken>): Conversation {
  const { status, position, pendingDirective, dataChanges, contextUpdate, usage } = event.data;
  return {
    ...before,
    status,
    data: changed(before.data, dataChanges),
    context: contextUpdate ? { ...before.context, ...contextUpdate } : before.context,
    position,
    positionSince: isSamePlace(before.position, position) ? before.positionSince : event.occurredAt,
    pendingDirective,
    usage: addUsageTotals(before.usage, usage),
    ...(event.data.isCleared ? NOTHING : remembered(before, event)),
  };
}

function remembered({ asked, ...before }: Conversation, event: RecordedEvent<TurnTaken>): Partial<Memory> {
  const { data, revision, occurredAt } = event;
  const { turnId, message: answered, moves, triggeredSignals } = data;
  return {
    turns: [...before.turns, { turnId, revision, said: asked.text, answered }],
    visits: moves.reduce((all, move) => visited(all, move, occurredAt), before.visits),
    completedFlows: moves.reduce(completed, before.completedFlows),
    signals: triggeredSignals.reduce((all, signal) => fired(all, signal, asked.at), before.signals),
  };
}

/** A compaction replaces all turns before it by its summary, or leaves them out without one. */
function compacted(
  state: Conversation,
  { data: { sources, summary: text }, revision }: RecordedEvent<HistoryCompacted>,
): Conversation {
  // The earlier summary has a higher revision than the recent turns that it kept.
  const turns = sources.filter((source) => source !== state.summary?.revision);
  const compactedUpTo = Math.max(state.compactedUpTo, ...turns);
  return { ...state, compactedUpTo, summary: text === undefined ? undefined : { text, revision } };
}

function isSamePlace(one: FlowPosition | undefined, other: FlowPosition | undefined): boolean {
  return one?.flowId === other?.flowId && one?.stepId === other?.stepId;
}

/** `__proto__` is a member like any other. */
function changed(data: JsonObject, changes: TurnResult['dataChanges']): JsonObject {
  const next = new Map(Object.entries(data));
  for (const [name, { to }] of Object.entries(changes)) {
    if (to === undefined) next.delete(name);
    else next.set(name, to);
  }
  return Object.fromEntries(next);
}

/** A flow is left at most once for each entry, and its newest visit is the open one. */
function visited(visits: Memory['visits'], move: Move, at: string): Memory['visits'] {
  if ('entered' in move) return [...visits, { flowId: move.entered, enteredAt: at, completed: false }];
  const index = visits.findLastIndex(
    ({ flowId, exitedAt }) => flowId === move.left && exitedAt === undefined,
  );
  const visit = visits[index];
  return visit
    ? visits.with(index, { ...visit, exitedAt: at, completed: move.reason === 'completed' })
    : visits;
}

function completed(flows: Memory['completedFlows'], move: Move): Memory['completedFlows'] {
  const isNew = 'left' in move && move.reason === 'completed' && !flows.includes(move.left);
  return isNew ? [...flows, move.left] : flows;
}

/** A signal whose handler failed does not count as fired. */
function fired(
  all: Memory['signals'],
  { signalId, phase: lastPhase, reason: lastReason, handlerError }: FiredSignal,
  at: string,
): Memory['signals'] {
  if (handlerError !== undefined) return all;
  const { count = 0, firstAt = at } = ownMember(all, signalId) ?? {};
  return { ...all, [signalId]: { count: count + 1, firstAt, lastAt: at, lastReason, lastPhase } };
}
