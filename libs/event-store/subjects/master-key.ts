import { createHmac, hkdfSync } from 'node:crypto';
import { jsonText } from '#lib/kernel';
import { BYTES_OF_KEY, SubjectKey } from './subject-key.js';

/** The key that encrypts the keys of subjects. It is in no file of the engine. */
export class MasterKey {
  readonly #wrapping: SubjectKey;
  readonly #proof: Buffer;

  /** @throws TypeError for a key of another length */
  constructor(key: Uint8Array) {
    this.#wrapping = new SubjectKey(key);
    this.#proof = Buffer.from(hkdfSync('sha256', key, '', 'redial proof', BYTES_OF_KEY));
  }

  /** The key of a subject in the form of the store of keys, bound to the log and the subject. */
  wrap(key: Uint8Array, logId: string, subject: string): string {
    return this.#wrapping.encrypt(Buffer.from(key).toString('base64'), placeOf(logId, subject));
  }

  /** `undefined` for a text that another master key has wrapped, or for another log or subject. */
  unwrap(wrapped: string, logId: string, subject: string): Buffer | undefined {
    const key = this.#wrapping.decrypt(wrapped, placeOf(logId, subject));
    return key === undefined ? undefined : Buffer.from(key, 'base64');
  }

  /** A text that tells this master key from others for one log, and reveals nothing about it. */
  proofFor(logId: string): string {
    return createHmac('sha256', this.#proof)
      .update(jsonText(['master key', logId]))
      .digest('hex');
  }
}

function placeOf(logId: string, subject: string) {
  return { stream: logId, eventId: subject, pointer: '' };
}
