import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EngineSettings, openReadStore, takeLog } from '#lib/engine';
import { temporaryFolder } from '#lib/kernel/testing';
import { ProjectionRunner } from '#lib/read-models';
import { LogHold } from '#lib/seals/core';
import { PostgresServer } from '#lib/read-models/testing';
import { LogClaimedElsewhere } from '#lib/workflow';
import { CommandLine } from '../cli/command-line.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { RedialServer } from '../support/redial-server.js';
import { ReactingEngine } from '../support/reacting.js';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { door } from '../support/door.js';

describe('engines on one log in EventStoreDB', () => {
  let server: EventStoreDbStandIn;
  let postgres: PostgresServer;
  let folder: string;
  let prefixes = 0;
  let streamPrefix: string;
  let engines: TestEngine[];

  beforeAll(async () => {
    server = await EventStoreDbStandIn.start();
    postgres = await PostgresServer.start();
  });
  afterAll(async () => {
    await postgres.stop();
    server.kill();
  });
  beforeEach(async () => {
    folder = temporaryFolder();
    streamPrefix = `log${(prefixes += 1)}_`;
    engines = [];
  });
  afterEach(async () => {
    for (const engine of engines) await engine.stop();
  });

  async function start(place: {
    readonly dataDir?: string;
    readonly databaseUrl?: string;
  }): Promise<TestEngine> {
    const eventStoreDbUrl = server.connectionString();
    const engine = await startEngine([], { eventStoreDbUrl, streamPrefix, ...place });
    engines.push(engine);
    return engine;
  }

  const inFolder = (name: string) => ({ dataDir: join(folder, name) });

  it('run together when they share a data folder', async () => {
    const one = await start(inFolder('a'));
    const other = await start(inFolder('a'));
    await one.redial.defineMachine(door);
    const { sessionId } = await other.redial.createSession({ machineName: 'door' });
    expect(await one.redial.getSessionAt({ sessionId, revision: 0 })).toMatchObject({ sessionId });
  });

  it('run together when they share a database, with any folders', async () => {
    const databaseUrl = await postgres.emptyPlace();
    const both = await Promise.all([
      start({ ...inFolder('a'), databaseUrl }),
      start({ ...inFolder('b'), databaseUrl }),
    ]);
    const claims = await both[0].log.readStream(`${streamPrefix}log-claims`);
    expect(claims).toMatchObject([
      { data: { leaseStore: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:\d+\/postgres$/) } },
    ]);
  });

  it('are refused with a folder of their own, and leave nothing behind', async () => {
    const one = await start(inFolder('a'));
    const head = await one.log.store.head();
    for (const place of [inFolder('b'), { ...inFolder('a'), databaseUrl: await postgres.emptyPlace() }]) {
      await expect(start(place)).rejects.toThrow(LogClaimedElsewhere);
      await expect(start(place)).rejects.toThrow(
        /^\[LogClaimedElsewhere\] .*a\/read\.sqlite on .*Set the same DATABASE_URL for all processes.*`redial log claim`/,
      );
    }
    expect(await one.log.store.head()).toBe(head);
  });

  it('let one of two win that start at the same moment', async () => {
    const starts = await Promise.allSettled([start(inFolder('a')), start(inFolder('b'))]);
    const lost = starts.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
    expect(lost).toEqual([expect.any(LogClaimedElsewhere)]);
    const [, winner = ''] =
      /engines with their leases in \S+\/(.)\/read\.sqlite /.exec(String(lost[0])) ?? [];
    await expect(start(inFolder(winner))).resolves.toBeDefined();
  });

  it('do not claim a log for a read store that was filled from another one', async () => {
    const embedded = await startEngine([], { ...inFolder('a'), streamPrefix });
    await embedded.redial.defineMachine(door);
    await embedded.app.get(ProjectionRunner).caughtUpWithHead(20_000);
    await embedded.stop();
    await expect(start(inFolder('a'))).rejects.toThrow(/^\[CheckpointMismatch\]/);
    await start(inFolder('b'));
  });

  it('do nothing by themselves any more once the log is claimed for another read store while they run', async () => {
    const place = { eventStoreDbUrl: server.connectionString(), streamPrefix };
    const one = await ReactingEngine.start({ ...place, ...inFolder('a') });
    const id = await one.order();
    await one.step(id, 'pay');
    await one.until(() => one.received.length === 1);
    const settings = new EngineSettings({ ...place, ...inFolder('b') });
    const store = await openReadStore(settings);
    expect(await takeLog(one.log, store, settings)).toMatchObject({
      before: expect.stringContaining('a/read.sqlite'),
    });
    await store.close();
    await one.until(() => one.app.get(LogHold).why === 'taken');
    await expect(one.redial.sealLog()).rejects.toThrow(/^\[LogNotClaimed\] .*another read store/);
    const other = await ReactingEngine.start({ ...place, ...inFolder('b') }, undefined, one.time);
    await one.step(id, 'book');
    await other.until(() => other.of(id).includes('booked'));
    expect(one.of(id)).toEqual(['paid']);
    await one.stop();
    await other.stop();
  });

  it('are not ready any more once the log is claimed for another read store', async () => {
    const place = { eventStoreDbUrl: server.connectionString(), streamPrefix };
    const one = await RedialServer.start({ place: { ...place, ...inFolder('a') } });
    expect((await one.get('/health/ready')).status).toBe(200);
    const settings = new EngineSettings({ ...place, ...inFolder('b') });
    const store = await openReadStore(settings);
    await takeLog(one.log, store, settings);
    await store.close();
    let ready = await one.get('/health/ready');
    while (ready.status === 200) ready = await one.get('/health/ready');
    const parts = [{ part: 'engine', why: 'its log is run on another read store' }];
    expect([ready.status, ready.body]).toEqual([503, expect.objectContaining({ parts })]);
    await one.stop();
  });

  it('continue with another read store after `redial log claim`, which read-only commands do not need', async () => {
    const first = await start(inFolder('lost'));
    await first.redial.defineMachine(door);
    const { sessionId } = await first.redial.createSession({ machineName: 'door' });
    await first.app.close();
    const cli = await CommandLine.open();
    process.env['EVENTSTOREDB_URL'] = server.connectionString();
    process.env['REDIAL_STREAM_PREFIX'] = streamPrefix;
    const head = await first.log.store.head().catch(() => undefined);
    expect(head).toBeUndefined();
    try {
      for (const argv of [
        ['inspect', sessionId],
        ['replay', '--all'],
        ['projections', 'list'],
      ]) {
        expect((await cli.run(...argv)).exitCode).toBe(0);
      }
      await expect(start({ dataDir: cli.dataDir })).rejects.toThrow(LogClaimedElsewhere);
      const { exitCode, err } = await cli.run('run', await cli.file('door.json', door));
      expect([exitCode, err]).toEqual([5, expect.stringContaining('[LogClaimedElsewhere]')]);

      const claim = await cli.run('log', 'claim');
      expect([claim.exitCode, claim.out]).toEqual([
        0,
        expect.stringMatching(
          /^claim: .* in .*data\/read\.sqlite on .*; before it was .*lost\/read\.sqlite on /,
        ),
      ]);
      expect((await cli.run('log', 'claim')).out).toContain(', as before');
      expect(JSON.parse((await cli.run('log', 'claim', '--json')).out)).toMatchObject({
        leaseStore: expect.stringContaining('data/read.sqlite'),
      });
      const again = await start({ dataDir: cli.dataDir });
      await again.app.get(ProjectionRunner).caughtUpWithHead(20_000);
      expect(await again.redial.getSession({ sessionId })).toMatchObject({ sessionId });
      await expect(start(inFolder('lost'))).rejects.toThrow(LogClaimedElsewhere);
    } finally {
      delete process.env['EVENTSTOREDB_URL'];
      await cli.close();
    }
  });
});

describe('engines on a log in a file', () => {
  it('claim nothing, and say so', async () => {
    const engine = await startEngine([]);
    expect(await engine.log.store.head()).toBeUndefined();
    await engine.stop();
    const cli = await CommandLine.open();
    await cli.begun(door);
    const { exitCode, err } = await cli.run('log', 'claim');
    expect([exitCode, err]).toEqual([
      2,
      expect.stringMatching(/^\[InvalidInput\] the log needs no claim: .*EVENTSTOREDB_URL/),
    ]);
    await cli.close();
  });
});
