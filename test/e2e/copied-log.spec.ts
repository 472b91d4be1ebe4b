import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { setEnvironment } from '#lib/activities/testing';
import { eventCatalogue } from '#lib/engine';
import { EventLog, handleCommand, StreamNames } from '#lib/event-store';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { randomIds, systemClock } from '#lib/kernel';
import { ProjectionRunner, SubjectKeys } from '#lib/read-models';
import { Erasing, subjectDecider } from '#lib/subjects/core';
import { defineWorkflow, timer } from '#lib/workflow';
import { withEngine } from '../../apps/cli/src/engine/with-engine.js';
import { CommandLine, TextSink } from '../cli/command-line.js';
import { orders, ReactingEngine } from '../support/reacting.js';

const HOUR_MS = 3_600_000;

const nap = defineWorkflow('nap', {
  input: { type: 'object' },
  versions: {
    1: function* () {
      yield* timer('PT1H');
      return 'rested';
    },
  },
});

it('a copy of a log does nothing by itself until it is claimed; then timers and reactions go on', async () => {
  const cli = await CommandLine.open();
  const copied = join(cli.folder, 'copied');
  mkdirSync(copied);
  const start = (dataDir: string, time?: ReactingEngine['time']) =>
    ReactingEngine.start({ dataDir, workflows: [nap] }, undefined, time);
  const source = await start(cli.dataDir);
  const { runId } = await source.redial.startRun({ workflow: 'nap', input: {} });
  const session = await source.order();
  await source.stop();
  expect(await cli.run('log', 'copy', '--to', join(copied, 'log.sqlite'))).toMatchObject({ exitCode: 0 });

  const held = await start(copied, source.time);
  await held.step(session, 'pay');
  await held.time.pass(2 * HOUR_MS);
  await held.redial.getSession({ sessionId: session });
  expect([held.received, await held.redial.getRun({ runId })]).toMatchObject([[], { status: 'running' }]);
  await expect(held.redial.sealLog()).rejects.toThrow(/^\[LogNotClaimed\] the log was not sealed: /);
  await held.stop();

  expect(await cli.runBare('log', 'claim', '--data-dir', copied)).toMatchObject({ exitCode: 0 });
  expect(await cli.runBare('log', 'claim', '--data-dir', copied)).toMatchObject({ exitCode: 2 });
  const claimed = await start(copied, held.time);
  expect(await claimed.redial.sealLog()).toMatchObject({ index: 0 });
  await claimed.until(() => claimed.received.length > 0);
  expect(claimed.of(session)).toEqual(['paid']);
  await claimed.until(async () => (await claimed.redial.getRun({ runId })).status === 'completed', HOUR_MS);
  await claimed.stop();
  await cli.close();
});

it('an application with a reaction that its source does not have starts on a copy, which is copied to again', async () => {
  const cli = await CommandLine.open();
  const copied = join(cli.folder, 'copied');
  mkdirSync(copied);
  await cli.prepare((redial) => redial.defineMachine(orders));
  const copy = () => cli.run('log', 'copy', '--to', join(copied, 'log.sqlite'));
  expect(await copy()).toMatchObject({ exitCode: 0 });
  const standby = await ReactingEngine.start({ dataDir: copied });
  expect((await standby.redial.listReactions()).items).toEqual([]);
  await standby.stop();
  await cli.prepare((redial) => redial.createSession({ machineName: 'orders' }));
  expect(await copy()).toMatchObject({ exitCode: 0 });
  await cli.close();
});

it('a history about a subject has no key and is not recorded where the log waits for a claim, so that it is copied to again, and where queries only are answered', async () => {
  const cli = await CommandLine.open();
  const restore = setEnvironment({ REDIAL_MASTER_KEY: randomBytes(32).toString('base64') });
  const copied = join(cli.folder, 'copied');
  mkdirSync(copied);
  const copy = () => cli.run('log', 'copy', '--to', join(copied, 'log.sqlite'));
  const sessionId = await cli.prepare(async (redial) => {
    await redial.defineMachine(orders);
    return (await redial.createSession({ machineName: 'orders', subject: 'ann' })).sessionId;
  });
  /** Whether a history has the key, and how many are recorded then. */
  const given = (dataDir: string, readOnly = false) =>
    withEngine({ dataDir, readOnly }, new TextSink(), async ({ redial, log }) => {
      const lines: string[] = [];
      for await (const line of await redial.getSessionHistory({ sessionId })) lines.push(line);
      const recorded = await log.readStream(log.streams.of('subject', 'ann'));
      return [lines.join('').includes('"keys"'), recorded.length];
    });
  const exported = async (dataDir: string) => {
    const file = join(cli.folder, 'history.jsonl');
    const ended = await cli.runBare('history', 'export', sessionId, '--to', file, '--data-dir', dataDir);
    return [ended.exitCode, readFileSync(file, 'utf8').includes('"keys"'), ended.err];
  };
  expect(await copy()).toMatchObject({ exitCode: 0 });
  expect(await given(copied)).toEqual([false, 0]);
  expect(await exported(copied)).toEqual([0, false, expect.stringContaining('without their keys')]);
  expect(await copy()).toMatchObject({ exitCode: 0 });
  expect(await given(cli.dataDir, true)).toEqual([false, 0]);
  expect(await given(cli.dataDir)).toEqual([true, 1]);
  expect(await exported(cli.dataDir)).toEqual([0, true, '']);
  expect(await cli.run('subjects', 'erase', 'ann')).toMatchObject({ exitCode: 0 });
  expect(await copy()).toMatchObject({ exitCode: 0 });
  restore();
  await cli.close();
});

