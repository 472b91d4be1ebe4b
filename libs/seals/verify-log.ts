import { type EventLog, SEALS, type StoredEvent } from '#lib/event-store';
import { isJsonObject, parseJsonObject } from '#lib/kernel';
import { copiedFrom } from './copies.js';
import { BLOCK, MOST_ADDED, type PublicSealKey, type Seal, sealIn } from './seal.js';
import { leavesAfter, type PlacedLeaf } from './sealed-log.js';
import { rootOf, Tree } from './tree.js';

/** An event, its stream without the prefix of the log. */
export interface NamedEvent {
  readonly stream: string;
  readonly revision: number;
}

/** The comparison of the stored events with their seals. */
export type SealCheck =
  | {
      readonly differs: true;
      readonly why: string;
      /** The first event that differs is among these, at most 64. None if only the seal differs, or all of them are gone. */
      readonly events: readonly NamedEvent[];
    }
  | {
      readonly differs: false;
      /** Absent: no event is sealed yet. */
      readonly seal?: Seal;
      readonly unsealed: number;
    };

interface Given {
  /** Without it, the maker of the seals is not known. */
  readonly key?: PublicSealKey | undefined;
  /** A seal that was kept outside the log. */
  readonly since?: Seal | undefined;
}

/**
 * Computes the tree over a log again and compares it with each of its seals, and with one that was kept outside the log. Memory holds the
 * seals, and the events since the last one. @throws StoreUnavailable
 */
export async function verifySeals(log: EventLog, { key, since }: Given): Promise<SealCheck> {
  const until = await log.store.head();
  const walk = new SealWalk();
  const checks = await checksOf(log, key, since);
  let at = 0;
  let next = checks[at];
  for await (const leaf of leavesAfter(log, { position: undefined, index: 0 }, until)) {
    if (next) walk.take(leaf);
    else walk.count += 1;
    for (; next?.seal.events === walk.count; next = checks[++at]) {
      const found = walk.differenceFrom(next);
      if (found) return found;
    }
  }
  if (next) return walk.differenceFrom(next) ?? walk.differs('the log ends before the events of a seal');
  return { differs: false, unsealed: walk.unsealed, ...(walk.seal && { seal: walk.seal }) };
}

/** A seal, and the problem that is known before the log is read. */
interface Check {
  readonly seal: Seal;
  readonly isKept: boolean;
  /** The last event of the seal. */
  readonly last?: NamedEvent | undefined;
  readonly problem: string | undefined;
}

/** In the order of their events. */
async function checksOf(
  log: EventLog,
  key: PublicSealKey | undefined,
  since: Seal | undefined,
): Promise<Check[]> {
  const { store, streams } = log;
  const sources = await copiedFrom(store, streams);
  const isOfLog: IsOfLog = (seal, at = '') => seal.log === store.logId || (sources.get(seal.log) ?? '') > at;
  const checks = await storedChecks(log, key, isOfLog);
  const last = checks.at(-1)?.seal;
  if (key && last && checks.every(({ seal }) => seal.signature === undefined))
    checks.push({ seal: last, isKept: true, problem: 'no seal of the log is signed' });
  if (since) checks.push({ seal: since, isKept: true, problem: whyForeign(since, key, isOfLog(since)) });
  return checks.toSorted((one, other) => one.seal.events - other.seal.events);
}

/** @param at the position of the seal; absent for one that was kept outside the log */
type IsOfLog = (seal: Seal, at?: string) => boolean;

/** A stored seal that cannot be read is checked as the seal of the next event. */
async function storedChecks(
  log: EventLog,
  key: PublicSealKey | undefined,
  isOfLog: IsOfLog,
): Promise<Check[]> {
  const checks: Check[] = [];
  let isSigned = false;
  for await (const stored of log.eachStored(log.streams.of('log', SEALS))) {
    const before = checks.at(-1)?.seal;
    const seal = sealIn(parseJsonObject(stored.data));
    if (!seal) return [...checks, { seal: unreadable(before), isKept: false, problem: 'it cannot be read' }];
    isSigned ||= seal.signature !== undefined;
    const foreign = whyForeign(seal, isSigned ? key : undefined, isOfLog(seal, stored.position));
    checks.push({ seal, isKept: false, last: lastOf(stored), problem: whyBroken(seal, before) ?? foreign });
  }
  return checks;
}

