import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandLine } from './command-line.js';

const greeter = {
  agentName: 'greeter',
  model: 'gpt-4o-mini',
  signals: [{ id: 'anger', phase: 'pre', behavior: 'cooldown' }],
  flows: [{ title: 'Greeting', steps: [{ prompt: 'Say hello', tools: ['wave'] }] }],
};

describe('redial agents', () => {
  let cli: CommandLine;
  beforeEach(async () => {
    cli = await CommandLine.open();
  });
  afterEach(() => cli.close());

  it('0.2-V14: validate needs no log, makes none, and says what it did not look for', async () => {
    const { exitCode, out, err } = await cli.run('agents', 'validate', await cli.file('a.json', greeter));
    expect([exitCode, out]).toEqual([
      0,
      'valid\nwarning: /signals/0/behavior: is cooldown without cooldownMs: it may fire in every turn\n',
    ]);
    expect(err).toContain('no event log here: functions and tools that it names are not looked for');
    const broken = await cli.run('agents', 'validate', await cli.file('b.json', { ...greeter, flows: 1 }));
    expect([broken.exitCode, broken.out]).toEqual([2, expect.stringContaining('/flows')]);
    expect(existsSync(cli.dataDir)).toBe(false);
  });

  it('validate looks for tools where there is a log, and define prints the warnings', async () => {
    const toolless = { ...greeter, flows: [{ title: 'Greeting', steps: [{ reply: 'Hello' }] }] };
    const defined = await cli.run('agents', 'define', await cli.file('a.json', toolless));
    expect([defined.exitCode, defined.out]).toEqual([
      0,
      expect.stringContaining('warning: /signals/0/behavior'),
    ]);
    const { exitCode, out } = await cli.run('agents', 'validate', await cli.file('b.json', greeter));
    expect([exitCode, out]).toEqual([2, expect.stringContaining('names no registered tool: wave')]);
  });
});