it('an erasure that the source has begun does not end in a copy before it is claimed, which appends nothing by itself: its keys and rows lose the content', async () => {
  const cli = await CommandLine.open();
  const masterKey = randomBytes(32).toString('base64');
  const restore = setEnvironment({ REDIAL_MASTER_KEY: masterKey });
  const copied = join(cli.folder, 'copied');
  mkdirSync(copied);
  const [sessionId] = await cli.prepare(async (redial) => {
    await redial.defineMachine(orders);
    const metaJson = { note: 'of the subject' };
    const about = (subject: string) => redial.createSession({ machineName: 'orders', subject, metaJson });
    return (await Promise.all(['ann', 'bob', 'cy'].map(about))).map((session) => session.sessionId);
  });
  await beginErasure(join(cli.dataDir, 'log.sqlite'), 'ann');
  expect(await cli.run('log', 'copy', '--to', join(copied, 'log.sqlite'))).toMatchObject({ exitCode: 0 });
  const session = ({ redial }: ReactingEngine) => redial.getSession({ sessionId: sessionId ?? '' });
  const status = async (engine: ReactingEngine) => (await session(engine)).status;

  const held = await ReactingEngine.start({ dataDir: copied, masterKey });
  await held.app.get(ProjectionRunner).caughtUpWithHead(20_000);
  await held.until(async () => (await session(held)).erased === true);
  // Erasures end one after the other, those that were left behind among them.
  for (const subject of ['bob', 'cy']) await held.redial.eraseSubject({ subject });
  expect(await status(held)).toBe('open');
  await held.stop();
  expect(await cli.runBare('log', 'claim', '--data-dir', copied)).toMatchObject({ exitCode: 0 });
  const claimed = await ReactingEngine.start({ dataDir: copied, masterKey });
  await claimed.until(async () => (await status(claimed)) === 'closed');
  await claimed.stop();
  restore();
  await cli.close();
});

it('on a copy the keys of erased subjects are looked at again once another erasure is copied, and by no look that finds the log as it was', async () => {
  const cli = await CommandLine.open();
  const masterKey = randomBytes(32).toString('base64');
  const copied = join(cli.folder, 'copied');
  mkdirSync(copied);
  const copy = () => cli.run('log', 'copy', '--to', join(copied, 'log.sqlite'));
  await cli.prepare((redial) => redial.defineMachine(orders));
  await beginErasure(join(cli.dataDir, 'log.sqlite'), 'ann');
  expect(await copy()).toMatchObject({ exitCode: 0 });

  const keys = jest.spyOn(SubjectKeys.prototype, 'havingKeys');
  const held = await ReactingEngine.start({ dataDir: copied, masterKey });
  const reads = jest.spyOn(held.app.get(EventLog).store, 'head');
  const looked = (subject: string) => keys.mock.calls.filter(([named]) => named.includes(subject)).length;
  /** Each look that is asked for reads the head at its end, unless it looks at nothing. */
  const look = async () => {
    const before = reads.mock.calls.length;
    await held.app.get(Erasing).ended('nobody');
    await held.until(() => reads.mock.calls.length > before);
  };
  await held.until(() => looked('ann') > 0);
  await look();
  const first = looked('ann');
  for (let n = 0; n < 5; n++) await look();
  expect(looked('ann')).toBe(first);
  await beginErasure(join(cli.dataDir, 'log.sqlite'), 'bob');
  expect(await copy()).toMatchObject({ exitCode: 0 });
  await held.until(async () => {
    await look();
    return looked('bob') > 0;
  });
  await held.stop();
  keys.mockRestore();
  await cli.close();
});

/** As a process leaves it that dies after the first event of an erasure. */
async function beginErasure(file: string, subject: string): Promise<void> {
  const log = new EventLog(await SqliteEventStore.open(file), eventCatalogue(), new StreamNames());
  const command = { type: 'EraseSubject', data: { subject, by: 'operator', streams: 1 } } as const;
  const occurredAt = systemClock.now().toISOString();
  const envelope = { commandId: randomIds.next(), correlationId: subject, actor: 'operator', occurredAt };
  await handleCommand(log, subjectDecider, log.streams.of('subject', subject), command, envelope);
  await log.store.close();
}
