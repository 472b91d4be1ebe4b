import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { jsonText } from '#lib/kernel';

/** The length of the random key of a subject, and of a master key. */
export const BYTES_OF_KEY = 32;
const BYTES_OF_NONCE = 12;
/** The counter is in the last four bytes of a nonce. */
const COUNTER_AT = BYTES_OF_NONCE - 4;
const BYTES_OF_TAG = 16;
const CIPHER = 'aes-256-gcm';

/** The place of a value. Its encrypted text is bound to the place, and does not open at another one. */
interface PlaceOfValue {
  /** The stream, without the prefix of the log. */
  readonly stream: string;
  readonly eventId: string;
  /** A JSON pointer into `{ data, metadata }`. */
  readonly pointer: string;
}

/** The event that holds values, or a substitute for it. */
export type EventOfValues = Omit<PlaceOfValue, 'pointer'>;

/**
 * The keys of one subject, all derived from one random key. Once that key is destroyed, the texts that they encrypted are indistinguishable from
 * random.
 */
export class SubjectKey {
  readonly #key: Buffer;
  readonly #values: Buffer;
  readonly #nonces: Buffer;
  readonly #digests: Buffer;

  /** @throws TypeError for a key of another length */
  constructor(key: Uint8Array) {
    if (key.length !== BYTES_OF_KEY) throw new TypeError(`A key has ${BYTES_OF_KEY} bytes.`);
    this.#key = Buffer.from(key);
    const derived = (use: string) => Buffer.from(hkdfSync('sha256', key, '', `redial ${use}`, BYTES_OF_KEY));
    this.#values = derived('values');
    this.#nonces = derived('nonces');
    this.#digests = derived('digests');
  }

  isOf(key: Uint8Array): boolean {
    return timingSafeEqual(this.#key, key);
  }

  /** The encrypted text, in base64. The same text at the same place gives the same result. */
  encrypt(text: string, place: PlaceOfValue): string {
    return this.#encrypt(text, place, this.#nonceOf([place.stream, place.eventId, place.pointer, text]));
  }

  /**
   * The texts of one event, by pointer, encrypted as `encrypt` does. The same texts give the same results, so a repeated append finds its blobs.
   * Their nonces count up from one that follows from the event and all of its texts, so no nonce is used for two texts.
   */
  encryptAll(texts: ReadonlyMap<string, string>, event: EventOfValues): string[] {
    const nonce = this.#nonceOf([event.stream, event.eventId, ...[...texts].flat()]);
    return Array.from(texts, ([pointer, text]) => {
      const encrypted = this.#encrypt(text, { ...event, pointer }, nonce);
      nonce.writeUInt32BE((nonce.readUInt32BE(COUNTER_AT) + 1) >>> 0, COUNTER_AT);
      return encrypted;
    });
  }

  #nonceOf(parts: readonly string[]): Buffer {
    return createHmac('sha256', this.#nonces).update(jsonText(parts)).digest().subarray(0, BYTES_OF_NONCE);
  }

  #encrypt(text: string, place: PlaceOfValue, nonce: Buffer): string {
    const cipher = createCipheriv(CIPHER, this.#values, nonce);
    cipher.setAAD(Buffer.from(textOf(place)));
    const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(parts).toString('base64');
  }

  /** The decrypted text; `undefined` for a text that this key has not encrypted at this place. */
  decrypt(encrypted: string, place: PlaceOfValue): string | undefined {
    const bytes = Buffer.from(encrypted, 'base64');
    if (bytes.length < BYTES_OF_NONCE + BYTES_OF_TAG) return undefined;
    const decipher = createDecipheriv(CIPHER, this.#values, bytes.subarray(0, BYTES_OF_NONCE), {
      authTagLength: BYTES_OF_TAG,
    });
    decipher.setAAD(Buffer.from(textOf(place)));
    decipher.setAuthTag(bytes.subarray(-BYTES_OF_TAG));
    try {
      const text = decipher.update(bytes.subarray(BYTES_OF_NONCE, -BYTES_OF_TAG));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  /** Replaces a hash of content in ids. Without the key, content cannot be tried against it. */
  digest(content: string): string {
    return createHmac('sha256', this.#digests).update(content).digest('hex');
  }
}

function textOf({ stream, eventId, pointer }: PlaceOfValue): string {
  return jsonText([stream, eventId, pointer]);
}
