import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CommandLine } from './command-line.js';
import { door } from './machines.js';

let cli: CommandLine;
beforeEach(async () => {
  cli = await CommandLine.open();
});
afterEach(() => cli.close());

it('`redial fork` goes on from a revision under the overrides that it is given as JSON', async () => {
  const [sessionId = ''] = await cli.begun(door);
  const overrides = JSON.stringify({ metaJson: { case: 2 } });
  const options = ['--at', '0', '--overrides', overrides, '--effects', 'allow', '--reason', 'What if?'];
  const { exitCode, out, err } = await cli.run('fork', sessionId, ...options, '--json');
  expect([exitCode, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toMatchObject({
    metaJson: { case: 2 },
    forkedFrom: { sessionId, revision: 0, reason: 'What if?' },
  });
  expect(await cli.run('fork', sessionId, '--at', '0', '--overrides', '{')).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('It is not JSON'),
  });
  const unknown = JSON.stringify({ specialists: { nobody: { modelId: 'gpt-4o' } } });
  expect(await cli.run('fork', sessionId, '--at', '0', '--overrides', unknown)).toMatchObject({
    exitCode: expect.not.stringContaining('0'),
    err: expect.stringContaining('override of specialist nobody'),
  });
});
