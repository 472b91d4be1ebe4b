import { type LeaseHolder, systemTime } from '#lib/workflow';
// A process of its own that runs a loop of every read model, and of one with all kinds of rows, of the log in the first file into the read store in the second one, until it
// is killed: a file, or the URL of a database and how long a lease lasts there. Prints `running` once it has started.
import { writeSync } from 'node:fs';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { systemClock } from '#lib/kernel';
import { StoredLeases } from '../leases/stored-leases.js';
import { openPostgresReadStore } from '../postgres/open-postgres-read-store.js';
import { models } from '../models.js';
import { ProjectionRunner } from '../runner/projection-runner.js';
import { openSqliteReadStore } from '../store/open-sqlite-read-store.js';
import { doorsModel } from './counted-doors.js';
import { openLog } from './sample-log.js';
import { loopOf } from './loop-of.js';

const [logFile = '', place = '', leaseMs] = process.argv.slice(2);
const log = openLog(await SqliteEventStore.open(logFile));
const store = leaseMs === undefined ? await openSqliteReadStore(place) : await openPostgresReadStore(place);
const holder = leaseMs === undefined ? undefined : await leaseHolder(Number(leaseMs));
const runner = new ProjectionRunner(log, store, [loopOf([doorsModel(), ...models])], { holder });
await runner.start();
writeSync(1, 'running\n');

async function leaseHolder(ttlMs: number): Promise<LeaseHolder> {
  const leases = await StoredLeases.open(store, systemClock);
  return { leases, owner: `process ${process.pid}`, ttlMs, time: systemTime };
}
