import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { withEngine } from '../../apps/cli/src/engine/with-engine.js';
import { CommandLine, TextSink } from './command-line.js';
import { changeData } from './change-data.js';
import { door, refunds } from './machines.js';

const decision = text('{"transitionName":"escalate","toState":"review","reasoning":"odd"}');
const streamPrefix = 'redial_';

describe('redial log copy', () => {
  let server: EventStoreDbStandIn;
  let cli: CommandLine;
  let sessions: string[];

  beforeAll(async () => {
    server = await EventStoreDbStandIn.start();
  });
  afterAll(() => server.kill());
  beforeEach(async () => {
    cli = await CommandLine.open();
    sessions = [await cli.session(refunds, decision), await cli.session(door)];
  });
  afterEach(async () => {
    delete process.env['EVENTSTOREDB_URL'];
    await cli.close();
  });

  const file = (name = 'copy.sqlite') => join(cli.folder, name);
  const copy = (to: string, ...more: readonly string[]) => cli.run('log', 'copy', '--to', to, ...more);

  it('copies to a file, verifies it, and has nothing to do the second time', async () => {
    const first = await copy(file());
    expect([first.exitCode, first.lines]).toEqual([
      0,
      [
        expect.stringMatching(/^copy: (\d+) events copied to .*copy\.sqlite, 0 were there before$/),
        expect.stringMatching(/^verify: identical \(\d+ events in \d+ streams, 0 large bodies\)$/),
        expect.stringMatching(/^sha256: [0-9a-f]{64}$/),
      ],
    ]);
    expect(first.err).toMatch(
      /^copying the log .*data\/log\.sqlite, up to its end of now …\n.* empty read store/,
    );
    const second = await copy(file());
    expect(second.lines[0]).toMatch(/^copy: 0 events copied to .*, (\d+) were there before$/);
    expect(second.lines.slice(1)).toEqual(first.lines.slice(1));
    await cli.session(door);
    const { out } = await copy(file(), '--json');
    expect(JSON.parse(out)).toMatchObject({ identical: true, copied: 9, blobs: 0, sourceHasGrown: false });
  });

  it('takes along keys: the same key and body is the same session in the copy, and tags find it', async () => {
    const body = { machineName: door.machineName, key: 'case 7', tags: { customer: '42' } };
    const { sessionId } = await cli.prepare((redial) => redial.createSession(body));
    const folder = join(cli.folder, 'copied');
    mkdirSync(folder);
    expect(await copy(join(folder, 'log.sqlite'))).toMatchObject({ exitCode: 0 });
    const again = await withEngine({ dataDir: folder }, new TextSink(), ({ redial }) =>
      redial.createSession(body),
    );
    expect(again).toMatchObject({ sessionId, ...body });
    const { out } = await cli.runBare('sessions', '--tag', 'customer:42', '--data-dir', folder, '--json');
    expect(JSON.parse(out)).toMatchObject({ items: [{ sessionId, key: 'case 7' }] });
  });

  it('0.2-S9: takes the two logs from variables, so that no argument holds a password, and shows neither', async () => {
    const password = 'pass-canary-0123456789';
    const own = await EventStoreDbStandIn.start();
    process.env['REDIAL_COPY_TO'] = own.connectionString().replace('://', `://ann:${password}@`);
    process.env['REDIAL_COPY_FROM'] = join(cli.dataDir, 'log.sqlite');
    try {
      const { exitCode, out, err } = await cli.run('log', 'copy');
      expect([exitCode, `${out}${err}`]).toEqual([0, expect.stringMatching(/verify: identical/)]);
      expect(`${out}${err}`).not.toContain(password);
    } finally {
      delete process.env['REDIAL_COPY_TO'];
      delete process.env['REDIAL_COPY_FROM'];
      own.kill();
    }
  });

  it('copies to EventStoreDB and back, and each copy is the same log', async () => {
    // The server is shared with nobody: the prefix is the same on both sides.
    const url = server.connectionString();
    const there = await copy(url);
    expect([there.exitCode, there.err]).toEqual([0, expect.not.stringContaining('[')]);
    const back = await copy(file('back.sqlite'), '--from', url);
    expect([back.exitCode, back.lines.slice(1)]).toEqual([0, there.lines.slice(1)]);
    const { lines } = await copy(file('back.sqlite'), '--verify-only');
    expect(lines.slice(1)).toEqual(there.lines.slice(1));

    const sqlite = await SqliteEventStore.open(file('back.sqlite'));
    const esdb = await EventStoreDbEventStore.open({ connectionString: url, streamPrefix });
    const bare = (store: SqliteEventStore | EventStoreDbEventStore) =>
      store.readAll({ limit: 1000 }).then((log) => {
        // Each copy says of itself where it comes from.
        const copied = log.filter(({ type }) => type !== 'LogCopied');
        return copied.map(({ position: _, ...event }) => event);
      });
    expect(await bare(esdb)).toEqual(await bare(sqlite));
    const [mark] = await sqlite.readStream('redial_log-copies');
    expect(JSON.parse(mark?.data ?? '')).toEqual({ copyOf: esdb.logId, before: [expect.any(String)] });
    await sqlite.close();
    await esdb.close();

    process.env['EVENTSTOREDB_URL'] = url;
    const replay = await cli.run('replay', '--all');
    expect([replay.exitCode, replay.lines.length]).toEqual([0, sessions.length]);
  });

  it('finds an event that was changed in the target, ends with 3, and names it', async () => {
    await copy(file());
    changeData(file(), 'TransitionExecuted', (data) => data.replace('"odd"', '"fine"'));
    const difference = { stream: `redial_session-${sessions[0]}`, revision: 4, what: 'data' };
    const words = `[CopyDiffers] ${file()} is not a copy of the log: ${difference.stream} revision 4 has other data there, after `;
    for (const argv of [[], ['--verify-only']]) {
      const { exitCode, out, err } = await copy(file(), ...argv);
      expect([exitCode, out, err]).toEqual([3, '', expect.stringContaining(words)]);
    }
    const { exitCode, out } = await copy(file(), '--verify-only', '--json');
    expect([exitCode, JSON.parse(out)]).toEqual([
      3,
      expect.objectContaining({ identical: false, difference }),
    ]);
  });

  it('says with --verify-only how far a copy is that is not whole', async () => {
    await copy(file());
    await cli.session(door);
    const { exitCode, err } = await copy(file(), '--verify-only');
    expect([exitCode, err]).toEqual([
      3,
      expect.stringMatching(/is missing there.* without --verify-only to copy the rest/),
    ]);
  });

  it('refuses a target that holds another log, and the log itself, with 2', async () => {
    const other = await SqliteEventStore.open(file());
    const one = { eventId: 'e', type: 'MachineDefined', data: '{}', metadata: '{}' };
    await other.append('redial_machine-door', 'no-stream', [one]);
    await other.close();
    const refused = await copy(file());
    expect([refused.exitCode, refused.out]).toEqual([2, '']);
    expect(refused.err).toMatch(
      /\[CopyRefused\] cannot copy over redial_machine-door revision 0 of the target/,
    );
    const itself = await copy(join(cli.dataDir, 'log.sqlite'));
    expect([itself.exitCode, itself.err]).toEqual([2, expect.stringContaining('[CopyRefused]')]);
  });

  it('makes no files when it only looks, and says what is wrong with a place', async () => {
    symlinkSync('itself', file('itself'));
    const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
      [[file('itself')], 5, /\[StoreUnavailable\] /],
      [[file('none.sqlite'), '--verify-only'], 5, /\[NoLog\] there is no log .*none\.sqlite/],
      [[file(), '--from', file('none.sqlite')], 5, /\[NoLog\] /],
      [[cli.dataDir], 2, /\[InvalidInput\] .* it is a folder\. Name the file, like .*log\.sqlite/],
      [['postgres://me:canary@host/db'], 2, /\[InvalidInput\] no log can be at postgres:\/\/…/],
      [['esdb://me:canary@127.0.0.1:1?tls=false'], 5, /\[StoreUnavailable\] /],
    ];
    for (const [argv, code, words] of cases) {
      const { exitCode, out, err } = await copy(argv[0] ?? '', ...argv.slice(1));
      expect([exitCode, out, err]).toEqual([code, '', expect.stringMatching(words)]);
      expect(err).not.toContain('canary');
    }
    expect([file(), file('none.sqlite')].map((name) => existsSync(name))).toEqual([false, false]);
    expect((await cli.run('log', 'copy')).exitCode).toBe(2);
  });
});
