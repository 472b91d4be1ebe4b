import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, jest } from '@jest/globals';
import { plainWorkflow } from './testing/plain-workflow.js';
import { RuntimeSetting } from './testing/runtime-setting.js';

const RUNS = 10_000;
const AT_ONCE = 100;
const HOUR_MS = 3_600_000;
/** The events of a run until it is parked. */
const EVENTS_A_RUN = 2;
/** The page size with which the runtime follows the log. */
const PAGE = 64;

const waiting = plainWorkflow((events) =>
  events.some(({ type }) => type === 'SignalReceived')
    ? [{ do: 'end', result: 'done' }]
    : [{ do: 'await', id: 's', signal: 'go' }],
);

interface Parked {
  readonly bytes: number;
  /** Calls of the stores of events and leases that waking one run takes, without the pages of the log. */
  readonly callsToWake: number;
  /** Pages of the log that are read until the run has ended. */
  readonly pagesRead: number;
}

/** Parks this many runs, and wakes the first. */
async function parked(runs: number): Promise<Parked> {
  const setting = new RuntimeSetting([waiting], []);
  const runtime = setting.process({ sweepMs: HOUR_MS });
  await runtime.start();
  await setting.time.pass(0);
  const before = usedBytes();
  const timers = setting.time.timers;
  const runIds: string[] = [];
  while (runIds.length < runs) {
    const begun = Array.from({ length: Math.min(runs, AT_ONCE) }, () => setting.begin(runtime, 'plain'));
    runIds.push(...(await Promise.all(begun)));
    await setting.time.pass(0);
  }
  for (let turn = 0; turn < 1_000 && runtime.driven.length > 0; turn++) await setting.time.pass(0);
  expect([runtime.driven, setting.leases.held, setting.time.timers]).toEqual([[], [], timers]);
  const bytes = usedBytes() - before;

  const { memory, leases } = setting;
  const pages = jest.spyOn(memory, 'readAll');
  const spies = [
    jest.spyOn(memory, 'append'),
    jest.spyOn(memory, 'appendInOrder'),
    jest.spyOn(memory, 'readStream'),
    jest.spyOn(leases, 'acquire'),
  ];
  const [runId = ''] = runIds;
  const answer = { metadata: setting.metadata() };
  await setting.commands.signal(runId, { signal: 'go', payload: 1, by: 'ann' }, answer);
  const signalled = await memory.head();
  // The runtime follows the log one page in each turn, and may be far behind its own events.
  for (let turn = 0; turn < runs && (await memory.head()) === signalled; turn++) await setting.time.pass(0);
  await setting.time.pass(0);
  const callsToWake = spies.reduce((calls, { mock }) => calls + mock.calls.length, 0);
  const pagesRead = pages.mock.calls.length;
  expect(await setting.endOf('plain', runId)).toEqual({ status: 'completed', result: 'done' });
  await runtime.stop(0);
  return { bytes, callsToWake, pagesRead };
}

it('10,000 runs that wait for a person cost no timers, leases or drivers, and under 50 MB with their events; waking one takes the work that it takes among 10', async () => {
  const few = await parked(10);
  const many = await parked(RUNS);
  expect(many.bytes / 1e6).toBeLessThan(50);
  expect(many.callsToWake).toBe(few.callsToWake);
  expect(few.callsToWake).toBeGreaterThan(0);
  expect(many.pagesRead).toBeLessThanOrEqual(few.pagesRead + (EVENTS_A_RUN * RUNS) / PAGE);
});

function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