function whyForeign(seal: Seal, key: PublicSealKey | undefined, isOfLog: boolean): string | undefined {
  if (!isOfLog) return `it is of the log ${seal.log}`;
  return key && !key.hasSigned(seal) ? 'the key has not signed it' : undefined;
}

function lastOf({ data }: StoredEvent): NamedEvent {
  const last = parseJsonObject(data)?.['last'];
  const { stream, revision } = isJsonObject(last) ? last : {};
  return typeof stream === 'string' ? { stream, revision: Number(revision) } : { stream: '', revision: -1 };
}

function unreadable(before: Seal | undefined): Seal {
  const members = { root: '', previous: null, subtrees: [], log: '', sealedAt: '' };
  return { ...members, index: (before?.index ?? -1) + 1, events: (before?.events ?? 0) + 1 };
}

function whyBroken(seal: Seal, before: Seal | undefined): string | undefined {
  if (seal.index !== (before?.index ?? -1) + 1) return 'a seal before it is missing';
  if (seal.previous !== (before?.root ?? null)) return 'it does not follow the seal before it';
  const added = seal.events - (before?.events ?? 0);
  return added > 0 && added <= MOST_ADDED ? undefined : `it adds ${added} events`;
}

/** The tree so far, and the blocks in which events were added since the last seal. */
class SealWalk {
  #tree = new Tree();
  #blocks: PlacedLeaf[][] = [];
  #seal: Seal | undefined;
  count = 0;

  /** The last seal that was compared. */
  get seal(): Seal | undefined {
    return this.#seal;
  }

  get unsealed(): number {
    return this.count - (this.#seal?.events ?? 0);
  }

  take(leaf: PlacedLeaf): void {
    const open = this.#blocks.at(-1);
    if (open && open.length < BLOCK) open.push(leaf);
    else this.#blocks.push([leaf]);
    this.count += 1;
  }

  /** @returns nothing if the events so far have the root of the seal */
  differenceFrom({ seal, isKept, last, problem }: Check): SealCheck | undefined {
    if (problem !== undefined) return this.differs(problem, seal);
    const roots = this.#blocks.flatMap((block) => rootOf(block.map(({ hash }) => hash)) ?? []);
    const tree = added(this.#tree, roots);
    const isSame = tree.root?.toString('hex') === seal.root && this.count === seal.events;
    if (isKept) return isSame ? undefined : this.differs('the kept seal has other events', seal, -1);
    const known = roots.map((root) => root.toString('hex'));
    const other = seal.subtrees.findIndex((root, index) => root !== known[index]);
    if (other >= 0) return this.differs('its events differ', seal, other);
    if (!isSame || known.length !== seal.subtrees.length) return this.differs('its root differs', seal, -1);
    if (!this.#endsWith(last)) return this.differs('its last event differs', seal);
    this.#sealed(seal, roots);
    return undefined;
  }

  differs(why: string, seal?: Seal, block = this.#blocks.length - 1): SealCheck {
    const events = (this.#blocks[block] ?? []).map(({ stream, revision }) => ({ stream, revision }));
    return { differs: true, why: seal ? `seal ${seal.index}: ${why}` : why, events };
  }

  #endsWith(last: NamedEvent | undefined): boolean {
    const end = this.#blocks.at(-1)?.at(-1);
    return last === undefined || (last.stream === end?.stream && last.revision === end.revision);
  }

  /** Keeps the last block if later events belong to it. */
  #sealed(seal: Seal, roots: readonly Buffer[]): void {
    this.#seal = seal;
    const whole = Math.floor(this.count / BLOCK) - this.#tree.count;
    this.#tree = added(this.#tree, roots.slice(0, whole));
    this.#blocks = this.#blocks.slice(whole);
  }
}

function added(tree: Tree, roots: readonly Buffer[]): Tree {
  return roots.reduce((grown, root) => grown.add(root), new Tree(tree));
}
