import { describe, expect, it } from '@jest/globals';
import { type Rules, waitTaskId, type Workflow } from '#lib/workflow';
import { RuntimeSetting } from '#lib/workflow/testing';
import { clocksOfWait, runTask } from '../run-task.rules.js';
import { dueTimes } from './due-times.workflow.js';

const MINUTE = 60_000;
/** The events that the rules were told of, and the time-out of their await. */
interface Seen {
  readonly timeoutMs?: number;
  readonly types: readonly string[];
}
const rules: Rules<Seen> = {
  input: { type: 'object' },
  initialState: ({ data: { input } }) => ({ ...(input as { timeoutMs?: number }), types: [] }),
  evolve: (state, { type }) => ({ ...state, types: [...state.types, type] }),
  next: ({ timeoutMs, types }) => {
    const isOver = types.includes('SignalReceived') || types.includes('TimerFired');
    if (isOver) return [{ do: 'end', result: [...types] }];
    const times = timeoutMs === undefined ? {} : { timeoutMs };
    return [{ do: 'await', id: 'wait', signal: 'go', prompt: 'Go on?', ...times }];
  },
};
const ruled: Workflow<Seen> = { name: 'ruled', versions: { 1: rules } };

/** A run of rules that waits for people. */
async function waiting(input: { readonly timeoutMs?: number }) {
  const setting = new RuntimeSetting([ruled, dueTimes], []);
  const process = setting.process();
  await process.start();
  const runId = await setting.begin(process, 'ruled', input);
  await setting.time.pass(1_000);
  const owner = { taskId: waitTaskId(runId, 'wait'), kind: 'answer', runId, stepId: 'wait' } as const;
  const history = () => setting.history('ruled', runId);
  const clocks = async () => clocksOfWait(owner, await history());
  const clockId = async () => (await clocks()).at(-1)?.clockId ?? '';
  const answer = () => ({ metadata: setting.metadata() });
  return {
    clocks,
    request: async () => {
      const requested = await setting.commands.requestClock(runId, { stepId: 'wait', by: 'olga' }, answer());
      await setting.time.pass(1_000);
      return requested;
    },
    move: async (minutes: number) => {
      const expiresAt = new Date(setting.time.now().getTime() + minutes * MINUTE).toISOString();
      const stream = setting.logOf().streams.of('due_times', await clockId());
      return setting.commands.moveDue(stream, { expiresAt, by: 'olga' }, answer());
    },
    answer: () => {
      const given = { signal: 'go', payload: true, by: 'ann', person: { by: 'ann' } };
      return setting.commands.signal(runId, given, answer());
    },
    failClock: async () => setting.commands.cancel(await clockId(), undefined, answer()),
    clockEnd: async () => setting.endOf('due_times', await clockId()),
    pass: (minutes: number) => setting.time.pass(minutes * MINUTE),
    status: async () => runTask(owner, await history())?.status,
    end: () => setting.endOf('ruled', runId),
    stop: async () => {
      await setting.verify('ruled', runId);
      await process.stop(0);
    },
  };
}

describe('the wait of rules', () => {
  it('gets a clock when it is asked for, and without a time-out of its own the run fails by its expiry', async () => {
    const run = await waiting({});
    expect(await run.request()).toEqual({ position: expect.any(String) });
    expect(await run.request()).toEqual({ position: undefined });
    await run.move(3);
    await run.pass(2);
    expect(await run.status()).toBe('open');
    await run.pass(2);
    expect(await run.status()).toBe('expired');
    expect(await run.end()).toMatchObject({ status: 'failed', failure: { kind: 'expired' } });
    expect(await run.answer()).toMatchObject({ code: expect.stringMatching(/not-(awaited|running)/) });
    await run.stop();
  });

  it.each([
    ['when it would have', undefined, 5],
    ['at the instant to which it is moved', 9, 9],
  ])(
    'whose time-out a clock takes over expires %s: its rules are told of the time-out alone',
    async (...all) => {
      const [, movedTo, expires] = all;
      const run = await waiting({ timeoutMs: 5 * MINUTE });
      await run.request();
      if (movedTo) await run.move(movedTo);
      await run.pass(expires - 1);
      expect(await run.end()).toBeUndefined();
      await run.pass(2);
      expect(await run.status()).toBe('expired');
      expect(await run.end()).toEqual({ status: 'completed', result: ['SignalAwaited', 'TimerFired'] });
      await run.stop();
    },
  );

  it('that is answered ends its clock, of which its rules are not told', async () => {
    const run = await waiting({});
    await run.request();
    await run.answer();
    await run.pass(1);
    expect(await run.end()).toEqual({ status: 'completed', result: ['SignalAwaited', 'SignalReceived'] });
    expect(await run.clockEnd()).toMatchObject({ status: 'cancelled' });
    await run.stop();
  });

  it('whose clock has failed stays open until another one is asked for', async () => {
    const run = await waiting({});
    await run.request();
    await run.failClock();
    await run.pass(1);
    expect(await run.status()).toBe('open');
    await run.request();
    expect(await run.clocks()).toMatchObject([{ hasFailed: true }, { hasFailed: false }]);
    await run.move(1);
    await run.pass(2);
    expect(await run.end()).toMatchObject({ status: 'failed', failure: { kind: 'expired' } });
    await run.stop();
  });
});
