import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { withPatience } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import type { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { StandInCluster } from '../support/eventstoredb-stand-in/stand-in-cluster.js';
import { anEvent, follow, someEvents } from './sample-events.js';

/** How long a frozen node may be silent. Shorter than by default, so that the tests are. */
const ATTEMPT_MS = 1_000;
/** Twice that and an election: a request has 10 s and attempts of 5 s. */
const PATIENCE_MS = 20_000;
const HOUR_MS = 3_600_000;

describe('0.2-E6 a cluster whose leader is frozen', () => {
  let cluster: StandInCluster;
  let store: EventStoreDbEventStore;
  beforeEach(async () => {
    cluster = await StandInCluster.start();
  });
  afterEach(async () => {
    await store.close();
    cluster.kill();
  });

  async function open(connectionString = cluster.connectionString()): Promise<void> {
    store = await EventStoreDbEventStore.open({
      connectionString,
      streamPrefix: 'redial_',
      attemptMs: ATTEMPT_MS,
      patienceMs: HOUR_MS,
    });
    await store.append('redial_s', 'no-stream', someEvents(1));
  }
  const patiently = <T>(work: () => Promise<T>) => withPatience(PATIENCE_MS, work);

  it('serves appends and reads again from the one that was elected, while the old one stays frozen', async () => {
    await open();
    const { electNext } = cluster.freezeLeader();
    const appending = patiently(() => store.append('redial_s', 0, [anEvent()]));
    const reading = patiently(() => store.readStream('redial_s'));
    await electNext();
    expect(await appending).toMatchObject({ revision: 1 });
    expect((await reading).length).toBeGreaterThan(0);
    expect(await patiently(() => store.readAll({ limit: 9 }))).toHaveLength(2);
    expect(cluster.nodes[0]?.misbehaviour.silent).toBe(true);
  });

  it('is not taken for the leader on the word of others, before they have elected', async () => {
    await open();
    const { electNext } = cluster.freezeLeader();
    // Asked again and again by who looks for the leader: it has noticed the silence.
    const asked = new Promise<void>((resolve) => {
      let times = 0;
      const { misbehaviour } = cluster.nodes[1] as EventStoreDbStandIn;
      misbehaviour.onCall = () => {
        times += 1;
        if (times === 3) resolve();
      };
    });
    const appending = patiently(() => store.append('redial_s', 0, [anEvent()]));
    await asked;
    await electNext();
    expect(await appending).toMatchObject({ revision: 1 });
  });

  it('gives those who follow its log what the next leader appends', async () => {
    await open();
    const following = follow(store, 3);
    const { electNext } = cluster.freezeLeader();
    await electNext();
    await patiently(() => store.append('redial_s', 0, someEvents(2)));
    expect((await following).map(({ revision }) => revision)).toEqual([0, 1, 2]);
  });

  it('is used again when it wakes and still leads', async () => {
    await open();
    const { thaw } = cluster.freezeLeader();
    const appending = patiently(() => store.append('redial_s', 0, [anEvent()]));
    await expect(withPatience(ATTEMPT_MS, () => store.readStream('redial_s'))).rejects.toThrow(/no answer/);
    thaw();
    expect(await appending).toMatchObject({ revision: 1 });
  });

  it('is found out in time by a client that knows one other node alone', async () => {
    await open(cluster.nodes[1]?.connectionString());
    const { electNext } = cluster.freezeLeader();
    const appending = patiently(() => store.append('redial_s', 0, [anEvent()]));
    await electNext();
    expect(await appending).toMatchObject({ revision: 1 });
  });

  it('does not hold up who opens the log through all nodes', async () => {
    const { electNext } = cluster.freezeLeader();
    await electNext();
    await open();
    expect(await store.readAll({ limit: 9 })).toHaveLength(1);
  });
});
