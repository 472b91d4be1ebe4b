import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
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
    err: expect.stringContaining('it is not JSON'),
  });
  const unknown = JSON.stringify({ specialists: { nobody: { modelId: 'gpt-4o' } } });
  expect(await cli.run('fork', sessionId, '--at', '0', '--overrides', unknown)).toMatchObject({
    exitCode: expect.not.stringContaining('0'),
    err: expect.stringContaining('override of specialist nobody'),
  });
});

it('`redial fork` goes on from a history file in the folder that is named, once for each key', async () => {
  const [sessionId = ''] = await cli.begun(door);
  const file = join(cli.folder, 'session.jsonl');
  await cli.run('history', 'export', sessionId, '--to', file);
  const fork = async (...options: readonly string[]) =>
    cli.runBare('fork', file, '--at', '0', ...options, '--data-dir', join(cli.folder, 'other'), '--json');
  const { exitCode, out, err } = await fork('--key', 'one');
  expect([exitCode, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toMatchObject({ status: 'open', forkedFrom: { sessionId, revision: 0 } });
  expect((await fork('--key', 'one')).out).toBe(out);
  expect(await fork('--at', 'soon')).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('neither a revision nor the id of a turn'),
  });
});

it('`redial fork` looks for a run where no session has the id, and for a conversation where a turn is named', async () => {
  await cli.begun(door);
  const id = '00000000-0000-4000-8000-000000000001';
  const refused = async (at: string, ...options: readonly string[]) =>
    (await cli.run('fork', id, '--at', at, ...options)).err;
  const ofRuns = ['--overrides', '{"input":{}}'];
  expect(await refused('0', ...ofRuns)).toContain(`[UnknownRun] run ${id}`);
  expect((await cli.run('fork', 'last', '--at', '0', ...ofRuns)).err).toContain(
    '/overrides/input is unknown',
  );
  expect(await refused('0')).toContain(`[UnknownRun] run ${id}`);
  expect(await refused(id)).toContain(`[UnknownConversation] conversation ${id}`);
  expect(await refused('-1')).toContain(
    '[InvalidInput] --at -1: it is neither a revision nor the id of a turn',
  );
});

it('`redial fork` says of a conversation at a revision that it goes on after a turn, which `turns` names', async () => {
  cli.llm.enqueue(text('Hello'));
  const { conversationId, turnId } = await cli.prepare(async (redial) => {
    await redial.defineAgent({
      agentName: 'greeter',
      model: 'gpt-4o-mini',
      flows: [{ title: 'Greeting', steps: [{ reply: 'Hello' }] }],
    });
    const { conversationId: started } = await redial.startConversation({ agentName: 'greeter' });
    const turn = await redial.sendMessage({ conversationId: started, text: 'Hi' });
    return { conversationId: started, turnId: turn.turnId };
  });
  for (const options of [[], ['--overrides', '{"model":"gpt-4o"}']]) {
    const { exitCode, err } = await cli.run('fork', conversationId, '--at', '2', ...options);
    expect([exitCode, err]).toEqual([
      2,
      `[InvalidInput] --at 2: ${conversationId} is a conversation, which goes on after a turn. ` +
        `Give the id of a turn: redial conversations turns ${conversationId} lists them.\n`,
    ]);
  }
  const { lines } = await cli.run('conversations', 'turns', conversationId);
  expect(lines[1]).toMatch(new RegExp(`^ {2}${turnId}  Hi +Hello `));
  expect((await cli.run('fork', conversationId, '--at', turnId)).exitCode).toBe(0);
});

it('`redial fork` says of a session and of a run at a turn that they go on after a revision', async () => {
  const turn = '00000000-0000-4000-8000-000000000001';
  const [sessionId = ''] = await cli.begun(door);
  cli.llm.enqueue(text('Good morning.'));
  const input = { systemPrompt: 'You help.', userPrompt: 'Greet.', model: 'gpt-4o-mini', tools: [] };
  const { runId } = await cli.prepare((redial) =>
    redial.startRun({ workflow: 'planner', input, waitMs: 10_000 }),
  );
  for (const [kind, id, lists] of [
    ['session', sessionId, `inspect ${sessionId} --all`],
    ['run', runId, `runs events ${runId}`],
  ] as const) {
    const { exitCode, err } = await cli.run('fork', id, '--at', turn);
    expect([exitCode, err]).toEqual([
      2,
      `[InvalidInput] --at ${turn}: ${id} is a ${kind}, which goes on after a revision. ` +
        `Give a revision: redial ${lists} lists them.\n`,
    ]);
    expect((await cli.run(...lists.split(' '))).exitCode).toBe(0);
  }
});

it('prints a fork as `inspect` prints its head: with what it goes on from, and without its machine', async () => {
  const [sessionId = ''] = await cli.begun(door);
  const { lines } = await cli.run('fork', sessionId, '--at', '0', '--reason', 'What if?');
  expect(lines).toEqual([
    expect.stringMatching(/^session [0-9a-f-]{36}$/),
    expect.stringMatching(/^ {2}machine {2}door version 1/),
    '  state    closed (open)',
    `  fork     of session ${sessionId} revision 0, by operator: What if?`,
    expect.stringMatching(/^ {2}created {2}/),
    expect.stringMatching(/^ {2}updated {2}\S+ \(revision 1\)$/),
  ]);
  expect((await cli.run('inspect', 'last')).lines.slice(0, lines.length)).toEqual(lines);
  const file = join(cli.folder, 'session.jsonl');
  await cli.run('history', 'export', sessionId, '--to', file);
  const ofFile = await cli.run('fork', file, '--at', '0', '--reason', 'What if?');
  expect(ofFile.lines.slice(2, 4)).toEqual(lines.slice(2, 4));
  const closed = await cli.run('close', sessionId);
  expect(closed.lines.slice(0, 3)).toEqual([`session ${sessionId}`, lines[1], '  state    closed (closed)']);
});
