import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InMemoryEventStore, StoreUnavailable } from '#lib/event-store';
import { openMemoryReadStore, type ReadStore } from '#lib/read-models';
import { VirtualTime } from '#lib/workflow';
import { InMemoryLeases } from '#lib/workflow/testing';
import type { Reactions } from './reactions.js';
import { addNumbered, FORK, numberedLog, reacting, sessionOf, turn } from './testing/reacting-log.js';

const MINUTE_MS = 60_000;
const SESSIONS = ['a', 'b', 'c'];

type Act =
  | { readonly act: 'add'; readonly session: string }
  | { readonly act: 'fork' }
  | { readonly act: 'pass'; readonly minutes: number }
  | { readonly act: 'restart' | 'lose rows' }
  | { readonly act: 'die'; readonly after: number };

const acts = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ act: fc.constant('add' as const), session: fc.constantFrom(...SESSIONS) }),
  },
  fc.constant<Act>({ act: 'fork' }),
  fc.record({ act: fc.constant('pass' as const), minutes: fc.integer({ min: 0, max: 12 }) }),
  fc.constantFrom<Act>({ act: 'restart' }, { act: 'lose rows' }),
  fc.record({ act: fc.constant('die' as const), after: fc.integer({ min: 0, max: 6 }) }),
);

/** Deliveries that fail, by how often something was delivered before. */
const failures = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 20 });

interface Delivered {
  readonly session: string;
  readonly n: number;
  readonly failed: boolean;
}

/** A log, and processes that react to it one after the other. */
class World {
  readonly time = new VirtualTime();
  readonly log = numberedLog(new InMemoryEventStore());
  readonly delivered: Delivered[] = [];
  rows = openMemoryReadStore();
  leases = new InMemoryLeases(this.time);
  #reactions: Reactions | undefined;
  #owner = 0;
  /** Writes to the rows until the process is dead. */
  #writesLeft = Infinity;

  constructor(private readonly failing: ReadonlySet<number>) {}

  async start(): Promise<void> {
    this.#writesLeft = Infinity;
    const holder = {
      leases: this.leases,
      owner: `process ${this.#owner++}`,
      ttlMs: 9_000,
      time: this.time,
    };
    this.#reactions = await reacting(this.log, this.#mortalRows(), holder, async ({ data, metadata }) => {
      const failed = this.failing.has(this.delivered.length);
      const { n } = data as { readonly n: number };
      this.delivered.push({ session: metadata.correlationId, n, failed });
      await turn();
      if (failed) throw new Error('It fails.');
    });
  }

  async stop(): Promise<void> {
    await this.#reactions?.stop(5_000);
  }

  /** Some more writes are kept, then none; its lease stays. */
  async die(after: number): Promise<void> {
    this.#writesLeft = after;
    await this.pass(1);
    this.#writesLeft = 0;
    await this.stop();
    await this.pass(1);
  }

  loseRows(): void {
    this.rows = openMemoryReadStore();
    this.leases = new InMemoryLeases(this.time);
  }

  async pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      await turn();
      await this.time.pass(MINUTE_MS);
    }
    await turn();
  }

  /** A dead process neither writes nor reads rows. */
  #mortalRows(): ReadStore {
    const { rows } = this;
    const isDead = () => this.#writesLeft <= 0;
    const write: ReadStore['write'] = async (changes) => {
      if (this.#writesLeft-- <= 0)
        throw new StoreUnavailable('the rows', 'the process is dead', 'Start another');
      return rows.write(changes);
    };
    return new Proxy(rows, {
      get: (target, name) => {
        if (name === 'db' && isDead())
          throw new StoreUnavailable('the rows', 'the process is dead', 'Start another');
        return name === 'write' ? write : Reflect.get(target, name, target);
      },
    });
  }
}

async function take(world: World, one: Act): Promise<void> {
  if (one.act === 'add') return addNumbered(world.log, sessionOf(one.session));
  if (one.act === 'fork') return addNumbered(world.log, sessionOf('fork'), FORK);
  if (one.act === 'pass') return world.pass(one.minutes);
  if (one.act === 'die') await world.die(one.after);
  else await world.stop();
  if (one.act === 'lose rows') world.loseRows();
  return world.start();
}

describe('a reaction, whatever happens', () => {
  let world: World;
  afterEach(() => world.stop());

  it('gets each event at least once, in order for its session, and none of a fork', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { maxLength: 25 }), failures, async (story, failing) => {
        world = new World(new Set(failing));
        await world.start();
        for (const one of story) await take(world, one);
        const expected = SESSIONS.flatMap((name) => {
          const session = sessionOf(name);
          const count = story.filter((one) => one.act === 'add' && one.session === name).length;
          return Array.from({ length: count }, (_, n) => ({ session, n }));
        });
        const has = ({ session, n }: { session: string; n: number }) =>
          world.delivered.some((one) => one.session === session && one.n === n && !one.failed);
        for (let hours = 0; !expected.every(has) && hours < 40; hours++) await world.pass(60);
        expect(expected.filter((one) => !has(one))).toEqual([]);
        expect(world.delivered.filter(({ session }) => session === sessionOf('fork'))).toEqual([]);
        const early = world.delivered.filter(({ session, n }, at) => {
          const before = world.delivered.slice(0, at);
          return n > 0 && !before.some((one) => one.session === session && one.n === n - 1 && !one.failed);
        });
        expect(early).toEqual([]);
        await world.stop();
      }),
      { numRuns: 15 },
    );
  });
});
