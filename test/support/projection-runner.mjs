// A process of its own that runs every projection of the log in the first file into the read store in the second one, until it
// is killed. Prints `running` once it has started.
import { writeSync } from 'node:fs';
import { EventCodec, EventLog, StreamNames } from '#lib/event-store';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { machineEventDefinitions } from '#lib/machine';
import { openSqliteReadStore, ProjectionRunner, projections } from '#lib/projections';
import { sessionEventDefinitions } from '#lib/session';
import { solicitationEventDefinitions } from '#lib/solicitation';
import { specialistEventDefinitions } from '#lib/specialist';

const [logFile = '', readFile = ''] = process.argv.slice(2);
const codec = new EventCodec([
  machineEventDefinitions,
  specialistEventDefinitions,
  sessionEventDefinitions,
  solicitationEventDefinitions,
]);
const log = new EventLog(await SqliteEventStore.open(logFile), codec, new StreamNames());
const runner = new ProjectionRunner(log, await openSqliteReadStore(readFile), projections);
await runner.start();
writeSync(1, 'running\n');
