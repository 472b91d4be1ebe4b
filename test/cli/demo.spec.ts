import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { inspectMachine } from '#lib/decisions/machines';
import { settingsFor } from '../../apps/cli/src/engine/with-log.js';
import { readJsonFile } from '../../apps/cli/src/input/read-json.js';
import { refuseArguments } from '../../apps/demo/src/arguments.js';
import { emptyFolder } from '../../apps/demo/src/empty-folder.js';
import { runDemo } from '../../apps/demo/src/run-demo.js';
import { snippetsOf } from '../docs/snippets.js';
import { CommandLine, TextSink } from './command-line.js';

describe('the demo', () => {
  let cli: CommandLine;

  beforeEach(async () => {
    cli = await CommandLine.open();
  });

  afterEach(() => cli.close());

  async function demo(): Promise<readonly string[]> {
    const out = new TextSink();
    const err = new TextSink();
    await runDemo({ out, err }, cli.dataDir);
    expect(err.text).toBe('');
    return out.lines;
  }

  it('says that its models are scripted, and when a task is due, has a call of a tool approved, asks three models on three providers, talks with an agent, does what the README shows, replays eight sessions and the conversation identically, and finds the change in the copy', async () => {
    delete process.env['OPENAI_API_KEY'];
    const lines = await demo();
    expect(lines).toContainEqual(expect.stringMatching(/^Models: scripted, .* on loopback/));
    const identical = lines.filter((line) =>
      /^replay: identical \(\d+ events, 0 calls\)(, 1 not finished yet)? {2}(session|conversation) \S+$/.test(
        line,
      ),
    );
    expect(identical).toHaveLength(9 + 8);
    // The clock of the task that is due.
    expect(identical.filter((line) => line.includes('not finished'))).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith('diverges'))).toEqual([
      expect.stringMatching(
        /^diverges at redial_session-\S+ revision 2 \/data\/metaJson\/amount: recorded 2500 replayed 25 {2}session \S+$/,
      ),
      expect.stringMatching(/^diverges at redial_solicitation-\S+ revision 0 \/data\/context\/sha256: /),
    ]);
    expect(lines).toContainEqual(
      expect.stringMatching(/^ {2}gpt-4o-mini +12 +3 +75 % +0\.67 +2 +0 +1 +4040 +228 /),
    );
    expect(lines).toContainEqual(
      expect.stringContaining('FallbackTaken          refund-clerk: decision → text'),
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/SignalReceived +order-clerk: approved by refund-lead/),
    );
    expect(lines).toContainEqual(expect.stringContaining('tool find_order is called with {"order":1042}'));
    expect(lines).toContainEqual(expect.stringContaining('refund-clerk gave no proposal (http-error)'));
    expect(lines).toContainEqual(
      expect.stringContaining('west/qwen-3 → south/mistral-small: http-error 503'),
    );
    expect(lines).toContainEqual(expect.stringContaining('asked ── repair ──▶ closed'));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}south\/mistral-small +2 +0 +100 %/));
    expect(lines).toContainEqual(expect.stringContaining('complaint ── settle ──▶ closed'));
    const due = lines.find((line) => line.includes('→ waits in review: that is for a person to decide now'));
    const [, dueAt = ''] = /, due (\S+Z)$/.exec(due ?? '') ?? [];
    expect((Date.parse(dueAt) - Date.now()) / 3_600_000).toBeCloseTo(4, 0);
    expect(lines).toContainEqual(
      expect.stringContaining('→ waits in triage: that is for a person to decide now'),
    );
    expect(lines.slice(lines.indexOf('9. A conversation') + 2, -1)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^ {2}waits for approval of .*"toolId":"book_visit"/),
        expect.stringMatching(/^ {2}booking\/book · name="Ina Weber" · day="2026-03-02" · /),
        '< Your visit on the 2nd of March is booked.',
        '  emergency/call · signal emergency · completed',
        '< Please call 112 now, Ina Weber.',
      ]),
    );
    expect(lines.map(withoutTimes).join('\n')).toContain(withoutTimes(shownInReadme()));
    expect(cli.llm.requests).toEqual([]);
    expect(existsSync(settingsFor(cli.dataDir).logFile)).toBe(true);
    expect((await cli.run('replay', '--all')).lines).toHaveLength(9);
  });

  it('leaves a folder alone that another process has open, and takes no arguments', async () => {
    const { logFile } = settingsFor(cli.dataDir);
    await cli.run('tick');
    const open = await SqliteEventStore.open(logFile);
    const refused = runDemo({ out: new TextSink(), err: new TextSink() }, cli.dataDir);
    await expect(refused).rejects.toThrow(/^\[FolderInUse\] .*: another process has its log open/);
    await open.close();
    expect(existsSync(logFile)).toBe(true);
    await emptyFolder(cli.dataDir);
    expect(existsSync(logFile)).toBe(false);
    expect(() => refuseArguments(['--help'])).toThrow(
      '[InvalidInput] demo --help: the demo takes no arguments',
    );
    expect(() => refuseArguments([])).not.toThrow();
  });

  it('starts with an empty log, and accepts any choice of live models', async () => {
    const choices = ['approve', 'ask_customer', 'nonsense', 'approve', 'ask_customer'];
    cli.llm.enqueue(...choices.map((name) => toolCall(name, { amount: 250, reason: 'x', question: 'y' })));
    cli.llm.enqueue(
      toolCall('approve', { amount: 7, reason: 'x' }),
      toolCall('approve', { amount: 7, reason: 'x' }),
      toolCall('settle', { paidBack: 0, letter: 'x' }),
    );
    const lines = await demo();
    expect(lines).toContainEqual(expect.stringMatching(/^Models: live, /));
    expect(lines.filter((line) => line.startsWith('diverges'))).toHaveLength(2);
  });
});

/** The part of the demo's output that the README shows. */
function shownInReadme(): string {
  return (
    snippetsOf('README.md')
      .find(({ language }) => language === 'text')
      ?.text.trimEnd() ?? 'nothing'
  );
}

/** Times differ from run to run. */
function withoutTimes(text: string): string {
  return text.replaceAll(/^ *\d+\.\d{3} s|\d+ ms/gm, '…');
}

describe.each(['refunds.json', 'orders.json', 'panel.json'])('examples/%s', (file) => {
  it('is a valid machine without warnings', async () => {
    expect(inspectMachine(await readJsonFile(`examples/${file}`))).toEqual({
      valid: true,
      errors: [],
      warnings: [],
    });
  });
});
