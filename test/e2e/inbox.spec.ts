import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { approval } from '../support/approval.workflow.js';
import { untilEvent } from '../support/until-event.js';
import type { Workflow } from '#lib/workflow';
import { startEngine, type TestEngine } from '../support/engine.js';

const payout = {
  machineName: 'payout',
  initialState: 'asked',
  goalState: 'done',
  states: { asked: { transitions: { pay: { target: 'done', description: 'Pay' } } }, done: {} },
  specialists: [{ role: 'proposer', specialistId: 'boss', isHuman: true }],
};

/** Waits for the same signal, and is answered by the engine alone. */
const hidden: Workflow = { ...(approval as Workflow), name: 'hidden', internal: true };
const outer: Workflow = {
  name: 'outer',
  versions: {
    1: {
      input: {},
      initialState: () => null,
      evolve: (state) => state,
      next: () => [{ do: 'child', id: 'one', workflow: 'hidden', input: { item: 'chair' } }],
    },
  },
};

describe('the inbox of sessions and runs', () => {
  let engine: TestEngine;
  beforeEach(async () => {
    engine = await startEngine([], { workflows: [approval, hidden, outer] });
    await engine.redial.defineMachine(payout);
  });
  afterEach(() => engine.stop());

  const waitingSession = async (): Promise<string> => {
    const { sessionId } = await engine.redial.runSession({ machineName: 'payout' });
    return sessionId;
  };
  const waitingRun = async (): Promise<string> => {
    const start = { workflow: 'approval', input: { item: 'chair' }, waitMs: 10_000 };
    return (await engine.redial.startRun(start)).runId;
  };

  async function pages(limit: number): Promise<readonly (readonly string[])[]> {
    const found: string[][] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await engine.redial.getInbox({ limit, ...(cursor !== undefined && { cursor }) });
      found.push(page.items.map((item) => (item.kind === 'decision' ? item.sessionId : item.runId)));
      cursor = page.nextCursor;
    }
    return found;
  }

  it('has one order, oldest first, on any size of page', async () => {
    const [one, two] = [await waitingSession(), await waitingRun()];
    const [three, four] = [await waitingRun(), await waitingSession()];
    expect(await pages(1)).toEqual([[one], [two], [three], [four]]);
    expect(await pages(3)).toEqual([[one, two, three], [four]]);
    expect(await pages(4)).toEqual([[one, two, three, four]]);
  });

  it('has nothing of an internal workflow that no stream has asked for: nobody can answer it', async () => {
    await engine.redial.startRun({ workflow: 'outer', input: {} });
    await untilEvent(engine.log, (event) => event.type === 'SignalAwaited');
    const { items } = await engine.redial.listRuns({
      workflow: 'hidden',
      minPosition: await engine.log.store.head(),
    });
    expect(items).toMatchObject([{ status: 'waiting' }]);
    expect(await pages(4)).toEqual([[]]);
  });

  it('of one machine or one session has no runs', async () => {
    await waitingRun();
    const sessionId = await waitingSession();
    const expected = { items: [{ kind: 'decision', sessionId, people: ['boss'] }], nextCursor: null };
    expect(await engine.redial.getInbox({ machineName: 'payout' })).toMatchObject(expected);
    expect(await engine.redial.getInbox({ sessionId })).toMatchObject(expected);
  });

  it('has each proposal of a round that waits in a session and in its fork once in each', async () => {
    const { redial } = engine;
    const checked = { transitions: { pay: { target: 'done', needsPerson: true as const } } };
    const clerk = { role: 'proposer', specialistId: 'clerk', strategyFnName: 'firstAvailable' };
    const machine = { ...payout, states: { asked: checked, done: {} }, specialists: [clerk] };
    const { sessionId } = await redial.createSession({ machine });
    const { revision: atRevision } = await redial.runSession({ sessionId });
    await redial.forkSession({ sessionId, atRevision });
    const { items } = await redial.getInbox({});
    expect(items).toMatchObject([1, 2].map(() => ({ proposals: [{ transitionName: 'pay' }] })));
  });
});
