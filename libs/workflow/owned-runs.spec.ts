import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { type EventLog, StreamHistory, StreamNames } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import { OwnedRuns } from './owned-runs.js';
import type { RunOwner, Wanted } from './run-owner.js';
import type { Run } from './run.rules.js';
import type { StartedRun } from './start-run.js';
import { WaitsForPerson } from './waits-for-person.js';
import { KeptMap } from './kept-map.js';

const asked = { workflow: 'inquiry', runId: 'run', stream: 'redial_session-1' };
const EVENTS: readonly RecordedEvent[] = [];

interface Process {
  isDriven: boolean;
  wanted: Wanted;
  run?: Run;
  retry?(stream: string): void;
}

function runsOf(host: Process): OwnedRuns {
  const owner: RunOwner = {
    find: () => host.wanted,
    deliver: () => Promise.resolve(EVENTS),
    planDelivery: () => undefined,
  };
  const load = () => Promise.resolve(new StreamHistory());
  const log = { load, loadTo: load, readStream: () => Promise.resolve([]), streams: new StreamNames() };
  const owners = new Map([['inquiry', owner]]);
  const runtime = {
    isDriven: () => host.isDriven,
    startRun: () => Promise.resolve({ stream: 'redial_inquiry-run', position: undefined } as StartedRun),
    retry: (stream: string) => Promise.resolve(host.retry?.(stream)),
    run: () => Promise.resolve(host.run),
  };
  const unattended = { lookAt: () => Promise.resolve() };
  return new OwnedRuns(log as Pick<EventLog, keyof typeof log>, owners, runtime, unattended);
}

const metadata = { occurredAt: '', correlationId: '', causationId: '', commandId: '', actor: 'redial' };
const undelivered: Wanted = { request: { workflow: 'inquiry', runId: 'run', input: {}, metadata } };

it('a delivery of another process is found once this one has no driver of the run any more, though it was noticed before', async () => {
  const host: Process = { isDriven: true, wanted: undelivered };
  const runs = runsOf(host);
  const finished = runs.finish(asked);
  host.wanted = { delivered: EVENTS };
  runs.noticed(asked.stream, 1);
  host.isDriven = false;
  runs.rested(asked.runId);
  expect(await finished).toBe(EVENTS);
});

it('a delivery that a read did not show yet when its stream was noticed is found by the next sweep', async () => {
  const host: Process = { isDriven: false, wanted: undelivered };
  const runs = runsOf(host);
  const finished = runs.finish(asked);
  runs.noticed(asked.stream);
  await setImmediate();
  host.wanted = { delivered: EVENTS };
  runs.noticed();
  expect(await finished).toBe(EVENTS);
});

it('a wait that begins while the process stops is rejected for an open run, and answered for a delivered end', async () => {
  const host: Process = { isDriven: true, wanted: undelivered };
  const runs = runsOf(host);
  runs.close(({ runId }) => new Error(`${runId} was left`));
  await expect(runs.finish(asked)).rejects.toThrow('run was left');
  host.wanted = { delivered: EVENTS };
  expect(await runs.finish(asked)).toBe(EVENTS);
});

it('0.2-X2: a caller is not told of a person by a read from before it began to wait', async () => {
  const open: Run['steps']['open'] = KeptMap.empty();
  const run = { runId: 'run', start: { data: { workflow: 'inquiry' } }, steps: { open } } as Run;
  const host: Process = { isDriven: true, wanted: undelivered, run };
  const runs = runsOf(host);
  const finished = runs.finish(asked);
  await setImmediate();
  runs.failed(
    asked.runId,
    new WaitsForPerson('inquiry run', 'it waited for the signal approval', 'Answer it'),
  );
  await setImmediate();
  host.wanted = { delivered: EVENTS };
  host.isDriven = false;
  runs.rested(asked.runId);
  expect(await finished).toBe(EVENTS);
});

it('a caller that came after a failure was reported gets the reason once the run rests: what is open is tried once more', async () => {
  const open: Run['steps']['open'] = KeptMap.empty();
  const start = { stream: 'redial_inquiry-run', data: { workflow: 'inquiry' } };
  const host: Process = {
    isDriven: true,
    wanted: undelivered,
    run: { runId: 'run', start, steps: { open } } as Run,
  };
  const runs = runsOf(host);
  host.retry = (stream) => runs.failedIn(stream, new Error('no specialist answers'), host.run);
  const finished = runs.finish(asked);
  await setImmediate();
  host.isDriven = false;
  runs.rested(asked.runId);
  await expect(finished).rejects.toThrow('no specialist answers');
});
