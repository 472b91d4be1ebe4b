import { describe, expect, it } from '@jest/globals';
import { eventCatalogue } from '#lib/engine';
import {
  type EventLog,
  type EventStore,
  type HashedLeaf,
  hashedLeaf,
  leafHash,
  StreamNames,
} from '#lib/event-store';
import { code } from '#lib/code';
import { inspectWithoutProof } from '#lib/decisions/machines';
import { verifyConversation } from '#lib/flows';
import { historyFile, opened } from '#lib/histories/testing';
import { planner } from '#lib/planner';
import { replayTotals, type ReplayTotals, verifyRunTree } from '#lib/runs/runs';
import { verifySession } from '#lib/decisions/driving';
import { WorkflowRegistry } from '#lib/workflow';
import { runHistories, sessionHistories } from './golden-histories.js';
import { logOf } from './history.js';

const codec = eventCatalogue();
const workflows = new WorkflowRegistry([planner, code]);

/** Every event of a log, stream by stream, without positions. */
async function eventsOf({ store }: EventLog) {
  const events = await store.readAll({ limit: 10_000 });
  return events.map(({ position: _, ...event }) => event);
}

type Verify = (log: EventLog) => Promise<ReplayTotals | undefined>;

/** Exports the root of a log, reads the file, and compares the events and the replay. */
async function roundTrip(log: EventLog, id: string, verify: Verify): Promise<void> {
  const file = await opened(await historyFile(log, id, workflows), codec);
  try {
    expect(await eventsOf(file.log)).toEqual(await eventsOf(log));
    expect(await verify(file.log)).toEqual(await verify(log));
    expect((await verify(file.log))?.identical).toBe(true);
  } finally {
    await file.log.store.close();
  }
}

describe('a history file', () => {
  const sessions = sessionHistories.all().filter(({ history }) => history.evaluationId === undefined);

  it.each(sessions)('of $name has every event, and replays as its log does', async ({ history }) => {
    const { sessionId } = history;
    await roundTrip(await logOf(history.events), sessionId, (log) => verifySession(log, sessionId));
  });

  it.each(runHistories.all())(
    'of $name has every event, and replays as its log does',
    async ({ history }) => {
      const { subject } = history;
      const log = await logOf(history.events);
      if ('conversationId' in subject) {
        const { conversationId } = subject;
        return roundTrip(log, conversationId, (one) => verifyConversation(one, conversationId));
      }
      const stream = new StreamNames().of(subject.workflow, subject.runId);
      await roundTrip(log, subject.runId, async (one) =>
        replayTotals(await verifyRunTree(one, workflows, stream)),
      );
    },
  );

  it('of every release has machines that a fork of the file takes', () => {
    const events = sessionHistories.all().flatMap(({ history }) => history.events);
    const created = events.filter(({ type }) => type === 'SessionCreated');
    const machines = created.map(({ data }) => (JSON.parse(data) as { machine: unknown }).machine);
    expect(machines.flatMap((machine) => inspectWithoutProof(machine).errors)).toEqual([]);
    expect(machines.length).toBeGreaterThan(40);
  });

  it('leaves out the streams of other roots', async () => {
    const [one, other] = sessionHistories.all();
    if (!one || !other) throw new Error('There are two histories at least.');
    const events = [...one.history.events, ...other.history.events];
    const { head, log } = await opened(
      await historyFile(await logOf(events), other.history.sessionId),
      codec,
    );
    expect(await eventsOf(log)).toEqual(await eventsOf(await logOf(other.history.events)));
    expect(head.streams[0]?.stream).toBe(`session-${other.history.sessionId}`);
    await log.store.close();
  });

  it('has the runs of a run whole that was used first, and asked for later', async () => {
    const started = (data: object) => ({ workflow: 'planner', version: 1, input: null, facts: {}, ...data });
    const child = (runId: string) => ({ stepId: `s-${runId}`, runId, workflow: 'planner', input: null });
    const stored = (id: string, type: string, data: object) => ({
      stream: `redial_planner-${id}`,
      eventId: `${id}-${type}`,
      type,
      data: JSON.stringify(data),
      metadata: JSON.stringify({ occurredAt: '2026-01-02T03:04:05.678Z', schemaVersion: 1 }),
    });
    const log = await logOf([
      stored('used', 'WorkflowStarted', started({})),
      stored('used', 'ChildStarted', child('below')),
      stored('below', 'WorkflowStarted', started({})),
      stored(
        'root',
        'WorkflowStarted',
        started({ context: { stream: 'planner-used', revision: 0, sha256: '' } }),
      ),
      stored('root', 'ChildStarted', child('used')),
    ]);
    const file = await opened(await historyFile(log, 'root', workflows), codec);
    expect(file.head.streams.map(({ stream }) => stream)).toEqual([
      'planner-root',
      'planner-used',
      'planner-below',
    ]);
    await file.log.store.close();
  });

  it('has the form of the contract: the first line, events as they are stored, and the sum', async () => {
    const { history } = sessionHistories.all().find(({ name }) => name.endsWith('/tool-call')) ?? {};
    if (!history) throw new Error('There is a history with a tool call.');
    const log = await logOf(history.events);
    const lines = (await historyFile(log, history.sessionId)).trimEnd().split('\n');
    const [head, ...rest] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(head).toEqual({
      redial: 'history',
      format: 1,
      engine: '0.3.0',
      exportedAt: '2026-01-02T03:04:05.678Z',
      log: log.store.logId,
      root: { kind: 'session', id: history.sessionId },
      streams: expect.arrayContaining([
        { stream: `session-${history.sessionId}`, events: expect.any(Number) },
      ]),
      redaction: 'none',
    });
    const [first] = await (log.store as Pick<EventStore, 'readAll'>).readAll({ limit: 1 });
    expect(rest[0]).toEqual({
      stream: `session-${history.sessionId}`,
      revision: 0,
      eventId: first?.eventId,
      type: 'SessionCreated',
      schemaVersion: 1,
      occurredAt: expect.any(String),
      data: JSON.parse(first?.data ?? ''),
      metadata: JSON.parse(first?.metadata ?? ''),
    });
    expect(rest.at(-1)).toEqual({ end: true, events: history.events.length, sha256: expect.any(String) });
  });

  it('that is redacted has no content, and the leaves of the whole one', async () => {
    for (const { name, history } of sessionHistories.all()) {
      const log = await logOf(history.events);
      const redacted = await historyFile(log, history.sessionId, workflows, 'content');
      expect([name, /Broken cup|What should happen|Pay the money back|"amount"/.exec(redacted)?.[0]]).toEqual(
        [name, undefined],
      );
      const lines = redacted.trimEnd().split('\n').slice(1, -1);
      const leaves = lines.map((line) => hashedLeaf(JSON.parse(line) as HashedLeaf));
      const stored = await log.store.readAll({ limit: 10_000 });
      const own = stored.filter(({ stream }) => !stream.startsWith('redial_evaluation-'));
      const expected = own.map((event) =>
        leafHash({ ...event, stream: log.streams.withoutPrefix(event.stream) }),
      );
      expect(leaves.every((leaf) => expected.includes(leaf))).toBe(true);
    }
  });
});
