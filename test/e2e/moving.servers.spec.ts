import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { type LlmScript, text, toolCall } from '#lib/activities/testing';
import { ProjectionRunner } from '#lib/read-models';
import { PostgresServer } from '#lib/read-models/testing';
import { CommandLine } from '../cli/command-line.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { door } from '../support/door.js';

const LONG_MS = 20_000;

/** More than one append may hold: it is stored apart from its event. */
const large = 'ä'.repeat(700_000);

describe('moving from two files to EventStoreDB', () => {
  let server: EventStoreDbStandIn;
  let cli: CommandLine;
  let kept: string;

  beforeEach(async () => {
    server = await EventStoreDbStandIn.start();
    cli = await CommandLine.open();
    kept = temporaryFolder();
  });
  afterEach(async () => {
    server.kill();
    await cli.close();
  });

  const before = () =>
    startEngine([toolCall('push', {}), text('no idea'), text('no')], { dataDir: cli.dataDir });
  const after = (script: LlmScript, more: object = {}) =>
    startEngine(script, {
      dataDir: cli.dataDir,
      eventStoreDbUrl: server.connectionString(),
      ...more,
    });

  /** A session that is done, and one that is open. */
  async function twoSessions({ redial }: TestEngine): Promise<readonly string[]> {
    await redial.defineMachine(door);
    const one = await redial.createSession({ machineName: 'door', metaJson: { large } });
    const { sessionId } = one;
    const { transitionName, toState } = await redial.submitProposal({ sessionId, specialistId: 'doorman' });
    await redial.executeTransition({ sessionId, transitionName, toState });
    const other = await redial.createSession({ machineName: 'door' });
    await redial
      .submitProposal({ sessionId: other.sessionId, specialistId: 'doorman' })
      .catch(() => undefined);
    return [sessionId, other.sessionId];
  }

  async function viewsOf({ redial, app }: TestEngine, sessionIds: readonly string[]) {
    await app.get(ProjectionRunner).caughtUpWithHead(LONG_MS);
    const views = [];
    for (const sessionId of sessionIds) {
      const { revision } = await redial.getSession({ sessionId });
      views.push([
        await redial.getSessionAt({ sessionId, revision: revision }),
        await redial.replaySession({ sessionId }),
      ]);
    }
    return views;
  }

  async function copied(): Promise<{ readonly copied: number; readonly blobs: number }> {
    const { exitCode, out, err } = await cli.run('log', 'copy', '--to', server.connectionString(), '--json');
    expect([exitCode, err]).toEqual([0, expect.not.stringContaining('[')]);
    return JSON.parse(out) as { copied: number; blobs: number };
  }

  /** As the manual says: the file of rows is deleted, with its companions. */
  async function putReadFileAway(): Promise<void> {
    for (const name of await readdir(cli.dataDir)) {
      if (name.startsWith('read.sqlite')) await rename(join(cli.dataDir, name), join(kept, name));
    }
  }

  it('keeps every session, replays it identically, and continues it', async () => {
    const embedded = await before();
    const sessions = await twoSessions(embedded);
    // While it runs; the rest once it has stopped.
    expect((await copied()).blobs).toBeGreaterThan(0);
    const late = await embedded.redial.createSession({ machineName: 'door' });
    const views = await viewsOf(embedded, [...sessions, late.sessionId]);
    await embedded.stop();
    expect((await copied()).copied).toBe(1);

    await expect(after([])).rejects.toThrow(/^\[CheckpointMismatch\] .*remove the read store/);
    await putReadFileAway();
    const moved = await after([toolCall('push', {})]);
    const { sessionId } = late;
    await moved.redial.submitProposal({ sessionId, specialistId: 'doorman' });
    expect(await viewsOf(moved, sessions)).toEqual(views.slice(0, 2));
    expect(JSON.stringify(views)).toContain('"identical":true');
    expect(JSON.stringify(views)).not.toContain('"identical":false');
    expect((await moved.redial.listProposals({ sessionId })).items).toHaveLength(1);
    await moved.stop();

    const again = await cli.run('log', 'copy', '--to', server.connectionString());
    expect([again.exitCode, again.err]).toEqual([
      2,
      expect.stringMatching(/\[CopyRefused\] .*: the source has no such event, .*was written to since/),
    ]);
  });

  it('moves the read side to PostgreSQL afterwards: the claim follows by hand', async () => {
    const postgres = await PostgresServer.start();
    const databaseUrl = await postgres.emptyPlace();
    const first = await after([]);
    await first.redial.defineMachine(door);
    await first.stop();
    await expect(after([], { databaseUrl })).rejects.toThrow(/^\[LogClaimedElsewhere\]/);
    process.env['EVENTSTOREDB_URL'] = server.connectionString();
    process.env['DATABASE_URL'] = databaseUrl;
    const { exitCode, out } = await cli.run('log', 'claim');
    delete process.env['EVENTSTOREDB_URL'];
    delete process.env['DATABASE_URL'];
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(/ in PostgreSQL at .*; before it was .*read\.sqlite on /),
    ]);
    const second = await after([toolCall('push', {})], { databaseUrl });
    const { sessionId } = await second.redial.createSession({ machineName: 'door' });
    await second.redial.submitProposal({ sessionId, specialistId: 'doorman' });
    await second.stop();
    await postgres.stop();
  });
});
