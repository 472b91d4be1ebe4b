import { setTimeout } from 'node:timers/promises';
import { InMemoryEventStore } from '#lib/event-store';
import type { Membership } from './cluster-node.js';
import { EventStoreDbStandIn, type StandInOptions } from './eventstoredb-stand-in.js';
import { StandInLog } from './stand-in-log.js';

/** Several nodes that share one log, of which one leads at a time. Followers show later what the leader shows. */
export class StandInCluster {
  #leader: number | undefined;

  private constructor(
    readonly nodes: readonly EventStoreDbStandIn[],
    private readonly log: StandInLog,
  ) {
    this.#leader = nodes[0]?.port;
  }

  static async start(
    { store = new InMemoryEventStore(), ...options }: StandInOptions = {},
    count = 3,
  ): Promise<StandInCluster> {
    const log = await StandInLog.open(store, options, options.users !== undefined);
    const nodes: EventStoreDbStandIn[] = [];
    let cluster: StandInCluster | undefined;
    const membership = (): Membership => {
      const silent = nodes.filter(({ misbehaviour }) => misbehaviour.silent);
      const dead = silent.map(({ port }) => port).filter((port) => port !== cluster?.leader);
      return { ports: nodes.map(({ port }) => port), leader: cluster?.leader, dead };
    };
    for (let n = 0; n < count; n += 1) {
      const port = options.port ? options.port + n : 0;
      nodes.push(await EventStoreDbStandIn.start({ ...options, store, port, log, membership }));
    }
    cluster = new StandInCluster(nodes, log);
    return cluster;
  }

  /** The port of the node that leads. */
  get leader(): number | undefined {
    return this.#leader;
  }

  connectionString(): string {
    const hosts = this.nodes.map(({ address }) => address).join();
    return `esdb://${hosts}?tls=${this.nodes[0]?.tls}`;
  }

  /** The leader loses its connections, nobody leads for this long, then the next node does. */
  async elect(ms: number): Promise<void> {
    const electNext = this.loseLeader();
    await setTimeout(ms);
    await electNext();
  }

  /**
   * The leader answers nothing any more, and its connections stay. The others take it for the leader until the next one is elected.
   * @returns what makes the next node lead, and what wakes the frozen one, which follows if another leads
   */
  freezeLeader(): { readonly electNext: () => Promise<void>; readonly thaw: () => void } {
    const index = this.nodes.findIndex(({ port }) => port === this.#leader);
    const frozen = this.nodes[index];
    if (frozen) frozen.misbehaviour.silent = true;
    return {
      electNext: () => this.#electAfter(index),
      thaw: () => {
        if (frozen) frozen.misbehaviour.silent = false;
      },
    };
  }

  /** The leader loses its connections. @returns what makes the next node lead */
  loseLeader(): () => Promise<void> {
    const index = this.nodes.findIndex(({ port }) => port === this.#leader);
    this.#leader = undefined;
    this.nodes[index]?.dropConnections();
    return () => this.#electAfter(index);
  }

  async #electAfter(index: number): Promise<void> {
    await this.log.beginEpoch();
    this.#leader = this.nodes[(index + 1) % this.nodes.length]?.port;
  }

  kill(): void {
    for (const node of this.nodes) node.kill();
  }
}
