import { hashedLeaf, type HashedLeaf, leafHash } from '#lib/event-store';
import { isJsonObject, isSha256, jsonText } from '#lib/kernel';
import {
  isUnder,
  type NamedEvent,
  type ProvedLeaf,
  type PublicSealKey,
  type Seal,
  type SealCheck,
  sealIn,
} from '#lib/seals/core';
import type { EventLine, HistoryHead } from './history-lines.js';
import type { HistoryPart } from './read-history.js';

/** The most events named in an answer. */
const MOST_NAMED = 64;

/**
 * Compares the events of a history file with its seal. The log is not needed. In a redacted file the hashes of the original texts
 * are proved, not the shown members. An event after the seal is not proved, and no sealed event may follow it.
 * @returns `undefined` for a file without a seal @throws HistoryBroken
 */
export async function verifySealOf(
  parts: AsyncIterable<HistoryPart>,
  key: PublicSealKey | undefined,
): Promise<SealCheck | undefined> {
  let proof: FileProof | undefined;
  let [hasSeal, found]: [boolean, SealCheck | undefined] = [false, undefined];
  // The file is read to its end: the checksum is there.
  for await (const part of parts) {
    if (part.is === 'head') {
      hasSeal = part.head.seal !== undefined;
      proof = proofIn(part.head);
      if (hasSeal) found = proof ? proof.differenceOfSeal(key) : differs('the seal cannot be read', []);
    } else if (part.is === 'event' && proof) found ??= proof.take(part.event);
  }
  return found ?? (hasSeal ? proof?.end() : undefined);
}

function differs(why: string, events: readonly NamedEvent[]): SealCheck {
  return { differs: true, why, events: events.slice(0, MOST_NAMED) };
}

function nameOf({ stream, revision }: NamedEvent): NamedEvent {
  return { stream, revision };
}

function proofIn({ seal: given }: HistoryHead): FileProof | undefined {
  if (!isJsonObject(given)) return undefined;
  const { seal: stored, leaves, unsealed } = given;
  const seal = sealIn(stored);
  if (!seal || !Array.isArray(leaves) || !Array.isArray(unsealed)) return undefined;
  if (!leaves.every(isLeaf) || !unsealed.every(isNamed)) return undefined;
  return new FileProof(seal, leaves, unsealed.length);
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function isNamed(value: unknown): value is NamedEvent {
  return isJsonObject(value) && typeof value['stream'] === 'string' && isWhole(value['revision']);
}

function isLeaf(value: unknown): value is ProvedLeaf {
  if (!isJsonObject(value)) return false;
  const { hash, index, path } = value;
  const hashes: readonly unknown[] = Array.isArray(path) ? [hash, ...path] : [];
  return isNamed(value) && isWhole(index) && hashes.length > 0 && hashes.every(isSha256);
}

/** The proof in a file, and the progress of the comparison. The leaves are in the order of the events. */
class FileProof {
  #next = 0;
  #unsealed = 0;
  #before = -1;

  constructor(
    private readonly seal: Seal,
    private readonly leaves: readonly ProvedLeaf[],
    private readonly unsealed: number,
  ) {}

  differenceOfSeal(key: PublicSealKey | undefined): SealCheck | undefined {
    if (key && !key.hasSigned(this.seal))
      return differs('the key has not signed the seal', this.leaves.map(nameOf));
    return undefined;
  }

  take(event: EventLine): SealCheck | undefined {
    const leaf = this.leaves[this.#next];
    if (!leaf) {
      this.#unsealed += 1;
      return undefined;
    }
    this.#next += 1;
    const isSame = leaf.stream === event.stream && leaf.revision === event.revision;
    const follows = leaf.index > this.#before;
    this.#before = leaf.index;
    if (isSame && follows && leaf.hash === hashOf(event) && isUnder(this.seal, leaf)) return undefined;
    return differs('an event is not the one that was sealed', [nameOf(event)]);
  }

  end(): SealCheck {
    const missing = this.leaves.slice(this.#next);
    if (missing.length > 0) return differs('sealed events are missing', missing.map(nameOf));
    if (this.#unsealed !== this.unsealed) return differs('the events after the seal differ', []);
    return { differs: false, seal: this.seal, unsealed: this.#unsealed };
  }
}

function hashOf({ data, metadata, dataSha256, metadataSha256, ...event }: EventLine): string {
  return dataSha256 !== undefined && metadataSha256 !== undefined
    ? hashedLeaf({ ...event, dataSha256, metadataSha256 } satisfies HashedLeaf)
    : leafHash({ ...event, data: jsonText(data), metadata: jsonText(metadata) });
}
