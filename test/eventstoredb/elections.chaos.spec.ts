import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { withPatience } from '#lib/event-store';
import { verifyAll } from '#lib/engine';
import { door } from '../support/door.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { StandInCluster } from '../support/eventstoredb-stand-in/stand-in-cluster.js';
import { Waits } from './waits.js';

const WORKERS = 6;
/** More than a request has, which is 10 s: a busy machine takes part of it. The waits that are measured end in less. */
const PATIENCE_MS = 60_000;

describe('X-E4: commands under load while the cluster elects a leader', () => {
  let cluster: StandInCluster;
  let engine: TestEngine;

  beforeAll(async () => {
    cluster = await StandInCluster.start({ indexLagMs: 5, replicationLagMs: 10 });
    const dataDir = temporaryFolder();
    engine = await startEngine([], { dataDir, eventStoreDbUrl: cluster.connectionString() });
    await engine.redial.defineMachine(door);
  });
  afterAll(async () => {
    await engine.stop();
    cluster.kill();
  });

  it.each([3_000, 8_000])('none fails in %i ms without one, and none waits a second longer', async (ms) => {
    const over = new AbortController();
    const waits = new Waits();
    const timed = <T>(command: () => Promise<T>) => waits.time(() => withPatience(PATIENCE_MS, command));
    const worker = async () => {
      while (!over.signal.aborted) {
        const { sessionId } = await timed(() => engine.redial.createSession({ machineName: 'door' }));
        const wish = { sessionId, transitionName: 'push', toState: 'open' };
        expect(await timed(() => engine.redial.executeTransition(wish))).toMatchObject({
          currentState: 'open',
        });
      }
    };
    const working = Promise.all(Array.from({ length: WORKERS }, worker));
    while (waits.count < WORKERS * 4) await engine.log.store.head();
    await cluster.elect(ms);
    const during = waits.count;
    while (waits.count < during + WORKERS * 4) await engine.log.store.head();
    over.abort();
    await working;
    waits.stop();
    expect(waits.longestMs).toBeGreaterThan(ms - 500);
    expect(waits.longestOnTimeMs).toBeLessThan(ms + 1_000);
  });

  it('all sessions replay identically afterwards', async () => {
    let sessions = 0;
    for await (const report of verifyAll(engine.log)) {
      expect(report).toMatchObject({ identical: true });
      sessions += 1;
    }
    expect(sessions).toBeGreaterThan(WORKERS * 4);
  });
});
