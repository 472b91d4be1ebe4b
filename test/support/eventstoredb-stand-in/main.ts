import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { InMemoryEventStore } from '#lib/event-store';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { EventStoreDbStandIn } from './eventstoredb-stand-in.js';

interface Options {
  readonly port: number;
  readonly data?: string;
  readonly tls: boolean;
}

const { port, data, tls } = new Command('eventstoredb-stand-in')
  .description("A server that speaks EventStoreDB's protocol, for trying things out. Not a database.")
  .option('--port <number>', 'where to listen', portNumber, 2113)
  .option('--data <folder>', 'keep the events in a file in this folder; without it they are gone at the end')
  .option('--tls', 'with a certificate of its own', false)
  .parse()
  .opts<Options>();

const store =
  data === undefined ? new InMemoryEventStore() : await SqliteEventStore.open(join(data, 'log.sqlite'));
const standIn = await EventStoreDbStandIn.start({ store, port, tls });
process.stdout.write(`Listening. EVENTSTOREDB_URL=${standIn.connectionString()}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    standIn.kill();
    void store.close();
  });
}

function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}
