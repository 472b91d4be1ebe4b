import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { InMemoryEventStore } from '#lib/event-store';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { StandInCluster } from './stand-in-cluster.js';
import { EventStoreDbStandIn } from './eventstoredb-stand-in.js';

interface Options {
  readonly port: number;
  readonly data?: string;
  readonly tls: boolean;
  readonly nodes?: number;
  readonly like?: keyof typeof KINDS;
}

/** How slow a kind of server is: see the README for where this comes from. */
const KINDS = {
  node: { indexLagMs: 2, scanSpeed: 200_000, nodes: 1 },
  cluster: { indexLagMs: 15, scanSpeed: 200_000, nodes: 3 },
  'slow-disk': { indexLagMs: 100, scanSpeed: 50_000, nodes: 1 },
};

const { port, data, tls, like, nodes } = new Command('eventstoredb-stand-in')
  .description("A server that speaks EventStoreDB's protocol, for trying things out. Not a database.")
  .option(
    '--port <number>',
    'where to listen, and the nodes after the first on the ports after it',
    portNumber,
    2113,
  )
  .option('--data <folder>', 'keep the events in a file in this folder; without it they are gone at the end')
  .option('--tls', 'with a certificate of its own, for localhost', false)
  .option('--nodes <number>', 'a cluster of so many nodes', nodeNumber)
  .addOption(new Option('--like <kind>', 'with the delays of such a server').choices(Object.keys(KINDS)))
  .parse()
  .opts<Options>();

const kind = like && KINDS[like];
const store =
  data === undefined ? new InMemoryEventStore() : await SqliteEventStore.open(join(data, 'log.sqlite'));
const count = nodes ?? kind?.nodes ?? 1;
const options = { store, port, tls, ...kind };
const standIn =
  count > 1 ? await StandInCluster.start(options, count) : await EventStoreDbStandIn.start(options);
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

function nodeNumber(text: string): number {
  if (/^[1-9]$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A cluster has 1 to 9 nodes.');
}
