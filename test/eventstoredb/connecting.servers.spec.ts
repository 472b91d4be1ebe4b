import { afterEach, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { temporaryFolder } from '#lib/kernel/testing';
import { StoreUnavailable, withPatience } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { CERTIFICATE } from '../support/eventstoredb-stand-in/certificate.js';
import {
  EventStoreDbStandIn,
  type StandInOptions,
} from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { StandInCluster } from '../support/eventstoredb-stand-in/stand-in-cluster.js';
import { anEvent, failureOf, follow, someEvents } from './sample-events.js';

const PASSWORD = 'canary-0123456789';
/** Of what is to fail. */
const SHORT_MS = 1_500;
/** An address without a listener. */
const NOBODY = '127.0.0.1:1';
const USERS = { admin: PASSWORD };

describe('connecting to EventStoreDB', () => {
  const running: EventStoreDbStandIn[] = [];
  afterEach(() => {
    for (const standIn of running.splice(0)) standIn.kill();
  });

  async function start(options: StandInOptions = {}): Promise<EventStoreDbStandIn> {
    const standIn = await EventStoreDbStandIn.start(options);
    running.push(standIn);
    return standIn;
  }

  async function open(connectionString: string): Promise<EventStoreDbEventStore> {
    return EventStoreDbEventStore.open({ connectionString, streamPrefix: 'redial_' });
  }

  const shortly = <T>(work: () => Promise<T>) => withPatience(SHORT_MS, work);

  /** Why it cannot be opened, with everything an error shows somewhere. */
  async function failure(connectionString: string): Promise<string> {
    const error = await failureOf(() => shortly(() => open(connectionString)));
    expect(error).toBeInstanceOf(StoreUnavailable);
    const { message, stack, cause } = error as StoreUnavailable;
    expect(JSON.stringify([message, stack, cause, String(cause)])).not.toContain('canary');
    return message;
  }

  async function withCertificate(use: (parameter: string) => Promise<void>): Promise<void> {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'ca.pem'), CERTIFICATE);
    await use(`&tlsCAFile=${encodeURIComponent(join(folder, 'ca.pem'))}`);
  }

  it('works with credentials over TLS', async () => {
    const standIn = await start({ tls: true, users: USERS });
    await withCertificate(async (ca) => {
      const store = await open(`${standIn.connectionString(`admin:${PASSWORD}`)}${ca}`);
      await store.append('redial_s', 'no-stream', [anEvent()]);
      expect(await follow(store, 1)).toEqual(await store.readAll({ limit: 9 }));
      await store.close();
    });
  });

  it('0.2-E8: refuses to read a log that is not there, and writes no marker', async () => {
    const standIn = await start();
    const connectionString = standIn.connectionString();
    const typo = { connectionString, streamPrefix: 'typo_', mustExist: true };
    await expect(EventStoreDbEventStore.open(typo)).rejects.toThrow(
      /^\[NoLog\] no log with this prefix \(typo_\): the server has no stream typo_log/,
    );
    // It would be there now.
    await expect(EventStoreDbEventStore.open(typo)).rejects.toThrow(/^\[NoLog\]/);
    const store = await EventStoreDbEventStore.open({ ...typo, mustExist: false });
    await store.close();
    await (await EventStoreDbEventStore.open(typo)).close();
  });

  it('says that credentials are wrong or missing, and never shows them', async () => {
    const standIn = await start({ tls: true, users: { admin: 'another' } });
    await withCertificate(async (ca) => {
      const refused = /EventStoreDB at localhost:\d+: it refuses the credentials.*Check name and password/;
      expect(await failure(`${standIn.connectionString(`admin:${PASSWORD}`)}${ca}`)).toMatch(refused);
      expect(await failure(`${standIn.connectionString()}${ca}`)).toMatch(refused);
    });
  });

  it('0.2-E10 says at once that a user may not read the log, and begins none', async () => {
    const standIn = await start({ tls: true, users: { admin: { password: PASSWORD, readsAll: false } } });
    await withCertificate(async (ca) => {
      const message = await failure(`${standIn.connectionString(`admin:${PASSWORD}`)}${ca}`);
      expect(message).toMatch(/it refuses the credentials.*that the user may read \$all/);
    });
    expect(await standIn.store.readStream('redial_log')).toEqual([]);
  });

  it('says that the certificate is not trusted', async () => {
    const standIn = await start({ tls: true, users: USERS });
    const message = await failure(standIn.connectionString(`admin:${PASSWORD}`));
    expect(message).toMatch(/certificate is not trusted.*tlsCAFile/);
  });

  it('says that one side speaks TLS and the other does not', async () => {
    const plain = await start();
    expect(await failure(`esdb://localhost:${plain.port}?tls=true`)).toMatch(/one side speaks TLS/);
  });

  it('0.2-E10 says that the server speaks TLS where the connection string says it does not', async () => {
    const secure = await start({ tls: true });
    const message = await failure(secure.connectionString().replace('tls=true', 'tls=false'));
    expect(message).toMatch(/it speaks TLS, and the connection string says tls=false\. Set tls=true/);
  });

  it('says that nobody is there', async () => {
    expect(await failure(`esdb://admin:${PASSWORD}@${NOBODY}?tls=false`)).toMatch(
      /EventStoreDB at 127\.0\.0\.1:1: it cannot be reached.*ECONNREFUSED.*Check that it runs/,
    );
  });

  it('says that the server is silent', async () => {
    const standIn = await start();
    standIn.misbehaviour.silent = true;
    const opening = shortly(() => open(standIn.connectionString()));
    await expect(opening).rejects.toThrow(/gave no answer within \d+ ms/);
  });

  it('reads as long as events keep coming, however slowly', async () => {
    const standIn = await start();
    const connectionString = standIn.connectionString();
    const store = await EventStoreDbEventStore.open({
      connectionString,
      streamPrefix: 'redial_',
      attemptMs: 1_000,
    });
    await store.append('redial_s', 'no-stream', someEvents(16));
    standIn.misbehaviour.beforeEachEvent = () => setTimeout(100);
    expect(await store.readStream('redial_s')).toHaveLength(16);
    await store.close();
  });

  it('says that a stream was deleted behind its back', async () => {
    const standIn = await start();
    const store = await open(standIn.connectionString());
    await store.append('redial_s', 'no-stream', [anEvent()]);
    standIn.kill();
    await standIn.store.append('$$redial_s', 'any', [{ ...anEvent(), type: '$streamDeleted' }]);
    await start({ store: standIn.store, port: standIn.port });
    await expect(store.readStream('redial_s')).rejects.toThrow(/the stream was deleted/);
    await expect(store.append('redial_s', 0, [anEvent()])).rejects.toThrow(/the stream was deleted/);
    await store.close();
  });

  it('finds the leader of a cluster', async () => {
    const standIn = await start();
    const store = await open(`esdb://${NOBODY},127.0.0.1:${standIn.port}?tls=false`);
    await store.append('redial_s', 'no-stream', [anEvent()]);
    expect(await store.readAll({ limit: 9 })).toHaveLength(1);
    await store.close();
  });

  it('goes to the leader that another node names', async () => {
    const cluster = await StandInCluster.start({}, 2);
    const [leader, asked] = cluster.nodes;
    running.push(...cluster.nodes);
    const store = await open(asked?.connectionString() ?? '');
    await store.append('redial_s', 'no-stream', [anEvent()]);
    expect(await leader?.store.readStream('redial_s')).toHaveLength(1);
    expect(await store.readStream('redial_s')).toHaveLength(1);
    await store.close();
  });

  it('says that nobody of a cluster is there, and that nothing was stored', async () => {
    const nodes = [await start(), await start()];
    const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join();
    const connectionString = `esdb://${hosts}?tls=false&maxDiscoverAttempts=1`;
    const store = await open(connectionString);
    for (const node of nodes) node.kill();
    expect(await failure(connectionString)).toMatch(/it cannot be reached.*Failed to discover/);
    const append = () => store.append('redial_s', 'no-stream', [anEvent()]);
    expect(String(await failureOf(() => shortly(append)))).toMatch(
      /cannot append to EventStoreDB at 127.*, 127.*it cannot be reached/,
    );
    await store.close();
  });

  it.each([
    `eventstore://admin:${PASSWORD}@localhost`,
    `esdb://admin:${PASSWORD}@`,
    `esdb://admin:${PASSWORD}@localhost:${PASSWORD}`,
    `esdb://admin:${PASSWORD}@localhost?tls=${PASSWORD}`,
    `esdb://admin:${PASSWORD}@localhost?tlsVerifyCert=false`,
    `esdb://admin:${PASSWORD}@localhost?tlsCAFile=/nowhere/at/all.pem`,
    `esdb://admin:${PASSWORD}@localhost?colour=blue`,
    PASSWORD,
  ])('refuses a connection string it cannot use without quoting it', async (connectionString) => {
    expect(await failure(connectionString)).toMatch(/connection string/);
  });
});
