import { expect, it } from '@jest/globals';
import type { RecordedEvent } from '#lib/kernel';
import { OwnedRuns } from './owned-runs.js';
import type { RunOwner, Wanted } from './run-owner.js';

const asked = { workflow: 'inquiry', runId: 'run', stream: 'redial_session-1' };
const EVENTS: readonly RecordedEvent[] = [];

it('a delivery of another process is found once this one has no driver of the run any more, though it was noticed before', async () => {
  let wanted: Wanted = { request: () => Promise.reject(new Error('It was started by the other process.')) };
  let isDriven = true;
  const owner: RunOwner = { lookUp: () => Promise.resolve(wanted), deliver: () => Promise.resolve(EVENTS) };
  const runs = new OwnedRuns(new Map([['inquiry', owner]]), {
    isDriven: () => isDriven,
    startRun: () => Promise.reject(new Error('It was started by the other process.')),
    retry: () => Promise.resolve(),
  });
  const finished = runs.finish(asked);
  wanted = { delivered: EVENTS };
  runs.noticed(asked.stream);
  isDriven = false;
  runs.rested(asked.runId);
  expect(await finished).toBe(EVENTS);
});
