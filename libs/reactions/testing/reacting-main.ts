// A process of its own that adds numbered events to the log in the first file and reacts to them, with its rows in the second one, until
// it is killed. Each delivery is a request to the address in the third argument, as in `receiving-main`. With a fourth one it adds none.
// Prints `running` once it has started.
import { writeSync } from 'node:fs';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { systemClock } from '#lib/kernel';
import { openSqliteReadStore, StoredLeases } from '#lib/read-models';
import { systemTime } from '#lib/workflow';
import { addNumbered, EXPERIMENT, FORK, numberedLog, reacting, sessionOf, turn } from './reacting-log.js';

const SESSIONS = 5;
const LEASE_MS = 300;
/** The receiver comes back within moments, and nothing is parked. */
const PAUSES = Array.from({ length: 10_000 }, () => 100);

const [logFile = '', rowsFile = '', url = '', isQuiet] = process.argv.slice(2);
const log = numberedLog(await SqliteEventStore.open(logFile));
const store = await openSqliteReadStore(rowsFile);
const leases = await StoredLeases.open(store, systemClock);
const holder = { leases, owner: `process ${process.pid}`, ttlMs: LEASE_MS, time: systemTime };
await reacting(
  log,
  store,
  holder,
  async ({ data, metadata }) => {
    const body = `${metadata.correlationId} ${(data as { readonly n: number }).n}\n`;
    const { ok } = await fetch(url, { method: 'POST', body });
    if (!ok) throw new Error('The receiver did not take it.');
  },
  PAUSES,
);
// A reaction that waits for the lease of a process that was killed does not keep this one running.
setInterval(() => undefined, LEASE_MS);
writeSync(1, 'running\n');
for (let added = 0, last = isQuiet === undefined ? Infinity : 0; added < last; added += 1) {
  await addNumbered(log, sessionOf(`fork ${added % 2}`), FORK);
  await addNumbered(log, sessionOf(`experiment ${added % 2}`), EXPERIMENT);
  await addNumbered(log, sessionOf(`session ${added % SESSIONS}`));
  await turn();
}
