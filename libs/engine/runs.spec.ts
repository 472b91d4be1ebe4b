import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import { temporaryFolder } from '#lib/kernel/testing';
import { EventLog } from '#lib/event-store';
import { Database } from '#lib/event-store-sqlite';
import type { Json } from '#lib/kernel';
import type { Rules, Workflow } from '#lib/workflow';
import { RedialModule } from './module/redial.module.js';
import { Redial } from './redial.js';

interface Purchase {
  readonly input: Json;
  readonly price?: Json;
  readonly decision?: Json;
}

/** A quote by a function, an approval by a person within a day, an end. */
const rules: Rules<Purchase> = {
  input: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
  initialState: ({ data }) => ({ input: data.input }),
  evolve: (state, { type, data }) => {
    if (type === 'FunctionCallCompleted') return { ...state, price: (data as { result: Json }).result };
    if (type === 'SignalReceived') return { ...state, decision: (data as { payload: Json }).payload };
    return type === 'TimerFired' ? { ...state, decision: { approved: false } } : state;
  },
  next: ({ input, price, decision }) => {
    if (price === undefined) {
      return [{ do: 'call', id: 'quote#1', activity: 'function', input: { fnName: 'quote', input } }];
    }
    if (decision !== undefined) return [{ do: 'end', result: { price, decision } }];
    const schema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
    return [
      { do: 'await', id: 'approval', signal: 'approval', schema, prompt: { price }, timeoutMs: 86_400_000 },
    ];
  },
};
const purchase: Workflow<Purchase> = { name: 'purchase', versions: { 1: rules } };

/** Counts the events of a session. Its result leaves the count out: readers get it from the context. */
const count: Workflow<Json> = {
  name: 'count',
  versions: {
    1: {
      input: {},
      contextOf: ({ events }) => events.length,
      initialState: (_, context = null) => context,
      evolve: (state) => state,
      next: () => [{ do: 'end', result: {} }],
      wholeResult: (counted) => ({ counted }),
    },
  },
};
const counting: Workflow<{ readonly sessionId: string; readonly isDone: boolean }> = {
  name: 'counting',
  versions: {
    1: {
      input: {},
      initialState: ({ data }) => ({ ...(data.input as { sessionId: string }), isDone: false }),
      evolve: (state, { type }) => (type === 'ChildEnded' ? { ...state, isDone: true } : state),
      next: ({ sessionId, isDone }) => {
        const context = { stream: `session-${sessionId}`, revision: 0 };
        if (isDone) return [{ do: 'end', result: null }];
        return [{ do: 'child', id: 'one', workflow: 'count', input: {}, context }];
      },
    },
  },
};

