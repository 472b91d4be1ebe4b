import { describe, expect, it } from '@jest/globals';
import { sessionEventDefinitions } from '#lib/decisions/session';
import { EventCodec, EventLog, InMemoryEventStore, StreamNames } from '#lib/event-store';
import { conversationEventDefinitions } from '#lib/flows/core';
import { isRejection, type JsonObject } from '#lib/kernel';
import { runtimeEventDefinitions } from '#lib/workflow';
import { runsOfRoots } from '../asked-runs.js';
import { targetOf } from './why-target.js';
import { whyOf } from './why.js';

type Written = readonly [type: string, data: JsonObject, causedBy?: number];

const codec = new EventCodec([
  conversationEventDefinitions,
  runtimeEventDefinitions,
  sessionEventDefinitions,
]);

/** The causes of the last event of a stream, else of its last decision. @param pages each a part of its events */
async function whyOfStream(stream: string, pages: Iterable<readonly Written[]>) {
  const store = new InMemoryEventStore();
  let revision = 0;
  for (const page of pages) {
    const events = page.map(([type, data, causedBy]) => ({
      eventId: `event-${revision++}`,
      type,
      data: JSON.stringify(data),
      metadata: JSON.stringify({
        occurredAt: '2026-01-02T03:04:05.678Z',
        ...(causedBy !== undefined && { causationId: `event-${causedBy}` }),
      }),
    }));
    await store.append(stream, 'any', events);
  }
  const log = new EventLog(store, codec, new StreamNames());
  const target = await targetOf(log, stream, undefined);
  if (!target || isRejection(target)) throw new Error('There are events.');
  return whyOf(log, stream, runsOfRoots, target);
}

/** The causes of the last turn of a conversation of this many turns. Each turn follows the one before. */
function whyOfLast(turns: number, text: string) {
  return whyOfStream(
    'redial_conversation-long',
    Array.from({ length: turns }, (_, turn) => [
      ['TurnRequested', { turnId: `${turn}`, text }],
      ['TurnTaken', { turnId: `${turn}`, messages: [] }],
    ]),
  );
}

/** From each event to its causes, by their types. */
async function edgesOf(stream: string, events: readonly Written[]) {
  const graph = await whyOfStream(stream, [events]);
  if (isRejection(graph)) throw new Error(graph.message);
  const types = new Map(graph.nodes.map(({ id, type }) => [id, type]));
  return graph.edges.map(({ from, to, relation }) => [types.get(from), relation, types.get(to)].join(' '));
}

describe('why an event came', () => {
  it('is said with the nearest 5,000 of its causes, each as a line, and with how many are left off', async () => {
    const graph = await whyOfLast(3000, 'And now? '.repeat(1000));
    if (isRejection(graph)) throw new Error(graph.message);
    const [first, ...others] = graph.nodes;
    expect(first).toMatchObject({ revision: 5999 });
    expect(others.map(({ revision }) => revision)).toEqual(Array.from({ length: 4999 }, (_, n) => 1000 + n));
    expect(graph.leftOff).toBe(1);
    expect(Math.max(...graph.nodes.map(({ summary }) => summary.length))).toBeLessThanOrEqual(500);
    const ids = new Set(graph.nodes.map(({ id }) => id));
    expect(graph.edges.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true);
  });

  it('is refused where it is sought among more references than are held', async () => {
    expect(await whyOfLast(36_000, 'And now?')).toMatchObject({
      rejected: 'refused',
      code: 'why-too-large',
      message: expect.stringContaining('Ask for an earlier event by its revision'),
    });
  });

  it('of several people who answer alike is each answer and the question, with what led to it', async () => {
    const wait = { stepId: 'pay', signal: 'approval' };
    const given = { ...wait, payload: { approved: true } };
    const edges = await edgesOf('redial_planner-run', [
      ['WorkflowStarted', { workflow: 'planner', version: 1, input: {}, facts: {} }],
      ['TimerStarted', { stepId: 'nap', afterMs: 1 }, 0],
      ['TimerFired', { stepId: 'nap' }, 0],
      ['SignalAwaited', { ...wait, people: { approvals: 2 } }, 2],
      ['ClockRequested', { stepId: 'pay', by: 'olga' }],
      ['ChoiceGiven', { ...given, by: 'ann' }],
      ['SignalReceived', { ...given, by: 'bob' }],
    ]);
    expect(edges).toEqual([
      'SignalReceived request SignalAwaited',
      'SignalReceived before ChoiceGiven',
      'SignalAwaited cause TimerFired',
      'ChoiceGiven request SignalAwaited',
      'TimerFired request TimerStarted',
      'TimerStarted cause WorkflowStarted',
    ]);
  });

  it('of a round that several people decided is each approval, without those that came before a fork', async () => {
    const [roundId, by] = ['one', { specialistId: 'ann', by: 'ann' }];
    const edges = await edgesOf('redial_session-round', [
      ['SessionCreated', { roundId }],
      ['ApprovalGiven', { ...by, roundId, transitionName: 'stop' }],
      ['SessionForked', { roundId, freshRound: true }],
      ['ApprovalGiven', { ...by, roundId, transitionName: 'go' }],
      ['HumanOverrideAccepted', { ...by, roundId, transitionName: 'go', proposals: [] }],
      ['TransitionExecuted', { roundId, nextRoundId: 'two', transitionName: 'go' }],
    ]);
    expect(edges).toEqual([
      'TransitionExecuted decision HumanOverrideAccepted',
      'TransitionExecuted round SessionForked',
      'HumanOverrideAccepted round SessionForked',
      'HumanOverrideAccepted before ApprovalGiven',
      'SessionForked round SessionCreated',
      'ApprovalGiven round SessionForked',
    ]);
  });
});
