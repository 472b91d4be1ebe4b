import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { defineWorkflow, timer } from '#lib/workflow';
import { CommandLine } from '../cli/command-line.js';
import { ReactingEngine } from '../support/reacting.js';

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
