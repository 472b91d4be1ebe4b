import { describe, expect, it } from '@jest/globals';
import { randomIds } from '#lib/kernel';
import { changedStore } from '#lib/event-store/testing';
import { RunLoader } from './load-run.js';
import { RunStarter } from './start-run.js';
import { WorkflowRegistry } from './workflow-registry.js';
import { call, count, plainWorkflow } from './testing/plain-workflow.js';
import { echoActivity } from './testing/echo.activity.js';
import { LEASE_MS, RuntimeSetting, SWEEP_MS } from './testing/runtime-setting.js';
import { Ledger } from './testing/ledger.js';
import type { RunToWake } from './run-index.js';

const asked = plainWorkflow(
  (events) => (count(events, 'EchoCompleted') > 0 ? [{ do: 'end', result: 'done' }] : [call('a')]),
  'asked',
);
const nextVersion = { ...asked, versions: { 2: asked.versions[1] as (typeof asked.versions)[number] } };
const other = plainWorkflow(() => [{ do: 'await', id: 'a', signal: 'go' }], 'other');

/** Starts a run that no process drives. */
async function start(setting: RuntimeSetting, workflow: string): Promise<string> {
  const { workflows, activities } = setting;
  const parts = { log: setting.logOf(), workflows, activities };
  const starter = new RunStarter(
    { ...parts, facts: {}, problemsOf: () => [], ids: randomIds },
    new RunLoader(parts),
  );
  const runId = setting.nextRunId();
  await starter.start({ workflow, input: {}, runId, metadata: setting.metadata() });
  return runId;
}

async function leftRun() {
  const setting = new RuntimeSetting([asked, other], [echoActivity()]);
  const runId = await start(setting, 'asked');
  const stream = setting.logOf().streams.of('asked', runId);
  const processWith = (...workflows: readonly (typeof asked)[]) =>
    setting.process({ workflows: new WorkflowRegistry(workflows) });
  return { setting, runId, stream, processWith };
}

const parent = plainWorkflow(
  (events) =>
    count(events, 'ChildEnded') > 0
      ? [{ do: 'end', result: 'went on' }]
      : [{ do: 'child', id: 'c', workflow: 'asked', input: {} }],
  'parent',
);

/** A run whose child is no longer driven by any process. */
async function leftChild() {
  const setting = new RuntimeSetting([parent, asked], [echoActivity()]);
  const runId = await start(setting, 'parent');
  // Its child waits for a slot.
  const first = setting.process({ callLimit: () => 0 });
  await first.start();
  await setting.time.pass(SWEEP_MS);
  const stopped = first.stop(0);
  await setting.time.pass(SWEEP_MS);
  await stopped;
  return { setting, runId };
}

