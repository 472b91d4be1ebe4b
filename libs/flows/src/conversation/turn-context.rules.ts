import type { StreamHistory } from '#lib/event-store';
import type { Json, RecordedEvent } from '#lib/kernel';
import type { TurnConversation } from '../turn/turn-given.js';
import { type Conversation, conversationDecider } from './conversation.decider.js';
import type { ConversationEvent, HistoryCompacted, TurnTaken } from './conversation.events.js';

/** The part of a conversation that turns use besides the decider's state, since the conversation was cleared last. */
interface TurnMemory {
  /** The message of the turn that was requested last, and when. */
  readonly asked: { readonly text: string; readonly at: string };
  /** The turns that no summary stands for, by the revision at which they were taken. */
  readonly turns: readonly { readonly revision: number; readonly said: string; readonly answered: string }[];
  readonly summary?: TurnConversation['summary'];
  readonly completedFlows: readonly string[];
  /** When the turns were requested in which signals fired last, by signal. */
  readonly firedAt: { readonly [signalId: string]: string };
}

/** Folded on from turn to turn: a turn costs the same in a long conversation. */
const turnMemory = {
  initialState: { asked: { text: '', at: '' }, turns: [], completedFlows: [], firedAt: {} } as TurnMemory,
  evolve,
};

/** The part of a conversation that its next turn uses. */
export function turnContext(history: StreamHistory<ConversationEvent>): Json {
  const state = history.state(conversationDecider);
  if (!state) return null;
  const { turns, summary, completedFlows, firedAt } = history.state(turnMemory);
  const { agent, data, context = {}, position, pendingDirective } = state;
  const used: TurnConversation = {
    agent,
    data,
    context,
    ...(position && { position }),
    completedFlows,
    ...(pendingDirective && { pendingDirective }),
    history: turns.flatMap(({ said, answered }) => [
      { role: 'user', content: said },
      { role: 'assistant', content: answered },
    ]),
    ...(summary && { summary }),
    ...(agent.compaction && { revisions: turns.map(({ revision }) => revision) }),
    signals: signalsOf(state, firedAt),
    now: history.events.at(-1)?.occurredAt ?? '',
  };
  return used as object as Json;
}

function signalsOf({ signals }: Conversation, firedAt: TurnMemory['firedAt']): TurnConversation['signals'] {
  const entries = Object.entries(signals).map(([id, { count }]) => {
    return [id, { count, lastAt: firedAt[id] ?? '' }] as const;
  });
  return Object.fromEntries(entries);
}

function evolve(state: TurnMemory, event: RecordedEvent<ConversationEvent>): TurnMemory {
  switch (event.type) {
    case 'TurnRequested':
      return { ...state, asked: { text: event.data.text, at: event.occurredAt } };
    case 'TurnTaken':
      return taken(state, event);
    case 'HistoryCompacted':
      return compacted(state, event);
    default:
      return state;
  }
}

function taken({ asked, ...before }: TurnMemory, { data, revision }: RecordedEvent<TurnTaken>): TurnMemory {
  if (data.isCleared) return { ...turnMemory.initialState, asked };
  const { message: answered, moves, triggeredSignals } = data;
  const completed = moves.flatMap((move) =>
    'left' in move && move.reason === 'completed' && !before.completedFlows.includes(move.left)
      ? [move.left]
      : [],
  );
  const fired = triggeredSignals.flatMap(({ signalId, handlerError }) =>
    handlerError === undefined ? [[signalId, asked.at] as const] : [],
  );
  return {
    ...before,
    asked,
    turns: [...before.turns, { revision, said: asked.text, answered }],
    completedFlows: [...before.completedFlows, ...new Set(completed)],
    firedAt: { ...before.firedAt, ...Object.fromEntries(fired) },
  };
}

/** A summary stands for all turns before it, also where it is none: the turns were left out. */
function compacted(
  { summary: _, ...state }: TurnMemory,
  { data: { sources, summary: text }, revision }: RecordedEvent<HistoryCompacted>,
): TurnMemory {
  const turns = state.turns.filter((turn) => !sources.includes(turn.revision));
  return { ...state, turns, ...(text !== undefined && { summary: { text, revision } }) };
}
