import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalText, isJsonObject, isSha256, type JsonObject, RedialError } from '#lib/kernel';

/** A seal has the root of each subtree of this many events, so that a difference is located to 64 events. */
export const BLOCK = 64;
/** The most events that a seal adds. */
export const MOST_ADDED = 1_024;

/** The root of the tree over the log up to some event. Hashes are 64 lower-case hexadecimal digits. */
export interface Seal {
  /** 0, 1, … */
  readonly index: number;
  /** All events of the tree. */
  readonly events: number;
  readonly root: string;
  /** The root of the seal before. */
  readonly previous: string | null;
  /** The roots over each 64 events of the tree, from the first block to which this seal adds an event. The last may be over fewer. */
  readonly subtrees: readonly string[];
  /** The id of the log that was sealed. */
  readonly log: string;
  /** ISO 8601, UTC. */
  readonly sealedAt: string;
  /** SHA-256 of the public key in its DER form (SPKI), hex. */
  readonly keyId?: string;
  /** Ed25519 over the canonical JSON of all other members, base64. */
  readonly signature?: string;
}

/** A key that cannot be used for seals. */
export class InvalidSealKey extends RedialError {}

const FIX = 'Make one with: openssl genpkey -algorithm ed25519';

/** Signs seals with an Ed25519 key. */
export class SealKey {
  readonly #key: KeyObject;
  readonly keyId: string;

  /** @param pem the private key @throws InvalidSealKey; the text is not shown */
  constructor(pem: string) {
    this.#key = keyIn(() => createPrivateKey(pem), 'the private key of seals', FIX);
    this.keyId = keyIdOf(createPublicKey(this.#key));
  }

  signed(unsigned: Omit<Seal, 'keyId' | 'signature'>): Seal {
    const seal = { ...unsigned, keyId: this.keyId };
    return { ...seal, signature: sign(null, signedBytes(seal), this.#key).toString('base64') };
  }
}

/** Checks who signed a seal. */
export class PublicSealKey {
  readonly #key: KeyObject;
  readonly keyId: string;

  /** @param pem the public key @throws InvalidSealKey */
  constructor(pem: string) {
    const fix = 'Get it with: openssl pkey -in <private key> -pubout';
    this.#key = keyIn(() => createPublicKey(pem), 'the public key of seals', fix);
    this.keyId = keyIdOf(this.#key);
  }

  hasSigned(seal: Seal): boolean {
    const { signature, ...signedPart } = seal;
    if (signature === undefined || seal.keyId !== this.keyId) return false;
    return verify(null, signedBytes(signedPart), this.#key, Buffer.from(signature, 'base64'));
  }
}

function keyIn(read: () => KeyObject, what: string, fix: string): KeyObject {
  try {
    const key = read();
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Without the cause: its text may hold a part of the key.
  }
  throw new InvalidSealKey(what, 'it is not an Ed25519 key in PEM form', fix);
}

function keyIdOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

function signedBytes(seal: Omit<Seal, 'signature'>): Buffer {
  return Buffer.from(canonicalText(seal));
}

/** The members of a seal from a file or an event, without others; `undefined` if it is no seal. */
export function sealIn(value: unknown): Seal | undefined {
  if (!isJsonObject(value)) return undefined;
  const { index, events, root, previous, subtrees, log, sealedAt, keyId, signature } = value;
  const members = { index, events, root, previous, subtrees, log, sealedAt };
  const isSigned = isText(keyId) && isText(signature);
  if (!isSigned && (keyId !== undefined || signature !== undefined)) return undefined;
  return isUnsigned(members) ? { ...members, ...(isSigned && { keyId, signature }) } : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function isUnsigned(members: JsonObject | object): members is Omit<Seal, 'keyId' | 'signature'> {
  const { index, events, root, previous, subtrees, log, sealedAt } = members as JsonObject;
  const areCounts = isCount(index) && isCount(events) && events > 0;
  const areHashes = isSha256(root) && (previous === null || isSha256(previous));
  return (
    areCounts &&
    areHashes &&
    Array.isArray(subtrees) &&
    subtrees.every(isSha256) &&
    isText(log) &&
    isText(sealedAt)
  );
}
