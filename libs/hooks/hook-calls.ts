import type { WebhookCaller } from '#lib/activities';
import { longWaitAskedBy } from '#lib/call-rules';
import { type JsonObject, jsonText } from '#lib/kernel';
import type { Time } from '#lib/workflow';
import type { Hook } from './hook.decider.js';
import type { HookSecrets } from './hook-secrets.js';

/** From the connection to the head of the reply. */
const TIMEOUT_MS = 15_000;

/** By Standard Webhooks: too many requests, and gateways whose server does not answer. */
const UNDER_LOAD: ReadonlySet<number> = new Set([429, 502, 504]);

/** The body of a request. */
export interface Message {
  readonly type: string;
  /** Of the event, ISO 8601. */
  readonly timestamp: string;
  /** Ids, names and a status. */
  readonly data: JsonObject;
}

/** How a request went. */
export interface HookAnswer {
  /** Absent if no reply came. */
  readonly status?: number;
  /** Why it failed. */
  readonly error?: string;
  /** The pause that the receiver asks for. */
  readonly afterMs?: number;
  /** The receiver cannot take so many requests, of any type. */
  readonly isUnderLoad?: true;
}

/** Calls hooks as Standard Webhooks says. One call is at most one request; redirects are not followed. */
export class HookCalls {
  constructor(
    private readonly webhooks: WebhookCaller,
    private readonly secrets: HookSecrets,
    private readonly time: Time,
  ) {}

  /** @param id the same for each attempt to send this message */
  async send(
    hook: Pick<Hook, 'hookId' | 'life' | 'url' | 'secretName'>,
    id: string,
    message: Message,
  ): Promise<HookAnswer> {
    const signer = await this.secrets.signer(hook);
    if (typeof signer === 'string') return { error: `It was not sent: ${signer}.` };
    const now = this.time.now();
    const body = jsonText(message);
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': signer.sign(id, now, body),
    };
    const sent = await this.webhooks.notify({ url: hook.url, headers, body, timeoutMs: TIMEOUT_MS });
    if ('failure' in sent) return { error: sent.failure };
    const { status } = sent;
    if (status >= 200 && status < 300) return { status };
    const { retryAfterMs: afterMs } = longWaitAskedBy(sent.headers, now.toISOString());
    return {
      status,
      error: `The receiver answered ${status}.`,
      ...(afterMs !== undefined && { afterMs }),
      ...(UNDER_LOAD.has(status) && { isUnderLoad: true }),
    };
  }
}
