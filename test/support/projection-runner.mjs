// A process of its own that runs every projection of the log in the first file into the read store in the second one, until it
// is killed: a file, or the URL of a database and how long a lease lasts there. Prints `running` once it has started.
import { writeSync } from 'node:fs';
import { EventCodec, EventLog, StreamNames } from '#lib/event-store';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { systemClock } from '#lib/kernel';
import { machineEventDefinitions } from '#lib/machine';
import {
  openPostgresReadStore,
  openSqliteReadStore,
  ProjectionRunner,
  projections,
  StoredLeases,
} from '#lib/projections';
import { sessionEventDefinitions } from '#lib/session';
import { solicitationEventDefinitions } from '#lib/solicitation';
import { specialistEventDefinitions } from '#lib/specialist';

const [logFile = '', place = '', leaseMs] = process.argv.slice(2);
const codec = new EventCodec([
  machineEventDefinitions,
  specialistEventDefinitions,
  sessionEventDefinitions,
  solicitationEventDefinitions,
]);
const log = new EventLog(await SqliteEventStore.open(logFile), codec, new StreamNames());
const store = leaseMs === undefined ? await openSqliteReadStore(place) : await openPostgresReadStore(place);
const holder = leaseMs === undefined ? undefined : await leaseHolder(Number(leaseMs));
const runner = new ProjectionRunner(log, store, projections, holder);
await runner.start();
writeSync(1, 'running\n');

/** @param {number} ttlMs */
async function leaseHolder(ttlMs) {
  const leases = await StoredLeases.open(store, systemClock);
  return { leases, owner: `process ${process.pid}`, ttlMs };
}
