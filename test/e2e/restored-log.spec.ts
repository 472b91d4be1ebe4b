import { readdirSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProjectionRunner } from '#lib/read-models';
import { CommandLine } from '../cli/command-line.js';
import { expectHeld } from '../support/held-log.js';
import { ReactingEngine } from '../support/reacting.js';

describe('a log in a file whose read store is gone', () => {
  let cli: CommandLine;
  let engine: ReactingEngine;

  const start = async () => {
    engine = await ReactingEngine.start({ dataDir: cli.dataDir }, undefined, engine?.time);
    return engine;
  };
  beforeEach(async () => {
    cli = await CommandLine.open();
    await start();
  });
  afterEach(async () => {
    await engine.stop();
    await cli.close();
  });

  async function removeRows(): Promise<void> {
    for (const name of readdirSync(cli.dataDir))
      if (name.startsWith('read.sqlite')) await rm(join(cli.dataDir, name));
  }

  it('does nothing by itself until it is claimed, also after a restart and a command that reads, and loses no event', async () => {
    const id = await engine.order();
    await engine.step(id, 'pay');
    await engine.until(() => engine.received.length === 1);
    await engine.stop();
    await removeRows();
    expect((await cli.run('projections', 'list')).exitCode).toBe(0);
    const sealing = await cli.run('seal');
    expect([sealing.exitCode, sealing.err]).toEqual([1, expect.stringMatching(/^\[LogNotClaimed\] /m)]);
    await expectHeld(start, id);
    expect((await cli.run('log', 'claim')).exitCode).toBe(0);
    expect((await cli.run('log', 'claim')).exitCode).toBe(2);
    const claimed = await start();
    await claimed.until(() => claimed.of(id).includes('booked'));
  });

  it('can be claimed before its next start', async () => {
    const id = await engine.order();
    await engine.step(id, 'pay');
    await engine.until(() => engine.received.length === 1);
    await engine.stop();
    await removeRows();
    expect((await cli.run('log', 'claim')).exitCode).toBe(0);
    const claimed = await start();
    await claimed.step(id, 'book');
    await claimed.until(() => claimed.of(id).includes('booked'));
  });

  it('is claimed beside a process that waits, which goes on waiting: another one reacts', async () => {
    const id = await engine.order();
    await engine.step(id, 'pay');
    await engine.until(() => engine.received.length === 1);
    await engine.stop();
    await removeRows();
    const held = await start();
    await held.step(id, 'book');
    expect((await cli.run('log', 'claim')).exitCode).toBe(0);
    await held.time.pass(60_000);
    expect(held.received).toEqual([]);
    const claimed = await start();
    await claimed.until(() => claimed.of(id).includes('booked'));
    expect(held.received).toEqual([]);
    await held.stop();
  });

  it('is older than its rows: the start is refused, and a claim alone starts it without what the log has lost', async () => {
    const id = await engine.order();
    await engine.stop();
    const backup = join(cli.dataDir, 'backup');
    await copyFile(join(cli.dataDir, 'log.sqlite'), backup);
    await start();
    await engine.step(id, 'pay');
    await engine.until(() => engine.received.length === 1);
    await engine.stop();
    for (const suffix of ['-wal', '-shm'])
      await rm(join(cli.dataDir, `log.sqlite${suffix}`), { force: true });
    await copyFile(backup, join(cli.dataDir, 'log.sqlite'));
    await expect(start()).rejects.toThrow(/^\[CheckpointMismatch\] .*redial log claim.* empties/);
    expect((await cli.run('log', 'claim')).exitCode).toBe(0);
    expect((await cli.run('log', 'claim')).exitCode).toBe(2);
    const claimed = await start();
    await claimed.app.get(ProjectionRunner).caughtUpWithHead(20_000);
    expect(await claimed.redial.getSession({ sessionId: id })).toMatchObject({ currentState: 'new' });
    await claimed.step(id, 'pay');
    await claimed.step(id, 'book');
    await claimed.until(() => claimed.of(id).includes('booked'));
    expect(claimed.of(id)).toEqual(['paid', 'booked']);
  });
});
