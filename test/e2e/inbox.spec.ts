import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { approval } from '../support/approval.workflow.js';
import { startEngine, type TestEngine } from '../support/engine.js';

const payout = {
  machineName: 'payout',
  initialState: 'asked',
  goalState: 'done',
  states: { asked: { transitions: { pay: { target: 'done', description: 'Pay' } } }, done: {} },
  specialists: [{ role: 'proposer', specialistId: 'boss', isHuman: true }],
};

describe('the inbox of sessions and runs', () => {
  let engine: TestEngine;
  beforeEach(async () => {
    engine = await startEngine([], { workflows: [approval] });
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

  it('of one machine or one session has no runs', async () => {
    await waitingRun();
    const sessionId = await waitingSession();
    const expected = { items: [{ kind: 'decision', sessionId, people: ['boss'] }], nextCursor: null };
    expect(await engine.redial.getInbox({ machineName: 'payout' })).toMatchObject(expected);
    expect(await engine.redial.getInbox({ sessionId })).toMatchObject(expected);
  });
});
