import type { RecordedEvent } from '#lib/kernel';
import type { HistoryMessage } from '../turn/turn-given.js';
import type { TurnResult } from '../turn/turn-result.js';
import type { ConversationEvent } from './conversation.events.js';

/** A flow that a conversation was in. */
export interface FlowVisit {
  readonly flowId: string;
  /** The turns in which it was entered and left. */
  readonly enteredIn: string;
  readonly leftIn?: string;
  readonly isCompleted: boolean;
}

/** The messages and positions since the conversation was cleared last. No decision needs them. */
export interface Past {
  readonly history: readonly (HistoryMessage & { readonly turnId: string })[];
  readonly flowHistory: readonly FlowVisit[];
}

interface GrowingPast {
  readonly history: Past['history'][number][];
  readonly flowHistory: FlowVisit[];
}

/** In one pass over the events. */
export function pastOf(events: readonly RecordedEvent<ConversationEvent>[]): Past {
  const past: GrowingPast = { history: [], flowHistory: [] };
  let asked = '';
  for (const { type, data } of events) {
    if (type === 'TurnRequested') asked = data.text;
    if (type !== 'TurnTaken') continue;
    if (data.isCleared) {
      past.history.length = 0;
      past.flowHistory.length = 0;
      continue;
    }
    const { turnId, message, moves } = data;
    past.history.push({ role: 'user', content: asked, turnId });
    past.history.push({ role: 'assistant', content: message, turnId });
    for (const move of moves) visit(past.flowHistory, move, turnId);
  }
  return past;
}

/** A flow is left at most once for each time that it was entered, and the newest visit is the open one. */
function visit(visits: FlowVisit[], move: TurnResult['moves'][number], turnId: string): void {
  if ('entered' in move) {
    visits.push({ flowId: move.entered, enteredIn: turnId, isCompleted: false });
    return;
  }
  const at = visits.findLastIndex(({ flowId, leftIn }) => flowId === move.left && leftIn === undefined);
  const left = visits[at];
  if (left) visits[at] = { ...left, leftIn: turnId, isCompleted: move.reason === 'completed' };
}
