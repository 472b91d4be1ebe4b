import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import type { Position } from '#lib/event-store';
import { door } from '../support/door.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';

const MANY = 5_000_000;
/** Events of others that the server looks through in a second: as `--like node`. */
const SCAN_SPEED = 200_000;
/** The events that the server scans in two seconds. Counted, because the time of a busy machine says nothing. */
const MOST_SCANNED = 2 * SCAN_SPEED;

/** One engine has worked before, between and after five million events of other applications, twice. */
describe('X-E2: an engine on a server with ten million foreign events', () => {
  const engines: TestEngine[] = [];
  let standIn: EventStoreDbStandIn;
  let sessionId: string;
  let written: Position | undefined;

  beforeAll(async () => {
    standIn = await EventStoreDbStandIn.start({ scanSpeed: SCAN_SPEED, indexLagMs: 2 });
    await standIn.addForeign(MANY);
  });
  afterAll(async () => {
    for (const engine of engines) await engine.stop();
    standIn.kill();
  });

  async function soon<T>(work: () => Promise<T>): Promise<T> {
    const before = standIn.foreignScanned;
    const result = await work();
    expect(standIn.foreignScanned - before).toBeLessThan(MOST_SCANNED);
    return result;
  }

  /** With read models of its own, which are empty. */
  async function start(claim: boolean): Promise<TestEngine> {
    const dataDir = temporaryFolder();
    const engine = await startEngine([], {
      dataDir,
      eventStoreDbUrl: standIn.connectionString(),
      readOnly: !claim,
    });
    engines.push(engine);
    return engine;
  }

  it('starts and answers within two seconds of scanning when all of them came before', async () => {
    const engine = await soon(() => start(true));
    await soon(async () => {
      await engine.redial.defineMachine(door);
      ({ sessionId } = await engine.redial.createSession({ machineName: 'door' }));
      expect(await engine.redial.getSession({ sessionId })).toMatchObject({ currentState: 'closed' });
    });
  });

  it('looks once through those that came between, and not again', async () => {
    const [engine] = engines as [TestEngine];
    await standIn.addForeign(MANY);
    const before = standIn.foreignScanned;
    await engine.log.store.head();
    expect(standIn.foreignScanned - before).toBeGreaterThan(0.9 * MANY);
    await engine.redial.executeTransition({ sessionId, transitionName: 'push', toState: 'open' });
    written = await soon(() => engine.log.store.head());
    await soon(() => follow(engine, undefined));
    await soon(() => follow(engine, written));
    await engine.stop();
    engines.pop();
  });

  it('starts again within two seconds of scanning, and fills empty read models through all of it', async () => {
    const engine = await soon(() => start(false));
    expect(await soon(() => engine.log.store.head())).toBe(written);
    const caughtUp = () =>
      engine.redial.getSession({ sessionId, ...(written === undefined ? {} : { minPosition: written }) });
    expect(await soon(caughtUp)).toMatchObject({ currentState: 'open' });
  });
});

/** Until the subscription has caught up. */
async function follow({ log }: TestEngine, after: Position | undefined): Promise<void> {
  for await (const batch of log.store.subscribe(after, new AbortController().signal)) {
    if (batch.length === 0) return;
  }
}
