import { type EventLog, type Position, RevisionConflict, SEALS, StoreUnavailable } from '#lib/event-store';
import { type Clock, ENGINE_ACTOR, type IdSource, RedialError } from '#lib/kernel';
import { RuntimeStopped } from '#lib/workflow';
import type { LogHold } from './log-hold.js';
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
  /** Every call is refused while the log waits for a claim. */
  readonly hold: LogHold;
}

/** The next seal, and the part of it that is kept in memory. */
interface Made {
  readonly data: LogSealed['data'];
  readonly open: readonly Buffer[];
}

/** The last seal, if there is one, and whether the call has made it. */
export interface Sealed {
  readonly seal: StoredSeal | undefined;
  readonly isNew: boolean;
}

/** The log has signed seals, and this process has no key: an unsigned seal would make all later ones doubtful. */
export class SealKeyMissing extends RedialError {
  override readonly answer = { status: 409, code: 'seal-key-missing' };
}

/** An engine may run on the original log, too: its seals would compete with those that are made here. */
export class LogNotClaimed extends RedialError {
  override readonly answer = { status: 409, code: 'not-claimed' };
}

/** Seals a log. Of several processes that seal at once, one makes each seal: the revision of its event is its index. */
export class Sealer {
  /** Used by this sealer alone: no other code reads seals into it while a seal is made. */
  private readonly sealed: SealedLog;
  readonly #stopping = new AbortController();
  #sealing: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: Parts) {
    this.sealed = new SealedLog(parts.log);
  }

  /**
   * Seals the events up to the current head, in seals that add at most 1,024 events each. Calls wait for each other. If the process dies,
   * each finished seal is whole, and the next call continues after it.
   * @returns the last seal, if there is one, and whether this call has made it
   * @throws StoreUnavailable @throws SealedEventMissing @throws RuntimeStopped if a stop comes before the head is sealed
   * @throws SealKeyMissing if the last seal is signed, and this process has no key @throws LogNotClaimed
   */
  seal(): Promise<Sealed> {
    const sealed = this.#sealing.then(() => this.#seal());
    this.#sealing = sealed.catch(() => undefined);
    return sealed;
  }

  /** Ends each call after its current seal: a large log has many. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#sealing;
  }

  async #seal(): Promise<Sealed> {
    const { why } = this.parts.hold;
    if (why !== undefined) throw why === 'taken' ? notOurs() : notClaimed();
    const until = await this.parts.log.store.head();
    await this.sealed.load();
    let isNew = false;
    for (;;) {
      if (this.#stopping.signal.aborted) throw stopping();
      const made = until && (await this.#next(until));
      if (!made) return { seal: this.sealed.latest, isNew };
      isNew = (await this.#append(made)) || isNew;
      const { events } = this.sealed;
      await this.sealed.load();
      if (this.sealed.events === events) throw unread(made);
    }
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
    if (latest?.signature !== undefined && !key) throw keyMissing(latest);
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

function stopping(): RuntimeStopped {
  const fix = 'Seal it again when a process runs: sealing goes on after the last seal';
  return new RuntimeStopped('the log was not sealed to its end', 'this process is stopping', fix);
}

function notClaimed(): LogNotClaimed {
  const why = 'it is an unclaimed copy, or an unclaimed file without its rows';
  const fix = 'Stop the engines on the original log, run `redial log claim`, and start again';
  return new LogNotClaimed('the log was not sealed', why, fix);
}

function notOurs(): LogNotClaimed {
  const why = 'it was claimed for engines on another read store';
  return new LogNotClaimed('the log was not sealed', why, 'Stop this process, and seal with their settings');
}

function keyMissing({ index, keyId }: StoredSeal): SealKeyMissing {
  const why = `seal ${index} is signed with the key ${keyId}, and this process has none`;
  return new SealKeyMissing('the log was not sealed', why, 'Set REDIAL_SEAL_KEY to the file of the key');
}

function unread({ data: { index } }: Made): StoreUnavailable {
  const fix = 'Try again; if that does not help, look for damage with redial log check';
  return new StoreUnavailable('the log was not sealed', `its seal ${index} cannot be read`, fix);
}
