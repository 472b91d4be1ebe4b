// A process of its own that adds numbered events to the log in the first file and reacts to them, with its rows in the second one, until
// it is killed. Each delivery is a line of the third file: the session and the number. With a fourth argument it adds none. Prints `running` once it has started.
import { appendFileSync, writeSync } from 'node:fs';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { systemClock } from '#lib/kernel';
import { openSqliteReadStore, StoredLeases } from '#lib/read-models';
import { systemTime } from '#lib/workflow';
import { addNumbered, numberedLog, reacting, sessionOf, turn } from './reacting-log.js';

const SESSIONS = 5;
const LEASE_MS = 300;

const [logFile = '', rowsFile = '', receivedFile = '', isQuiet] = process.argv.slice(2);
const log = numberedLog(await SqliteEventStore.open(logFile));
const store = await openSqliteReadStore(rowsFile);
const leases = await StoredLeases.open(store, systemClock);
const holder = { leases, owner: `process ${process.pid}`, ttlMs: LEASE_MS, time: systemTime };
await reacting(log, store, holder, async ({ data, metadata }) => {
  appendFileSync(receivedFile, `${metadata.correlationId} ${(data as { readonly n: number }).n}\n`);
});
writeSync(1, 'running\n');
for (let added = 0, last = isQuiet === undefined ? Infinity : 0; added < last; added += 1) {
  await addNumbered(log, sessionOf(`fork ${added % 2}`), true);
  await addNumbered(log, sessionOf(`session ${added % SESSIONS}`));
  await turn();
}
