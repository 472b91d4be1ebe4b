import { createHmac } from 'node:crypto';
import { sha256 } from './hashes.js';
import { jsonText } from './json.js';

/** The fingerprint of the input of a call with an idempotency key. It tells a repeat from another input under the same key. */
export interface Fingerprint {
  /** The form in events. Inputs can be tested against it only with the key of the log. */
  readonly text: string;
  /**
   * Whether a recorded fingerprint is that of the same input. Also true for a fingerprint under a key that this process does not have: it cannot be
   * compared, and a repeat must find its first answer and not act twice.
   */
  matches(recorded: string | undefined): boolean;
}

/** `hmac:`, the name of the key, and the HMAC-SHA256 under it. */
const FORM = /^hmac:([0-9a-f]{8}):[\w-]{43}$/;
const CHARACTERS_OF_NAME = 8;

/** Fingerprints under the key of a log. Those that 0.2 recorded, the plain SHA-256 of the input, are recognized, too. */
export class Fingerprints {
  readonly #keys: ReadonlyMap<string, string>;

  /**
   * @param key random, at least 32 bytes in any text form; it is in no event
   * @param others keys of earlier fingerprints: those of the logs that this one is a copy of
   */
  constructor(
    private readonly key: string,
    others: readonly string[] = [],
  ) {
    this.#keys = new Map([key, ...others].map((each) => [nameOf(each), each]));
  }

  /** A secret for one purpose, the same in every process on the log. */
  secretFor(purpose: string): string {
    return createHmac('sha256', this.key)
      .update(jsonText(['secret', purpose]))
      .digest('base64url');
  }

  of(input: unknown): Fingerprint {
    const plain = sha256(jsonText(input));
    const matches = (recorded = '') => {
      const [, name] = FORM.exec(recorded) ?? [];
      const key = this.#keys.get(name ?? '');
      if (name !== undefined && key === undefined) return true;
      return recorded === (key === undefined ? plain : textOf(key, plain));
    };
    return { text: textOf(this.key, plain), matches };
  }
}

function textOf(key: string, plain: string): string {
  return `hmac:${nameOf(key)}:${createHmac('sha256', key).update(plain).digest('base64url')}`;
}

function nameOf(key: string): string {
  return sha256(key).slice(0, CHARACTERS_OF_NAME);
}

/** Whether a call has the same input as the call that recorded this fingerprint. Without an idempotency key, neither has a fingerprint. */
export function isSameInput(own: Fingerprint | undefined, recorded: string | undefined): boolean {
  return own ? own.matches(recorded) : recorded === undefined;
}