describe('a workflow of an application', () => {
  let dataDir: string;
  let app: TestingModule;
  let redial: Redial;
  const open = async (workflows: readonly Workflow[] = [purchase, count, counting]) => {
    const options = { dataDir, workflows, functions: { quote: () => 99 } };
    app = await Test.createTestingModule({ imports: [RedialModule.forRoot(options)] }).compile();
    await app.init();
    redial = app.get(Redial);
  };
  beforeEach(async () => {
    dataDir = temporaryFolder();
    await open();
  });
  afterEach(async () => {
    await app.close();
  });
  const start = () => redial.startRun({ workflow: 'purchase', input: { item: 'chair' }, waitMs: 5_000 });

  it('calls, waits for a person, ends, and replays', async () => {
    const waiting = await start();
    expect(waiting).toMatchObject({
      status: 'waiting',
      awaiting: [{ awaitId: 'approval', signal: 'approval', prompt: { price: 99 } }],
    });
    const { runId } = waiting;
    await redial.signalRun({ runId, name: 'approval', payload: { approved: true } });
    const ended = await redial.getRun({ runId, waitMs: 5_000 });
    expect(ended).toMatchObject({ status: 'completed', result: { price: 99, decision: { approved: true } } });
    expect(await redial.replayRun({ runId })).toMatchObject({
      identical: true,
      eventsChecked: 3,
      eventsTaken: 3,
      open: 0,
    });
    const listed = await redial.listRuns({ workflow: 'purchase', status: 'completed' });
    expect(listed.items).toMatchObject([{ runId, workflow: 'purchase' }]);
  });

  it('continues in the next process', async () => {
    const { runId } = await start();
    await app.close();
    await open();
    await redial.signalRun({ runId, name: 'approval', payload: { approved: false } });
    expect(await redial.getRun({ runId, waitMs: 5_000 })).toMatchObject({ status: 'completed' });
  });

  it('is in the rows that a process without it fills', async () => {
    const { runId } = await start();
    await app.close();
    for (const file of ['read.sqlite', 'read.sqlite-wal', 'read.sqlite-shm'])
      rmSync(join(dataDir, file), { force: true });
    await open([]);
    const head = await app.get(EventLog).store.head();
    const asOf = head !== undefined && { minPosition: head };
    expect((await redial.listRuns({ ...asOf })).items).toMatchObject([{ runId, status: 'waiting' }]);
    await app.close();
    await open();
    expect((await redial.listRuns({ ...asOf })).items).toMatchObject([{ runId, status: 'waiting' }]);
    await redial.signalRun({ runId, name: 'approval', payload: { approved: true } });
    expect(await redial.getRun({ runId, waitMs: 5_000 })).toMatchObject({ status: 'completed' });
  });

  it('is listed without a due time where its row has one that no date holds', async () => {
    const { runId } = await start();
    const head = await app.get(EventLog).store.head();
    const asOf = head !== undefined && { minPosition: head };
    const before = await redial.listRuns({ ...asOf });
    expect(before.items[0]?.awaiting).toMatchObject([{ dueAt: expect.any(String) }]);
    const rows = new Database(join(dataDir, 'read.sqlite'));
    const awaits = rows.prepare("SELECT name FROM sqlite_master WHERE name GLOB 'run_awaits_a_v*'").pluck();
    const { changes } = rows
      .prepare(`UPDATE ${String(awaits.get())} SET due_at = ?`)
      .run(Number.MAX_SAFE_INTEGER + Date.now());
    rows.close();
    expect(changes).toBe(1);
    const { items } = await redial.listRuns({ ...asOf });
    expect(items).toMatchObject([{ runId, status: 'waiting', awaiting: [{ awaitId: 'approval' }] }]);
    expect(items[0]?.awaiting[0]).not.toHaveProperty('dueAt');
  });

  it('has its whole result from its context, too', async () => {
    const states = { closed: { transitions: { open: 'done' } }, done: {} };
    await redial.defineMachine({ machineName: 'door', initialState: 'closed', goalState: 'done', states });
    const { sessionId } = await redial.createSession({ machineName: 'door' });
    await redial.startRun({ workflow: 'counting', input: { sessionId }, waitMs: 5_000 });
    const { items } = await redial.listRuns({ workflow: 'count' });
    expect(await redial.getRun({ runId: items[0]?.runId ?? '' })).toMatchObject({ result: { counted: 1 } });
  });

  it('refuses input and signals that do not fit, and what nothing waits for', async () => {
    await expect(redial.startRun({ workflow: 'purchase', input: {} })).rejects.toThrow('[InvalidInput]');
    await expect(redial.startRun({ workflow: 'none', input: {} })).rejects.toThrow(
      'Name one of planner, code, purchase, count, counting',
    );
    const { runId } = await start();
    const signal = (name: string, payload: Json) => redial.signalRun({ runId, name, payload });
    await expect(signal('approval', { approved: 'perhaps' })).rejects.toThrow('[InvalidPayload]');
    await expect(signal('other', {})).rejects.toThrow('[NotAwaited]');
    expect(await redial.cancelRun({ runId, reason: 'not needed' })).toMatchObject({ runId });
    expect(await redial.getRun({ runId, waitMs: 5_000 })).toMatchObject({ status: 'cancelled' });
    await expect(redial.cancelRun({ runId })).rejects.toThrow('[NotRunning]');
  });
});
