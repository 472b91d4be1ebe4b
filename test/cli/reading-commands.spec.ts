import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { text, toolCall } from '#lib/activities/testing';
import { models, sessionsTable } from '#lib/read-models';
import { Database } from '#lib/event-store-sqlite';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { settingsFor } from '../../apps/cli/src/engine/with-log.js';
import { withEngine } from '../../apps/cli/src/engine/with-engine.js';
import { changeData } from './change-data.js';
import { CommandLine, TextSink } from './command-line.js';
import { door, refunds } from './machines.js';

const decision = text('{"transitionName":"escalate","toState":"review","reasoning":"odd"}', {
  usage: { prompt_tokens: 40, completion_tokens: 7 },
});

describe('commands that look', () => {
  let cli: CommandLine;
  let opened: string;
  let escalated: string;

  beforeAll(async () => {
    cli = await CommandLine.open();
    cli.llm.enqueue(decision);
    [opened = '', escalated = ''] = await cli.sessions(door, refunds);
  });

  afterAll(() => cli.close());

  describe('redial inspect', () => {
    it('shows session, history, proposals, calls to models and every event', async () => {
      const { exitCode, lines, err } = await cli.run('inspect', escalated);
      expect([exitCode, err]).toEqual([0, '']);
      expect(lines[0]).toBe(`session ${escalated}`);
      expect(lines).toContain('  triage ── escalate ──▶ review  "odd"');
      expect(lines).toContainEqual(expect.stringMatching(/^ {2}clerk +escalate → review +won +"odd"$/));
      expect(lines).toContainEqual(
        expect.stringMatching(/^ {2}clerk +tools +gpt-4o-mini +200 +decision +40 +7 /),
      );
      expect(lines.slice(lines.indexOf('Timeline') + 1)).toEqual([
        expect.stringMatching(
          /^ {2}round 1 {2}triage ── escalate ──▶ review {2}decided by .+ \(\d+ events, 1 call to models\)$/,
        ),
        expect.stringMatching(/^ {2}round 2 {2}open \(1 event, 0 calls to models\)$/),
        expect.stringMatching(/HumanInputRequested +a person is needed/),
      ]);
    });

    it('X-U1: folds decided rounds but the newest, shows all with --all, and names the asked specialist in each line', async () => {
      const folded = (await cli.run('inspect', escalated)).lines;
      const whole = (await cli.run('inspect', escalated, '--all')).lines;
      expect(folded.join('\n')).not.toContain('LlmCallRequested');
      expect(whole).toContainEqual(expect.stringMatching(/ {2}LlmCallRequested +clerk: tool call: /));
      expect(whole).toContainEqual(expect.stringMatching(/ {2}LlmCallCompleted +clerk: 200 in /));
      const { events } = JSON.parse((await cli.run('inspect', escalated, '--json')).out) as {
        events: object[];
      };
      expect(whole.slice(whole.indexOf('Timeline') + 1)).toHaveLength(events.length + 2);
      const only = (await cli.run('inspect', opened)).lines;
      expect(only.slice(only.indexOf('Timeline') + 1).length).toBeGreaterThan(5);
    });

    it('lists events and runs within the 120 characters of a terminal', async () => {
      const { lines: events } = await cli.run('events', opened);
      const { lines: runs } = await cli.run('runs', 'list');
      expect(events[1]).toMatch(/^ {2}\S+Z +session +0 +SessionCreated +\{"sessionId":/);
      expect(runs[0]).toMatch(/^ {2}run +workflow +status +waits for +model calls +started at$/);
      expect(Math.max(...[...events, ...runs].map((line) => line.length))).toBeLessThanOrEqual(120);
    });

    it('prints one JSON document with --json', async () => {
      const { out } = await cli.run('inspect', escalated, '--json');
      expect(JSON.parse(out)).toMatchObject({
        session: {
          sessionId: escalated,
          currentState: 'review',
          status: 'needs_human',
          history: [{ toState: 'review' }],
        },
        proposals: [{ specialistId: 'clerk', status: 'won' }],
        llmCalls: [{ outcome: 'decision', responseStatus: 200 }],
        events: expect.arrayContaining([expect.objectContaining({ type: 'FallbackTaken' })]),
      });
    });

    it('ends with 4 for a session that is not there', async () => {
      for (const command of ['inspect', 'replay']) {
        const { exitCode, out, err } = await cli.run(command, 'nobody');
        expect([exitCode, out, err]).toEqual([4, '', expect.stringMatching(/^\[UnknownSession\] /)]);
      }
    });
  });

  describe('redial replay', () => {
    it('says that a session is identical, one or all of them', async () => {
      const { exitCode, lines } = await cli.run('replay', opened);
      expect([exitCode, lines]).toEqual([0, ['replay: identical (9 events, 0 calls)']]);
      expect((await cli.run('replay', '--all')).lines).toEqual([
        `replay: identical (9 events, 0 calls)  session ${opened}`,
        `replay: identical (11 events, 0 calls)  session ${escalated}`,
      ]);
      const reports = (await cli.run('replay', '--all', '--json')).lines.map(
        (line) => JSON.parse(line) as object,
      );
      expect(reports).toMatchObject([
        { sessionId: opened, identical: true, divergences: [] },
        { sessionId: escalated },
      ]);
    });

    it('takes one session or --all', async () => {
      for (const given of [[], ['x', '--all']]) {
        expect((await cli.run('replay', ...given)).exitCode).toBe(2);
      }
    });
  });

  describe('redial projections', () => {
    it('lists how far each is, for people and for programs', async () => {
      const { exitCode, lines } = await cli.run('projections', 'list');
      const { items } = JSON.parse((await cli.run('projections', 'list', '--json')).out) as {
        items: object[];
      };
      expect(items.length).toBeGreaterThanOrEqual(models.length);
      expect([exitCode, lines.length]).toEqual([0, items.length + 1]);
      expect(lines).toContainEqual(expect.stringMatching(/^ {2}sessions +\d+ +live +0$/));
      expect(items[0]).toMatchObject({ name: 'machines', status: 'live', lag: 0 });
    });

    it('ends with 4 for a name that there is not, and with 2 without one', async () => {
      const { exitCode, err } = await cli.run('projections', 'rebuild', 'nope');
      expect([exitCode, err]).toEqual([4, expect.stringMatching(/^\[UnknownProjection\] /)]);
      expect((await cli.run('projections', 'rebuild')).exitCode).toBe(2);
    });
  });
});

describe('commands that look at a folder that was changed, or has no log', () => {
  let cli: CommandLine;

  beforeEach(async () => {
    cli = await CommandLine.open();
  });

  afterEach(() => cli.close());

  it('redial replay names stream, revision, place and both values when a log was changed, and ends with 3', async () => {
    cli.llm.enqueue(toolCall('approve', { amount: 12 }));
    const [sessionId = ''] = await cli.sessions(refunds);
    changeData(settingsFor(cli.dataDir).logFile, 'TransitionExecuted', (data) =>
      data.replace('"amount":12', '"amount":9999'),
    );
    const { exitCode, lines, err } = await cli.run('replay', sessionId);
    const place = `redial_session-${sessionId} revision 4 /data/metaJson/amount`;
    expect(exitCode).toBe(3);
    expect(lines).toEqual([
      `diverges at ${place}: recorded 9999 replayed 12`,
      // A proposer that is asked in a later round is shown the history.
      expect.stringMatching(/^diverges at redial_solicitation-.* revision 0 \/data\/context\/sha256: /),
    ]);
    expect(err).toMatch(/^\[ReplayDiverges\] 1 of 1 replayed histories: /);
    const { out } = await cli.run('replay', sessionId, '--json');
    expect(JSON.parse(out)).toMatchObject({
      identical: false,
      divergences: [{ revision: 4, recorded: 9999 }, { pointer: '/data/context/sha256' }],
    });
  });

  it('redial projections fills one, or all of them, again from the log', async () => {
    const [sessionId = ''] = await cli.sessions(door);
    const read = new Database(settingsFor(cli.dataDir).readFile);
    read.exec(`DELETE FROM ${sessionsTable.name.replace(/(_v\d+)$/, '_a$1')}`);
    read.close();
    expect((await cli.run('inspect', sessionId)).exitCode).toBe(4);
    const { exitCode, lines } = await cli.run('projections', 'rebuild', 'sessions');
    expect([exitCode, lines.length]).toEqual([0, 2]);
    expect((await cli.run('inspect', sessionId)).exitCode).toBe(0);
    const folded = await cli.run('projections', 'rebuild', 'runs');
    expect(folded.lines[1]).toMatch(/^ *runs +\d+ +live +0$/);
    const listed = (await cli.run('projections', 'list')).lines;
    expect((await cli.run('projections', 'rebuild', '--all')).lines).toHaveLength(listed.length);
  });

  it('redial projections prepare fills the rows of this version from the log', async () => {
    const [sessionId = ''] = await cli.sessions(door);
    rmSync(settingsFor(cli.dataDir).readFile);
    const { exitCode, lines } = await cli.run('projections', 'prepare');
    expect([exitCode, lines.every((line, n) => n === 0 || / live +0$/.test(line))]).toEqual([0, true]);
    expect((await cli.run('inspect', sessionId)).exitCode).toBe(0);
  });

  it('redial projections says which event stops rows from being filled again, and ends with 1; those that are read stay', async () => {
    await cli.sessions(door);
    changeData(settingsFor(cli.dataDir).logFile, 'MachineDefined', (data) => data, 'OfANewerBuild');
    const rebuilt = await cli.run('projections', 'rebuild', 'machines');
    expect([rebuilt.exitCode, rebuilt.err]).toEqual([
      1,
      expect.stringMatching(/^\[ProjectionStopped\] .*revision 0/),
    ]);
    const { exitCode, lines } = await cli.run('projections', 'list');
    expect(exitCode).toBe(0);
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}machines +\d+ +rebuilding +0/));
  });

  it('ends with 5 when there is no log, and makes none', async () => {
    for (const argv of [
      ['inspect', 'x'],
      ['replay', '--all'],
      ['projections', 'list'],
      ['drive', 'x'],
      ['tick'],
      ['inbox'],
      ['decide', 'x', 'go', '--as', 'lead'],
      ['propose', 'x', '--as', 'lead'],
      ['arbitrate', 'x'],
      ['consensus', 'x'],
      ['metrics', 'm'],
      ['models'],
      ['gates', 'list'],
      ['gates', 'invoke', 'g'],
      ['specialists', 'list'],
      ['specialists', 'disable', 'lead'],
    ]) {
      const { exitCode, err } = await cli.run(...argv);
      expect([argv, exitCode, err]).toEqual([argv, 5, expect.stringMatching(/^\[NoLog\] /)]);
    }
    expect(existsSync(cli.dataDir)).toBe(false);
  });

  it('0.2-X3, 0.2-E8: ends with 5 for an empty file, and writes nothing', async () => {
    await cli.file('log.sqlite', '');
    const before = readdirSync(cli.folder);
    const reading = [
      ['log', 'check'],
      ['replay', '--all'],
      ['inbox'],
      ['projections', 'list'],
      ['log', 'copy', '--to', join(cli.folder, 'backup.sqlite')],
    ];
    for (const argv of reading) {
      const { exitCode, out, err } = await cli.runBare(...argv, '--data-dir', cli.folder);
      expect([argv, exitCode, out]).toEqual([argv, 5, '']);
      expect(err).toMatch(/\[NoLog\] there is no log in .*log\.sqlite: the file is empty/);
    }
    expect(readdirSync(cli.folder)).toEqual(before);
    expect(statSync(join(cli.folder, 'log.sqlite')).size).toBe(0);
  });

  it('ends with 5 for a file that is not a log', async () => {
    await cli.file('log.sqlite', 'no database at all, whatever its name says');
    const { exitCode, err } = await cli.runBare('replay', '--all', '--data-dir', cli.folder);
    expect([exitCode, err]).toEqual([5, expect.stringMatching(/^\[StoreUnavailable\] .*log\.sqlite/)]);
  });

  it('works while an engine runs on the same folder, and writes nothing to its log', async () => {
    await withEngine({ dataDir: cli.dataDir }, new TextSink(), async ({ redial, log }) => {
      await redial.defineMachine(refunds);
      const { sessionId } = await redial.createSession({ machineName: 'refunds' });
      const head = await log.store.head();
      for (const argv of [
        ['inspect', sessionId],
        ['replay', sessionId],
        ['projections', 'list'],
      ]) {
        expect((await cli.run(...argv)).exitCode).toBe(0);
      }
      expect(await log.store.head()).toBe(head);
    });
    expect(existsSync(join(cli.dataDir, 'log.sqlite'))).toBe(true);
  });

  it('a list that lacks what stands still in the rows says so, beside its lines and in its JSON', async () => {
    const event = { type: 'PersonRegistered', data: '[]', metadata: '{"schemaVersion":1}' };
    await withEngine({ dataDir: cli.dataDir }, new TextSink(), async ({ redial, log }) => {
      await redial.registerPerson({ personId: 'ann', role: 'reviewer' });
      const bob = log.streams.of('person', 'bob');
      await log.store.append(bob, 'no-stream', [{ eventId: randomUUID(), ...event }]);
    });
    const { exitCode, err } = await cli.run('people', 'list');
    expect([exitCode, err]).toEqual([0, expect.stringContaining('1 stream of this list could not be read')]);
    const { out } = await cli.run('people', 'list', '--json');
    expect(JSON.parse(out)).toEqual({
      items: [expect.objectContaining({ personId: 'ann' })],
      standsStill: 1,
    });
  });
});
