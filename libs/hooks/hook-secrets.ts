import { Webhook } from 'standardwebhooks';
import type { Redactor, WebhookTokens } from '#lib/activities';
import { ERASED, KeyMissing } from '#lib/event-store';
import type { SubjectKeys } from '#lib/read-models';
import type { Hook, HooksState } from './hook.decider.js';

const PREFIX = 'whsec_';
/** 24 bytes and more, in base64. */
const FORM = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;

/** Places in one query. */
const AT_ONCE = 1_000;

/** A hook and its life: a later hook of the same id has another secret. */
type Keeper = Pick<Hook, 'hookId' | 'life'>;

/** The secrets of hooks: in variables of the process, which are read at every use, or in the store of keys, beside those of subjects. */
export class HookSecrets {
  /** Secrets of the store that were used. */
  readonly #kept = new Map<string, string>();
  /** Places in the store that are known to have no secret any more. */
  readonly #destroyed = new Set<string>();

  /** @param redactor learns the secrets that are used */
  constructor(
    private readonly tokens: WebhookTokens,
    private readonly keys: SubjectKeys,
    private readonly redactor: Redactor,
  ) {}

  /** Whether a hook can have a secret that no variable holds. */
  get canKeep(): boolean {
    return this.keys.canMake;
  }

  /** @returns the signer of its requests, or why there is none @throws StoreUnavailable */
  async signer(hook: Keeper & Pick<Hook, 'secretName'>): Promise<Webhook | string> {
    const { secretName } = hook;
    if (secretName !== undefined) return this.#named(secretName);
    try {
      const secret = await this.#found(hook);
      return secret === undefined
        ? `the secret of ${hook.hookId} is not in the store of keys`
        : new Webhook(secret);
    } catch (error) {
      if (error instanceof KeyMissing)
        return `the secret of ${hook.hookId} cannot be opened by this master key`;
      throw error;
    }
  }

  /** The random secret of a hook: the first call makes it, and it is in the store before this resolves. @throws MasterKeyRefused @throws KeyMissing @throws StoreUnavailable */
  async make(hook: Keeper): Promise<string | undefined> {
    return this.#noted(hook, await this.keys.make(placeOf(hook)));
  }

  /** Destroys the secrets of deleted hooks. @param deleted how many of each id @throws StoreUnavailable */
  async destroyAll(deleted: HooksState['deleted'], at: string): Promise<void> {
    if (!this.canKeep) return;
    const places = [...deleted].flatMap(([hookId, lives]) =>
      Array.from({ length: lives }, (_, life) => placeOf({ hookId, life })),
    );
    const left = places.filter((place) => !this.#destroyed.has(place));
    for (let from = 0; from < left.length; from += AT_ONCE) {
      const some = left.slice(from, from + AT_ONCE);
      for (const place of await this.keys.havingKeys(some)) await this.keys.destroy(place, at);
      for (const place of some) {
        this.#kept.delete(place);
        this.#destroyed.add(place);
      }
    }
  }

  #named(secretName: string): Webhook | string {
    const secret = this.tokens.named(secretName);
    if (secret === '') return `the variable ${secretName} is not set in this process`;
    this.redactor.learn([secret, secret.slice(PREFIX.length)]);
    if (FORM.test(secret)) return new Webhook(secret);
    return `the variable ${secretName} holds no secret of Standard Webhooks: whsec_ and 24 bytes or more in base64`;
  }

  async #found(hook: Keeper): Promise<string | undefined> {
    return this.#kept.get(placeOf(hook)) ?? this.#noted(hook, await this.keys.find(placeOf(hook)));
  }

  #noted(hook: Keeper, key: Uint8Array | typeof ERASED | undefined): string | undefined {
    if (key === undefined || key === ERASED) return undefined;
    const encoded = Buffer.from(key).toString('base64');
    this.redactor.learn([PREFIX + encoded, encoded]);
    this.#kept.set(placeOf(hook), PREFIX + encoded);
    return PREFIX + encoded;
  }
}

/** The name of the secret in the store of keys. No subject has such a name: names of subjects are printable. */
function placeOf({ hookId, life }: Keeper): string {
  return `hook\u0001${hookId}\u0001${life}`;
}
