import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withPatience } from '#lib/event-store';
import { verifyAll } from '#lib/replay';
import { door } from '../support/door.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { StandInCluster } from '../support/eventstoredb-stand-in/stand-in-cluster.js';
import { EmbeddedPlaces } from '../support/places/embedded-places.js';

const WORKERS = 6;
/** Of a request: the server's default. */
const PATIENCE_MS = 10_000;

describe('X-E4: commands under load while the cluster elects a leader', () => {
  const places = new EmbeddedPlaces();
  let cluster: StandInCluster;
  let engine: TestEngine;

  beforeAll(async () => {
    cluster = await StandInCluster.start({ indexLagMs: 5, replicationLagMs: 10 });
    const { dataDir } = await places.emptyPlace();
    engine = await startEngine([], { dataDir, eventStoreDbUrl: cluster.connectionString() });
    await engine.redial.defineMachine(door);
  });
  afterAll(async () => {
    await engine.stop();
    cluster.kill();
    await places.stop();
  });

  it.each([3_000, 8_000])('none fails in %i ms without one, and none waits a second longer', async (ms) => {
    const over = new AbortController();
    const waits: number[] = [];
    const timed = async <T>(command: () => Promise<T>): Promise<T> => {
      const began = performance.now();
      const answer = await withPatience(PATIENCE_MS, command);
      waits.push(performance.now() - began);
      return answer;
    };
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
    while (waits.length < WORKERS * 4) await engine.log.store.head();
    await cluster.elect(ms);
    const during = waits.length;
    while (waits.length < during + WORKERS * 4) await engine.log.store.head();
    over.abort();
    await working;
    const longest = Math.max(...waits);
    expect(longest).toBeGreaterThan(ms - 500);
    expect(longest).toBeLessThan(ms + 1_000);
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
