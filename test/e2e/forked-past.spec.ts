import { expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import { eventCatalogue } from '#lib/engine';
import { EventLog, InMemoryEventStore, StreamNames } from '#lib/event-store';
import { verifySession } from '#lib/decisions/driving';
import { startEngine } from '../support/engine.js';
import { Snapshots } from './as-it-was.js';

const machine = {
  machineName: 'refunds',
  initialState: 'triage',
  goalState: 'closed',
  states: { triage: { transitions: { again: 'triage', close: 'closed' } }, closed: {} },
  specialists: [
    { role: 'proposer', specialistId: 'clerk', modelId: 'gpt-4o-mini[tools=no]', contextTemplate: 'Cup' },
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' },
  ],
} as const;
const AGAIN = text({ transitionName: 'again', toState: 'triage', reasoning: 'So.' });
const CLOSE = text({ transitionName: 'close', toState: 'closed', reasoning: 'So.' });

it('forks are later as they were; a changed copy, and one that is said to be none, diverge', async () => {
  const engine = await startEngine([AGAIN, AGAIN, CLOSE]);
  const { redial, log } = engine;
  try {
    const snapshots = new Snapshots(engine);
    await redial.defineMachine(machine);
    const { sessionId } = await redial.createSession({ machineName: 'refunds' });
    const step = async (id: string) => {
      await redial.submitProposal({ sessionId: id, specialistId: 'clerk' });
      await snapshots.take({ sessionId: id });
      await redial.submitArbitration({ sessionId: id });
      await snapshots.take({ sessionId: id });
    };
    await step(sessionId);
    const { revision } = await redial.getSession({ sessionId });
    const fork = await redial.forkSession({ sessionId, atRevision: revision });
    await snapshots.take({ sessionId: fork.sessionId });
    await step(fork.sessionId);
    await step(fork.sessionId);
    await snapshots.check();

    const stored = await log.store.readAll({ limit: 10_000 });
    const own = log.streams.of('session', fork.sessionId);
    const changed = async (change: (event: (typeof stored)[number]) => Partial<(typeof stored)[number]>) => {
      const store = new InMemoryEventStore();
      for (const event of stored) {
        const { eventId, type, data, metadata } = event;
        const isOwn = event.stream === own;
        const kept = { eventId, type, data, metadata, ...(isOwn && change(event)) };
        await store.append(event.stream, 'any', [kept]);
      }
      return verifySession(new EventLog(store, eventCatalogue(), new StreamNames()), fork.sessionId);
    };
    expect(await changed(() => ({}))).toMatchObject({ identical: true });
    expect(
      await changed(({ revision: at, data }) => (at === 2 ? { data: data.replace('clerk', 'clark') } : {})),
    ).toMatchObject({ divergences: [{ revision: 0, pointer: '/data/forkedFrom/sha256' }] });
    expect(
      await changed(({ revision: at, metadata }) =>
        at === 2 ? { metadata: metadata.replace('"copied":true', '"traceparent":"-"') } : {},
      ),
    ).toMatchObject({ divergences: [{ revision: 2, pointer: '/metadata/copied' }] });
  } finally {
    await engine.stop();
  }
});