describe('0.2-O2: a run whose workflow or version no process has', () => {
  it.each([
    ['a workflow', [other], 'workflow asked, version 1'],
    ['a version', [nextVersion], 'workflow asked, version 1'],
  ])('is set aside after the time of a lease, with what the process lacks: %s', async (_, has, needs) => {
    const { setting, runId, stream, processWith } = await leftRun();
    const before = await setting.typesOf('asked', runId);
    const process = processWith(...has);
    await process.start();
    await setting.time.pass(LEASE_MS / 2);
    expect(process.setAside).toEqual([]);
    await setting.time.pass(LEASE_MS);
    expect(process.setAside).toMatchObject([{ name: stream, needs, attempts: expect.any(Number) }]);
    expect(process.setAside[0]?.failure).toMatch(
      /^\[MissingRules\] run .*: this process does not have workflow asked, version 1, and no other process continues it/,
    );
    expect(await setting.typesOf('asked', runId)).toEqual(before);
    await process.stop(0);
  });

  it('is set aside if it was started with helpers of scripts of a newer release', async () => {
    const { setting, runId, stream, processWith } = await leftRun();
    const log = setting.logOf();
    const [start] = await setting.history('asked', runId);
    const newer = setting.nextRunId();
    const event = { type: 'WorkflowStarted', data: { ...(start?.data as object), helpers: 2 } };
    const metadata = setting.metadata();
    await log.append(log.streams.of('asked', newer), 'no-stream', [
      { eventId: metadata.commandId, event, metadata },
    ]);
    const process = processWith(asked);
    await process.start();
    await setting.time.pass(2 * LEASE_MS);
    const needs = 'helpers of scripts, version 2';
    expect(process.setAside).toMatchObject([{ name: log.streams.of('asked', newer), needs }]);
    expect(await setting.typesOf('asked', newer)).toEqual(['WorkflowStarted']);
    expect(stream).not.toBe(process.setAside[0]?.name);
    await process.stop(0);
  });

  it('is not set aside while another process drives it, and no longer once one has taken it', async () => {
    const { setting, stream, processWith } = await leftRun();
    const lacking = processWith(other);
    const token = await setting.leases.acquire(stream, 'another process', 4 * LEASE_MS);
    await lacking.start();
    await setting.time.pass(3 * LEASE_MS);
    expect(lacking.setAside).toEqual([]);
    await setting.leases.release(stream, token ?? 0);
    await setting.time.pass(SWEEP_MS);
    expect(lacking.setAside).toHaveLength(1);
    await setting.leases.acquire(stream, 'another process', LEASE_MS);
    await setting.time.pass(SWEEP_MS);
    expect(lacking.setAside).toEqual([]);
    await lacking.stop(0);
  });

  it('counts the attempts of retries, and is gone once it was given up', async () => {
    const { setting, runId, stream, processWith } = await leftRun();
    const process = processWith(other);
    await process.start();
    await setting.time.pass(2 * LEASE_MS);
    const { attempts = 0 } = process.setAside[0] ?? {};
    await process.retry(stream);
    expect(process.setAside).toMatchObject([{ attempts: attempts + 1 }]);
    const answer = { eventId: setting.nextRunId(), metadata: setting.metadata() };
    await setting.commands.giveUp(stream, {}, answer);
    await process.retry(stream);
    await setting.time.pass(2 * SWEEP_MS);
    expect(process.setAside).toEqual([]);
    expect((await setting.typesOf('asked', runId)).at(-1)).toBe('WorkflowGivenUp');
    await process.stop(0);
  });

  it('ends for its parent, too, when it was given up', async () => {
    const { setting, runId } = await leftChild();
    const process = setting.process({ workflows: new WorkflowRegistry([parent]) });
    await process.start();
    await setting.time.pass(2 * LEASE_MS);
    const { name: stream = '' } = process.setAside[0] ?? {};
    expect(stream).toMatch(/asked-/);
    const answer = { eventId: setting.nextRunId(), metadata: setting.metadata() };
    await setting.commands.giveUp(stream, {}, answer);
    await process.retry(stream);
    await setting.time.pass(2 * SWEEP_MS);
    expect(await setting.endOf('parent', runId)).toMatchObject({ result: 'went on' });
    await process.stop(0);
  });

  it('fails those who wait for its parent, now and later', async () => {
    const { setting, runId } = await leftChild();
    const ledger = new Ledger(setting.logOf(), 'parent');
    const owned = await ledger.ask(runId);
    const process = setting.process({
      workflows: new WorkflowRegistry([parent]),
      owners: new Map([['parent', ledger]]),
    });
    await process.start();
    const early = process.finish(owned).catch(String);
    await setting.time.pass(2 * LEASE_MS);
    expect(await early).toMatch(/\[MissingRules\].* workflow asked, version 1/);
    await expect(process.finish(owned)).rejects.toThrow(/^\[MissingRules\].* workflow asked, version 1/);
    await process.stop(0);
  });

  it('fails those who wait for it: when it is set aside, and at once when they come later', async () => {
    const { setting, runId } = await leftRun();
    const ledger = new Ledger(setting.logOf(), 'asked');
    const owned = await ledger.ask(runId);
    const process = setting.process({
      workflows: new WorkflowRegistry([nextVersion]),
      owners: new Map([['asked', ledger]]),
    });
    await process.start();
    const early = process.finish(owned).catch(String);
    await setting.time.pass(2 * LEASE_MS);
    expect(await early).toMatch(/\[MissingRules\]/);
    await expect(process.finish(owned)).rejects.toThrow(/^\[MissingRules\]/);
    await process.stop(0);
  });

  it.each(['asked', 'parent'])(
    'fails those who wait for it, or for its parent, also where too many are listed for it to be: a waiter looks itself (%s)',
    async (waitedFor) => {
      const { setting, runId } = await (waitedFor === 'parent' ? leftChild() : leftRun());
      const ledger = new Ledger(setting.logOf(), waitedFor);
      const owned = await ledger.ask(runId);
      const toNone = () => Promise.resolve([]);
      const process = setting.process({
        workflows: new WorkflowRegistry([parent, nextVersion]),
        owners: new Map([[waitedFor, ledger]]),
        index: { toBegin: toNone, toWake: toNone },
      });
      await process.start();
      const told = process.finish(owned).catch(String);
      await setting.time.pass(2 * LEASE_MS);
      expect(await told).toMatch(/\[MissingRules\].* workflow asked, version 1/);
      await process.stop(0);
    },
  );

  it('is one of many: a sweep reads each page once, and a run that rests is not read again', async () => {
    const { setting, stream } = await leftRun();
    const rows: readonly RunToWake[] = Array.from({ length: 2_500 }, (_, n) => {
      const name = `${stream.slice(0, -5)}${String(n).padStart(5, '0')}`;
      return { place: name, stream: name, revision: 0, version: 1, updatedAt: 0, hasEnded: false };
    });
    let [pages, reads] = [0, 0];
    const [event] = await setting.memory.readStream(stream);
    const store = changedStore(setting.memory, {
      readStream: (name) => {
        reads++;
        return Promise.resolve(event ? [{ ...event, stream: name }] : []);
      },
    });
    const process = setting.process({
      store,
      workflows: new WorkflowRegistry([other]),
      index: {
        toBegin: () => Promise.resolve([]),
        toWake: (_before, after, limit) => {
          pages++;
          return Promise.resolve(rows.filter((row) => row.stream > after).slice(0, limit));
        },
      },
    });
    await process.start();
    await setting.time.pass(0);
    expect([process.setAside.length, pages, reads]).toEqual([2_500, 4, 2_500]);
    await setting.time.pass(SWEEP_MS - 1);
    expect(reads).toBe(2_500);
    await process.stop(0);
  });
});
