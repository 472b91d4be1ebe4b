import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { streamed, text, toolCall } from '#lib/activities/testing';
import { settingsFor } from '../../apps/cli/src/engine/with-log.js';
import { changeData } from './change-data.js';
import { CommandLine, TextSink } from './command-line.js';
import { refunds } from './machines.js';

/** A terminal that says when it shows that a model is waited for. */
class Terminal extends TextSink {
  readonly isTTY = true;
  private show = () => {};
  readonly thinking = new Promise<void>((resolve) => (this.show = resolve));

  override write(shown: string): void {
    super.write(shown);
    if (shown.includes('gpt-4o-mini is thinking')) this.show();
  }
}

describe('X-U1: calls to models on the command line', () => {
  let cli: CommandLine;
  beforeEach(async () => {
    cli = await CommandLine.open();
  });
  afterEach(() => cli.close());

  it('redial calls lists those of a session, redial show prints one whole', async () => {
    cli.llm.enqueue(toolCall('approve', { amount: 5 }, { content: 'It broke.' }));
    const [sessionId = ''] = await cli.sessions(refunds);
    const { lines } = await cli.run('calls', sessionId);
    const [, callId = ''] = /^ +clerk +tools .* ([0-9a-f]{8})$/.exec(lines[1] ?? '') ?? [];
    const { exitCode, lines: shown } = await cli.run('show', callId);
    expect(exitCode).toBe(0);
    expect(shown).toEqual(
      expect.arrayContaining([
        expect.stringMatching(`^call ${callId}`),
        'system',
        'user',
        'tools',
        expect.stringMatching(/^ {2}approve +amount: number +Pay the money back$/),
        'reply',
        '  It broke.',
        '    "amount": 5',
        'conclusion',
        '  A tool was called.',
      ]),
    );
    expect(JSON.parse((await cli.run('show', callId, '--json')).out)).toMatchObject({
      callId: expect.stringMatching(`^${callId}`),
      outcome: 'toolCall',
    });
  });

  it('redial show says of a choice that did not fit that the model was asked again, and not of the last one', async () => {
    cli.llm.enqueue(toolCall('approve', { amount: 'much' }), toolCall('approve', { amount: 5 }));
    const { triage, ...others } = refunds.states;
    const approve = { ...triage.transitions.approve, onInvalidArguments: 'reask' };
    const states = { ...others, triage: { ...triage, transitions: { ...triage.transitions, approve } } };
    const [sessionId = ''] = await cli.sessions({ ...refunds, states });
    const { items } = JSON.parse((await cli.run('calls', sessionId, '--json')).out) as {
      items: readonly { callId: string }[];
    };
    const conclusions = [];
    for (const { callId } of items) conclusions.push((await cli.run('show', callId)).lines.at(-1));
    expect(conclusions).toEqual([
      '  A tool was called; it did not fit, and the model was asked again.',
      '  A tool was called.',
    ]);
  });

  it('redial run shows on a terminal what a model writes while it writes, and only what is recorded afterwards', async () => {
    const [lead, , clerk] = refunds.specialists;
    const machine = { ...refunds, specialists: [lead, { ...clerk, modelParameters: { stream: true } }] };
    const terminal = new Terminal();
    const part = (delta: object) => ({ choices: [{ index: 0, delta }] });
    const call = { index: 0, id: 'a', function: { name: 'approve', arguments: '{"amount":5}' } };
    const chunks = [part({ content: 'It' }), part({ content: ' broke.' }), part({ tool_calls: [call] })];
    cli.llm.enqueue(streamed(chunks, { after: terminal.thinking }));
    const { exitCode } = await cli.runInto(terminal, 'run', await cli.file('streamed.json', machine));
    expect([exitCode, terminal.text.split('\n').at(-1)]).toEqual([0, '']);
    expect(terminal.text).toMatch(/gpt-4o-mini writes …It \d+ s/);
    expect(terminal.text).toMatch(/gpt-4o-mini writes …It broke\. \d+ s/);
    const kept = terminal.text
      .split('\n')
      .map((line) => line.split('\r\u001B[2K').at(-1))
      .join('\n');
    expect(kept).not.toContain('writes');
    expect(kept).toContain('ProposalSubmitted');
  });

  it('X-U4: take the first characters of an id, and `last`', async () => {
    cli.llm.enqueue(toolCall('escalate', {}));
    const [sessionId] = await cli.sessions(refunds);
    const { items } = JSON.parse((await cli.run('calls', 'last', '--json')).out) as {
      items: { callId: string; sessionId: string }[];
    };
    const [{ callId } = { callId: '' }] = items;
    expect(items[0]).toMatchObject({ sessionId });
    for (const named of [callId.slice(0, 8), 'last']) {
      expect(JSON.parse((await cli.run('show', named, '--json')).out)).toMatchObject({ callId });
    }
  });

  it('redial calls lists those of a run, a planner of no session among them', async () => {
    cli.llm.enqueue(text('Hello.'));
    const input = { systemPrompt: 's', userPrompt: 'u', model: 'gpt-4o-mini', tools: [] };
    const asked = ['runs', 'start', 'planner', '--input', JSON.stringify(input), '--wait-ms', '5000'];
    const { runId } = JSON.parse((await cli.run(...asked, '--json')).out) as { runId: string };
    const { lines } = await cli.run('calls', runId);
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^ +planner +round 1 +gpt-4o-mini +200 +noToolCall /),
    ]);
    expect((await cli.run('runs', 'calls', runId)).lines).toEqual(lines);
    const [, callId = ''] = /([0-9a-f]{8})$/.exec(lines[1] ?? '') ?? [];
    expect((await cli.run('show', callId)).lines[1]).toMatch(/^ {2}planner \S{36}, round 1, /);
    expect((await cli.run('runs', 'replay', runId)).out).toMatch(
      /^replay: identical \(\d+ events, 0 calls\)\n$/,
    );
    changeData(settingsFor(cli.dataDir).logFile, 'WorkflowEnded', (data) => data.replace('Hello', 'Bye'));
    expect(await cli.run('runs', 'replay', runId)).toMatchObject({
      exitCode: 3,
      out: expect.stringMatching(/^diverges at \S+ revision \d+ /),
      err: expect.stringMatching(/^\[ReplayDiverges\] /),
    });
  });

  it('end with 4 for what is not there', async () => {
    await cli.begun(refunds);
    expect(await cli.run('calls', 'nobody')).toMatchObject({ exitCode: 4, out: '' });
    expect(await cli.run('show', 'nothing')).toMatchObject({
      exitCode: 4,
      err: expect.stringMatching(/^\[UnknownCall\] /),
    });
  });
});
