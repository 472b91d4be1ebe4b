import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { StreamHistory } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import { conversationWith } from '../testing/story.js';
import type { TurnConversation } from '../turn/turn-given.js';
import type { Move } from '../turn/turn-result.js';
import { conversationView } from './conversation-view.rules.js';
import type { ConversationEvent, TurnTaken } from './conversation.events.js';
import type { ConversationView } from './conversations.views.js';
import { turnContext } from './turn-context.rules.js';

const flowId = fc.constantFrom('a', 'b', 'c');
/** A visit of a flow in one turn. */
const visit = fc.tuple(
  flowId,
  fc.constantFrom<'completed' | 'goto_flow' | 'aborted' | 'open'>(
    'completed',
    'goto_flow',
    'aborted',
    'open',
  ),
);
const turn = fc.record({
  end: fc.constantFrom('taken', 'taken', 'taken', 'cleared', 'failed'),
  visits: fc.array(visit, { maxLength: 3 }),
  /** The number of remaining turns that a compaction then replaces. */
  compacted: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
  summary: fc.option(fc.string(), { nil: undefined }),
});
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

const started = conversationWith({ flows: [{ title: 'A', steps: [{ id: 'says' }] }] }).events;

/** The events of the turns, and the revisions of the turns that no summary replaces. */
function conversationOf(turns: readonly Turn[]) {
  const events: RecordedEvent<ConversationEvent>[] = [...started];
  let left: number[] = [];
  let summaryAt: number[] = [];
  const add = (event: ConversationEvent) => {
    const [first] = events as [RecordedEvent<ConversationEvent>];
    const revision = events.length;
    events.push({
      ...first,
      ...event,
      revision,
      eventId: `event ${revision}`,
    });
    return revision;
  };
  for (const [n, { end, visits, compacted, summary }] of turns.entries()) {
    const turnId = `turn ${n}`;
    add({ type: 'TurnRequested', data: { turnId, text: `asked ${n}` } });
    if (end === 'failed') {
      add({ type: 'TurnFailed', data: { turnId, failure: { kind: 'no-key', message: '' } } });
      continue;
    }
    const isCleared = end === 'cleared';
    const revision = add(taken(turnId, visits.flatMap(movesOf), isCleared));
    left = isCleared ? [] : [...left, revision];
    if (isCleared) summaryAt = [];
    if (compacted === undefined) continue;
    const strategy = summary === undefined ? 'drop_oldest' : 'auto_compact';
    const sources = [...summaryAt, ...left.slice(0, compacted)];
    const data = { strategy, sources, ...(summary !== undefined && { summary }) } as const;
    const at = add({ type: 'HistoryCompacted', data });
    summaryAt = summary === undefined ? [] : [at];
    left = left.slice(compacted);
  }
  return { events, left };
}

function movesOf([entered, reason]: Turn['visits'][number]): readonly Move[] {
  return reason === 'open' ? [{ entered }] : [{ entered }, { left: entered, reason }];
}

function taken(turnId: string, moves: readonly Move[], isCleared: boolean): TurnTaken {
  const none = {
    executedSteps: [],
    toolCalls: [],
    appliedInstructions: [],
    triggeredSignals: [],
    directiveChain: [],
  };
  const usage = { calls: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  const rest = { dataChanges: {}, llmCalls: [], usage, status: 'open', stoppedReason: 'last_step' } as const;
  const message = `answer of ${turnId}`;
  return {
    type: 'TurnTaken',
    data: { turnId, message, moves, ...none, ...rest, ...(isCleared && { isCleared }) },
  };
}

it('the next turn uses the messages and completed flows that a conversation shows, but for what a summary stands for', () => {
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 8 }), (turns) => {
      const { events, left } = conversationOf(turns);
      const { history, flowHistory } = conversationView(new StreamHistory(events)) as ConversationView;
      const used = turnContext(new StreamHistory(events)) as object as TurnConversation;
      const isLeft = (turnId: string) =>
        left.some((revision) => (events[revision] as RecordedEvent<TurnTaken>).data.turnId === turnId);
      expect(used.history).toEqual(
        history.flatMap(({ turnId, ...message }) => (isLeft(turnId) ? [message] : [])),
      );
      const completed = flowHistory.flatMap((flow) => (flow.completed ? [flow.flowId] : []));
      expect(new Set(used.completedFlows)).toEqual(new Set(completed));
    }),
  );
});

it('the context of a turn, whose hash is recorded, has of a signal only what turns use', () => {
  const signal = { id: 'any', phase: 'pre', handler: { contextUpdate: { seen: true } } } as const;
  const story = conversationWith({ flows: [{ title: 'A', steps: [{ id: 'says' }] }], signals: [signal] });
  story.say('x');
  const { signals } = turnContext(new StreamHistory(story.events)) as object as TurnConversation;
  expect(Object.keys(signals['any'] ?? {})).toEqual(['count', 'lastAt']);
});
