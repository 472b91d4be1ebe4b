import type { Position } from '#lib/event-store';
import { BLOCK, type Seal } from './seal.js';
import type { PlacedLeaf, SealedLog, StoredSeal } from './sealed-log.js';
import { levelsOf, pathIn, rootBy } from './tree.js';
import type { NamedEvent } from './verify-log.js';

/** The path from an event to the root of a seal. Hashes are hexadecimal. */
export interface ProvedLeaf extends NamedEvent {
  readonly hash: string;
  /** The number of the event in the tree, from 0. */
  readonly index: number;
  /** The siblings on the path, the one beside the leaf first. */
  readonly path: readonly string[];
}

/** Events under the last seal. */
export interface SealProof {
  readonly seal: StoredSeal;
  readonly leaves: readonly ProvedLeaf[];
  /** Events after the seal. */
  readonly unsealed: readonly NamedEvent[];
}

/** An event to prove. */
export interface Provable extends NamedEvent {
  readonly position: Position;
}

/**
 * Proves events, in the order of the log. Memory holds their paths, and the current block.
 * @returns nothing if there is no seal @throws StoreUnavailable @throws SealedEventMissing
 */
export async function proofOf(
  sealed: SealedLog,
  events: AsyncIterable<Provable>,
): Promise<SealProof | undefined> {
  await sealed.load();
  const { latest: seal } = sealed;
  if (!seal) return undefined;
  const prover = new Prover(sealed, seal.events);
  const [leaves, unsealed]: [ProvedLeaf[], NamedEvent[]] = [[], []];
  for await (const { stream, revision, position } of events) {
    const proved = unsealed.length > 0 ? undefined : await prover.prove(stream, revision, position);
    if (proved) leaves.push(proved);
    else unsealed.push({ stream, revision });
  }
  return { seal, leaves, unsealed };
}

/** Whether the path of a leaf leads to the root of the seal. */
export function isUnder(
  seal: Seal,
  { hash, index, path }: Pick<ProvedLeaf, 'hash' | 'index' | 'path'>,
): boolean {
  const bytes = (text: string) => Buffer.from(text, 'hex');
  return rootBy(bytes(hash), index, seal.events, path.map(bytes))?.toString('hex') === seal.root;
}

/** Finds events in the tree, from one to the next: each leaf between is read once, or skipped by the seals between. */
class Prover {
  #leaves: AsyncGenerator<PlacedLeaf> | undefined;
  /** The current block, as far as it is sealed. */
  #block: { readonly number: number; readonly leaves: readonly PlacedLeaf[] } | undefined;

  /** The levels of the tree above the blocks. */
  readonly #above: ReturnType<typeof levelsOf>;

  constructor(
    private readonly sealed: SealedLog,
    /** The events of the seal: later seals may be made meanwhile. */
    private readonly events: number,
  ) {
    this.#above = levelsOf([...sealed.blocks]);
  }

  /** @returns nothing for an event after the last seal */
  async prove(stream: string, revision: number, position: Position): Promise<ProvedLeaf | undefined> {
    for (let leaves = await this.#blockAt(position); leaves; leaves = await this.#nextBlock()) {
      const at = leaves.findIndex((leaf) => leaf.position === position);
      if (at >= 0) return this.#proved(leaves, at, { stream, revision });
      if ((leaves.at(-1)?.position ?? '') > position) return undefined;
    }
    return undefined;
  }

  /** A block that has the event at this position, or ends before it. */
  async #blockAt(position: Position): Promise<readonly PlacedLeaf[] | undefined> {
    const known = this.#block;
    if (known && (known.leaves.at(-1)?.position ?? '') >= position) return known.leaves;
    const number = Math.floor((await this.sealed.indexBefore(position)) / BLOCK);
    if (known && number <= known.number + 1) return this.#nextBlock();
    return this.#read(number);
  }

  #nextBlock(): Promise<readonly PlacedLeaf[] | undefined> {
    return this.#read((this.#block?.number ?? -1) + 1);
  }

  async #read(number: number): Promise<readonly PlacedLeaf[] | undefined> {
    if (!this.#leaves || number !== (this.#block?.number ?? -2) + 1) {
      await this.#leaves?.return(undefined);
      this.#leaves = this.sealed.leavesFrom(number * BLOCK, this.events);
    }
    const leaves: PlacedLeaf[] = [];
    while (leaves.length < BLOCK) {
      const { value, done } = await this.#leaves.next();
      if (done === true) break;
      leaves.push(value);
    }
    this.#block = { number, leaves };
    return leaves.length > 0 ? leaves : undefined;
  }

  #proved(leaves: readonly PlacedLeaf[], at: number, event: NamedEvent): ProvedLeaf {
    const { number } = this.#block ?? { number: 0 };
    const hashes = leaves.map(({ hash }) => hash);
    const path = [...pathIn(levelsOf(hashes), at), ...pathIn(this.#above, number)];
    const hash = (hashes[at] ?? Buffer.alloc(0)).toString('hex');
    return { ...event, hash, index: number * BLOCK + at, path: path.map((one) => one.toString('hex')) };
  }
}
