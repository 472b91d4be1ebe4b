import { type EventLog, type Position, RevisionConflict, SEALS } from '#lib/event-store';
import { type Clock, type IdSource, ENGINE_ACTOR } from '#lib/kernel';
import { BLOCK, MOST_ADDED, type Seal, type SealKey } from './seal.js';
import type { LogSealed } from './seal.events.js';
import { leavesAfter, SealedLog, type StoredSeal } from './sealed-log.js';
import { rootOf } from './tree.js';

interface Parts {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Without it, seals are not signed. */
  readonly key: SealKey | undefined;
}

/** The next seal, and what is kept in memory of it. */
interface Made {
  readonly data: LogSealed['data'];
  readonly open: readonly Buffer[];
}

/** Seals a log. Of several processes that seal at once, one makes each seal: the revision of its event is its index. */
export class Sealer {
  readonly sealed: SealedLog;

  constructor(private readonly parts: Parts) {
    this.sealed = new SealedLog(parts.log);
  }

  /**
   * Seals the events up to the head of now, in seals that add at most 1,024 events each. A process that dies in between has made whole
   * seals, and the next call goes on after them.
   * @returns the last seal, if there is one, and whether this call has made it
   * @throws StoreUnavailable @throws SealedEventMissing
   */
  async seal(
    signal: AbortSignal = new AbortController().signal,
  ): Promise<{ readonly seal: StoredSeal | undefined; readonly isNew: boolean }> {
    const until = await this.parts.log.store.head();
    let isNew = false;
    while (!signal.aborted) {
      await this.sealed.load();
      const made = until === undefined ? undefined : await this.#next(until);
      if (!made) break;
      isNew = (await this.#append(made)) || isNew;
    }
    return { seal: this.sealed.latest, isNew };
  }

  async #next(until: Position): Promise<Made | undefined> {
    const { sealed } = this;
    const { position, open: before } = await sealed.end();
    const [tree, subtrees] = [sealed.whole, [] as Buffer[]];
    let [open, events] = [[...before], sealed.events];
    let last: LogSealed['data']['last'] | undefined;
    const close = () => {
      const root = rootOf(open);
      if (!root) return;
      tree.add(root);
      subtrees.push(root);
    };
    for await (const { hash, stream, revision } of leavesAfter(
      this.parts.log,
      { position, index: events },
      until,
    )) {
      open.push(hash);
      last = { stream, revision };
      events += 1;
      if (open.length === BLOCK) {
        close();
        open = [];
      }
      if (events - sealed.events === MOST_ADDED) break;
    }
    close();
    const { root } = tree;
    return last && root && { data: { ...this.#sealOf(events, root, subtrees), last }, open };
  }

  #sealOf(events: number, root: Buffer, subtrees: readonly Buffer[]): Seal {
    const { log, clock, key } = this.parts;
    const { latest } = this.sealed;
    const seal = {
      index: (latest?.index ?? -1) + 1,
      events,
      root: root.toString('hex'),
      previous: latest?.root ?? null,
      subtrees: subtrees.map((hash) => hash.toString('hex')),
      log: log.store.logId,
      sealedAt: clock.now().toISOString(),
    };
    return key ? key.signed(seal) : seal;
  }

  /** False if another process has made the seal of this index. */
  async #append({ data, open }: Made): Promise<boolean> {
    const { log, ids } = this.parts;
    const expected = data.index === 0 ? 'no-stream' : data.index - 1;
    const event: LogSealed = { type: 'LogSealed', data };
    const commandId = ids.next();
    const made = { correlationId: log.store.logId, causationId: commandId, commandId, actor: ENGINE_ACTOR };
    const metadata = { occurredAt: data.sealedAt, ...made };
    try {
      const stream = log.streams.of('log', SEALS);
      await log.append<LogSealed>(stream, expected, [{ eventId: ids.next(), event, metadata }]);
    } catch (error) {
      if (error instanceof RevisionConflict) return false;
      throw error;
    }
    this.sealed.keepOpen(open, data.events);
    return true;
  }
}
