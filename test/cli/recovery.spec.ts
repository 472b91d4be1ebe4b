import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startEngine } from '../support/engine.js';
import { obstacle, stumbling } from '../support/stumbling.workflow.js';
import { CommandLine } from './command-line.js';

let cli: CommandLine;
beforeEach(async () => {
  obstacle.isThere = true;
  cli = await CommandLine.open();
});
afterEach(() => cli.close());

it('0.2-O5: redial recovery list on a folder shows a run that no process drives and this one could not continue, and writes nothing', async () => {
  const engine = await startEngine([], { dataDir: cli.dataDir, workflows: [stumbling] });
  const { runId } = await engine.redial.startRun({ workflow: 'stumbling', input: {} });
  const head = await engine.log.store.head();
  await engine.stop();
  const listed = await cli.run('recovery', 'list');
  expect([listed.exitCode, listed.out]).toEqual([0, expect.stringContaining(runId)]);
  expect(listed.out).toContain('MissingRules');
  const { out } = await cli.run('recovery', 'list', '--json');
  expect(JSON.parse(out)).toMatchObject({ items: [{ needs: 'workflow stumbling, version 1' }] });
  const again = await startEngine([], { dataDir: cli.dataDir });
  expect(await again.log.store.head()).toBe(head);
  await again.stop();
});
