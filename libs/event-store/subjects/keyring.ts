import { RedialError, sha256 } from '#lib/kernel';
import { ERASED, type FoundKey } from './encrypted-members.js';
import { RecentEvents } from './recent-events.js';
import { SubjectKey } from './subject-key.js';

/** The store of the keys of subjects, outside the log. */
export interface KeySource {
  /** The key of a subject, or `ERASED`; `undefined` if there is neither. @throws StoreUnavailable */
  find(subject: string): Promise<Uint8Array | typeof ERASED | undefined>;
}

/** The key of a subject is missing and the subject was not erased. Its content cannot be read or written; all other content can. */
export class KeyMissing extends RedialError {
  override readonly answer = { status: 503, code: 'key-missing' };

  constructor(
    what: string,
    subject: string,
    why = 'its key is not in the key store, and it was not erased',
    fix = 'Restore the key store that belongs to this log',
  ) {
    super(what, `subject ${subject}: ${why}`, fix);
  }
}

/** The longest time until a subject that another process erased is erased in this process, too. */
export const HELD_MS = 10_000;
/** A key that was used meanwhile is looked up again before its time ends, because the content that it decrypted stays in memory. */
const RENEWED_MS = 9_000;
/** The most keys in memory, about 1 kB each. */
const MOST = 10_000;

/** Gives the text that takes the place of content in ids. */
export type Digest = (content: string) => string;

interface Held {
  readonly key: FoundKey;
  until: number;
  isUsed: boolean;
}

const NO_KEYS: KeySource = { find: () => Promise.resolve(undefined) };

/** The keys of subjects in the memory of one process, each for a short time. Without subjects, no key is looked up. */
export class Keyring {
  readonly #held = new Map<string, Held>();
  readonly #finding = new Map<string, Promise<FoundKey | undefined>>();
  #gone: (subject: string) => void = () => undefined;

  #source: KeySource;
  #areMade: boolean;

  constructor(
    source: KeySource = NO_KEYS,
    private readonly now: () => number = () => performance.now(),
    /** The last events that keys in memory have encrypted. */
    readonly recent = new RecentEvents(),
  ) {
    this.#source = source;
    this.#areMade = source !== NO_KEYS;
  }

  /** The store of keys, which is asked each time. */
  get source(): KeySource {
    return this.#source;
  }

  /** Whether there may be subjects. */
  get areUsed(): boolean {
    return this.#source !== NO_KEYS;
  }

  /** Whether keys can be made here. Without a master key, no event about a subject is written. */
  get areMade(): boolean {
    return this.#areMade;
  }

  /**
   * Sets the store of keys. It is set later because the log is opened before that store.
   * @param gone called when a key leaves the memory of this process
   */
  use(source: KeySource, areMade: boolean, gone: (subject: string) => void = () => undefined): void {
    this.#source = source;
    this.#areMade = areMade;
    this.#gone = gone;
  }

  /** @param what could not be done without the key @throws KeyMissing @throws StoreUnavailable */
  async of(subject: string, what: string): Promise<FoundKey> {
    const key = this.atHand(subject) ?? (await this.#find(subject));
    if (key === undefined) throw new KeyMissing(what, subject);
    return key;
  }

  /**
   * The key as it is in its store now, even if it is in memory: another process may have erased the subject.
   * @returns `undefined` for a subject without a key @throws StoreUnavailable
   */
  async renewed(subject: string): Promise<FoundKey | undefined> {
    const held = this.#held.get(subject);
    if (held && (await this.#isFoundAgain(subject, held))) return held.key;
    this.forget(subject);
    return this.#find(subject);
  }

  /** The key if it is in memory. */
  atHand(subject: string): FoundKey | undefined {
    const held = this.#held.get(subject);
    if (!held) return undefined;
    held.isUsed = true;
    if (held.until > this.now()) return held.key;
    this.#drop(subject);
    return undefined;
  }

  /** The digest of content in ids of events about a subject; without a subject, a plain hash. @throws KeyMissing @throws StoreUnavailable */
  async digestOf(subject: string | undefined): Promise<Digest> {
    return subject === undefined ? sha256 : digestUnder(await this.of(subject, 'no id can be made'));
  }

  /** `digestOf` without a look-up; `undefined` if one is needed. */
  digestAtHand(subject: string | undefined): Digest | undefined {
    const key = subject === undefined ? undefined : this.atHand(subject);
    return subject === undefined ? sha256 : key && digestUnder(key);
  }

  /** Removes the key from memory. A look-up that has begun keeps no key. */
  forget(subject: string): void {
    this.#drop(subject);
    this.#finding.delete(subject);
    this.#gone(subject);
  }

  #drop(subject: string): void {
    const { key } = this.#held.get(subject) ?? {};
    if (key instanceof SubjectKey) this.recent.forget(key);
    this.#held.delete(subject);
  }

  /** Removes all keys from memory. */
  forgetAll(): void {
    for (const subject of new Set([...this.#held.keys(), ...this.#finding.keys()])) this.forget(subject);
  }

  #find(subject: string): Promise<FoundKey | undefined> {
    const known = this.#finding.get(subject);
    if (known) return known;
    const finding = this.#source.find(subject).then((found) => {
      const key = found === undefined || found === ERASED ? found : new SubjectKey(found);
      if (key !== undefined && this.#finding.get(subject) === finding) this.#keep(subject, key);
      return key;
    });
    this.#finding.set(subject, finding);
    const ended = () => {
      if (this.#finding.get(subject) === finding) this.#finding.delete(subject);
    };
    void finding.then(ended, ended);
    return finding;
  }

  #keep(subject: string, key: FoundKey): void {
    const held = { key, until: this.now() + HELD_MS, isUsed: false };
    this.#drop(subject);
    if (key instanceof SubjectKey) this.recent.hold(key);
    this.#held.set(subject, held);
    this.#keepFor(subject, held);
    const [oldest] = this.#held.keys();
    if (this.#held.size > MOST && oldest !== undefined) this.forget(oldest);
  }

  #keepFor(subject: string, held: Held): void {
    const leave = () => this.#held.get(subject) === held && this.forget(subject);
    const leaving = setTimeout(leave, HELD_MS).unref();
    const renew = async () => {
      if (!(await this.#isRenewed(subject, held))) return;
      clearTimeout(leaving);
      this.#keepFor(subject, held);
    };
    setTimeout(() => void renew(), RENEWED_MS).unref();
  }

  /** Whether the key may stay. A key that is missing or has changed leaves at the end of its time. */
  async #isRenewed(subject: string, held: Held): Promise<boolean> {
    if (!held.isUsed || this.#held.get(subject) !== held) return false;
    held.isUsed = false;
    return this.#isFoundAgain(subject, held).catch(() => false);
  }

  async #isFoundAgain(subject: string, held: Held): Promise<boolean> {
    const { key } = held;
    if (key === ERASED) return false;
    const until = this.now() + HELD_MS;
    const found = await this.#source.find(subject);
    if (found === undefined || found === ERASED) return false;
    if (!key.isOf(found) || this.#held.get(subject) !== held) return false;
    held.until = until;
    return true;
  }
}

/** Ids about an erased subject have no content. */
function digestUnder(key: FoundKey): Digest {
  return key === ERASED ? () => ERASED : (content) => key.digest(content);
}
