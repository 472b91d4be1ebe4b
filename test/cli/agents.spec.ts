import { existsSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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

describe('redial conversations direct', () => {
  let cli: CommandLine;
  let conversationId: string;
  beforeAll(async () => {
    cli = await CommandLine.open();
    const flows = [{ title: 'Greeting', steps: [{ reply: 'Hello' }] }];
    conversationId = await cli.prepare(async (redial) => {
      await redial.defineAgent({ agentName: 'greeter', model: 'gpt-4o-mini', flows });
      return (await redial.startConversation({ agentName: 'greeter' })).conversationId;
    });
  });
  afterAll(() => cli.close());

  it.each([
    ['--complete', 'true', { complete: true }],
    ['--reset', '{"clearData":true}', { reset: { clearData: true } }],
    ['--go-to', 'Greeting', { goTo: 'Greeting' }],
    ['--go-to', '{"flow":"Greeting","reason":"so"}', { goTo: { flow: 'Greeting', reason: 'so' } }],
    ['--abort', '{"reason":"over"}', { abort: { reason: 'over' } }],
  ])('takes %s %s in each form of the directive', async (option, value, directive) => {
    const { exitCode, err } = await cli.run('conversations', 'direct', conversationId, option, value);
    expect([exitCode, err]).toEqual([0, '']);
    const { out } = await cli.run('conversations', 'events', conversationId, '--json');
    const { items } = JSON.parse(out) as { items: { type: string; data: object }[] };
    expect(items.at(-1)).toMatchObject({ type: 'DirectiveDispatched', data: { directive } });
  });
});
