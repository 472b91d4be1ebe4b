import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import { CommandLine } from './command-line.js';
import { door, refunds } from './machines.js';

const decision = text('{"transitionName":"escalate","toState":"review","reasoning":"odd"}', {
  usage: { prompt_tokens: 40, completion_tokens: 7 },
});

describe('history files of the command line', () => {
  let cli: CommandLine;
  let opened: string;
  let escalated: string;
  let file: string;

  beforeAll(async () => {
    cli = await CommandLine.open();
    cli.llm.enqueue(decision);
    [opened = '', escalated = ''] = await cli.sessions(door, refunds);
    file = join(cli.folder, 'escalated.jsonl');
    expect(await cli.run('history', 'export', escalated, '--to', file)).toMatchObject({
      exitCode: 0,
      err: '',
    });
  });

  afterAll(() => cli.close());

  it('redial history export writes a file that only its owner reads, and says how many events it has', async () => {
    const { lines } = await cli.run('history', 'export', escalated.slice(0, 8), '--to', cli.folder, '--json');
    const path = join(cli.folder, `session-${escalated}.jsonl`);
    const events = readFileSync(path, 'utf8').trimEnd().split('\n').length - 2;
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      { file: path, root: { kind: 'session', id: escalated }, events },
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('redial history export --all writes a file for each root, and no part is left', async () => {
    const to = join(cli.folder, 'all');
    const { exitCode, lines } = await cli.run('history', 'export', '--all', '--to', to);
    expect([exitCode, lines.length]).toEqual([0, 2]);
    expect(readdirSync(to).toSorted()).toEqual(
      [opened, escalated].map((id) => `session-${id}.jsonl`).toSorted(),
    );
  });

  it('redial inspect and replay show of a file what they show of its log, without one', async () => {
    for (const command of ['inspect', 'replay']) {
      const ofLog = await cli.run(command, escalated);
      const ofFile = await cli.runBare(command, file);
      expect([ofFile.exitCode, ofFile.err, ofFile.lines]).toEqual([0, '', ofLog.lines]);
    }
    const asJson = await cli.runBare('replay', file, '--json');
    expect(JSON.parse(asJson.out)).toEqual(JSON.parse((await cli.run('replay', escalated, '--json')).out));
  });

  it('redial events, calls and show answer of a file what they answer of its log, without one', async () => {
    const withoutPositions = (text: string) => text.replaceAll(/"position":"[^"]*"/g, '"position":""');
    for (const command of ['events', 'calls', 'proposals', 'webhook-calls']) {
      for (const options of [[], ['--json']]) {
        const ofLog = await cli.run(command, escalated, ...options);
        const ofFile = await cli.runBare(command, file, ...options);
        expect([ofFile.exitCode, ofFile.err]).toEqual([0, '']);
        expect(withoutPositions(ofFile.out)).toBe(withoutPositions(ofLog.out));
      }
    }
    const newest = await cli.runBare('show', file);
    expect(newest).toMatchObject({ exitCode: 0, lines: (await cli.run('show', 'last')).lines });
  });

  it('the file of a run that a session asked for has the session, of which the run used a part', async () => {
    const { out } = await cli.run('runs', 'list', '--workflow', 'solicitation', '--json');
    const [run] = (JSON.parse(out) as { items: { runId: string }[] }).items;
    const child = join(cli.folder, 'child.jsonl');
    await cli.run('history', 'export', run?.runId ?? '', '--to', child);
    const replayed = await cli.runBare('replay', child);
    expect([replayed.exitCode, replayed.out]).toEqual([0, expect.stringContaining('replay: identical')]);
    expect((await cli.runBare('regress', child)).out).toContain('1 history is the same');
  });

  it('a file has the key and the tags of its session, and without its content the key alone', async () => {
    const labels = { key: 'order 7', tags: { customer: '42' } };
    const { sessionId } = await cli.prepare((redial) =>
      redial.createSession({ machineName: 'door', ...labels }),
    );
    const [whole, redacted] = [join(cli.folder, 'keyed.jsonl'), join(cli.folder, 'keyed-redacted.jsonl')];
    await cli.run('history', 'export', sessionId, '--to', whole);
    await cli.run('history', 'export', sessionId, '--to', redacted, '--redact', 'content');
    const inspected = await cli.runBare('inspect', whole, '--json');
    expect(JSON.parse(inspected.lines[0] ?? '')).toMatchObject({ session: labels });
    expect(await cli.runBare('replay', whole)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(redacted, 'utf8')).toContain('"key":"order 7"');
    expect(readFileSync(redacted, 'utf8')).not.toContain('customer');
  });

  it('redial runs events refuses a file of a session: it holds no such run', async () => {
    expect(await cli.runBare('runs', 'show', file)).toMatchObject({
      exitCode: 4,
      err: expect.stringContaining(escalated),
    });
  });

  it('redial show of a file without calls says so', async () => {
    const silent = join(cli.folder, 'silent.jsonl');
    await cli.run('history', 'export', opened, '--to', silent);
    expect(await cli.runBare('show', silent)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('no model was called in it'),
    });
  });

  it('redial replay of a redacted file checks its structure, and inspect says that there is nothing to show', async () => {
    const redacted = join(cli.folder, 'redacted.jsonl');
    await cli.run('history', 'export', escalated, '--to', redacted, '--redact', 'content');
    expect(readFileSync(redacted, 'utf8')).not.toContain('What should happen');
    const { exitCode, out } = await cli.runBare('replay', redacted, '--json');
    expect([exitCode, JSON.parse(out)]).toEqual([
      0,
      expect.objectContaining({ sessionId: escalated, identical: true, eventsChecked: 0, erased: 2 }),
    ]);
    for (const command of ['inspect', 'calls'])
      expect(await cli.runBare(command, redacted)).toMatchObject({
        exitCode: 2,
        err: expect.stringContaining('its content was left out'),
      });
  });

  it('a broken file ends a command with exit code 2 and the line', async () => {
    const broken = join(cli.folder, 'broken.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(broken, [...lines.slice(0, 2), ...lines.slice(3)].join('\n'));
    for (const command of ['inspect', 'replay', 'events']) {
      expect(await cli.runBare(command, broken)).toMatchObject({
        exitCode: 2,
        out: '',
        err: expect.stringMatching(
          /^\[HistoryBroken\] the history file is broken at line \d+: revision 1 of/,
        ),
      });
    }
    expect(await cli.runBare('replay', join(cli.folder, 'none.jsonl'))).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('[NoHistory]'),
    });
  });

  it.each([
    ['drive', []],
    ['tick', []],
    ['decide', ['close', '--as', 'lead']],
    ['propose', ['--as', 'clerk']],
    ['arbitrate', []],
    ['close', []],
  ])('redial %s refuses a file with exit code 2 and the reason', async (command, args) => {
    const before = readFileSync(file);
    expect(await cli.run(command, file, ...args)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('a history file cannot be changed'),
    });
    expect(readFileSync(file)).toEqual(before);
  });

  it('redial history export refuses what it cannot do', async () => {
    const to = ['--to', join(cli.folder, 'x')];
    expect((await cli.run('history', 'export', ...to)).exitCode).toBe(2);
    expect((await cli.run('history', 'export', escalated, '--all', ...to)).exitCode).toBe(2);
    expect((await cli.run('history', 'export', '--all', '--to', file)).exitCode).toBe(2);
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect(await cli.run('history', 'export', unknown, ...to)).toMatchObject({
      exitCode: 4,
      err: expect.stringContaining('List them with redial sessions, redial runs list'),
    });
  });

  it('redial history export ends with 2 and the reason where the file cannot be written, and leaves no part', async () => {
    const folder = join(cli.folder, 'taken.jsonl');
    mkdirSync(folder);
    for (const [to, why] of [
      [join(file, 'in-a-file.jsonl'), 'EEXIST'],
      [folder, 'EISDIR'],
    ] as const)
      expect(await cli.run('history', 'export', escalated, '--to', to)).toMatchObject({
        exitCode: 2,
        err: `[InvalidInput] ${to}: it cannot be written (${why}). Name a file in a folder that you may write.\n`,
      });
    expect(readdirSync(cli.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
