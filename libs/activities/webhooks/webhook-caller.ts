import { jsonText } from '#lib/kernel';
import {
  holdsTooManyMembers,
  type ReceivedReply,
  type RecordedReply,
  TOO_MANY_MEMBERS,
} from '#lib/call-rules';
import { type ActivityFailure, stopwatch, withTimeLimit } from '#lib/workflow';
import { type CallFailure, callFailure, INTERRUPTED } from '../http/call-failure.js';
import { httpExchange, httpHead, type HttpReply } from '../http/http-exchange.js';
import {
  beginningOf,
  receivedReply,
  recordedBody,
  recordedReplyHeaders,
  recordedRequestHeaders,
} from '../http/recorded-exchange.js';
import type { Redactor } from '../redaction/redactor.js';
import { WebhookTokens } from './webhook-tokens.js';

/** Whether webhooks may be called in networks other than the public internet. */
export interface WebhookSettings {
  readonly privateAddresses: 'allow' | 'refuse';
  /**
   * The variables that `webhookTokenName` names. They are read at every call, and only if their names are, or end in, `WEBHOOK_TOKEN` or
   * `HOOK_TOKEN`. Default: none.
   */
  readonly tokens?: { readonly [name: string]: string | undefined };
}

/** One call of a webhook. */
export interface WebhookCall {
  /** http or https, without credentials. */
  readonly url: string;
  /** The user of the Basic authentication: a machine, or a tool. */
  readonly machineName: string;
  /** The name of its password, see `WebhookTokens`. Without it, no authentication is sent. */
  readonly webhookTokenName?: string;
  /** The body, as JSON text. */
  readonly body: object;
  /** Milliseconds for the whole reply, from the connection to the last byte. */
  readonly timeoutMs: number;
}

/** The recorded outcome of a call: a whole reply of any status, or a failure with the received part. Known secrets and the token are redacted. */
export type WebhookOutcome =
  | { readonly kind: 'completed'; readonly reply: RecordedReply }
  | { readonly kind: 'failed'; readonly failure: ActivityFailure; readonly received?: ReceivedReply };

/** A call of which only the status and headers of the reply count. */
interface Notification {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds from the connection to the head of the reply. */
  readonly timeoutMs: number;
}

/** The head of a reply, or the reason why none came. */
type Notified =
  | { readonly status: number; readonly headers: RecordedReply['responseHeaders'] }
  | { readonly failure: string };

/** Calls the webhooks of proposers and of arbiters. One call is at most one HTTP request; redirects are not followed. */
export class WebhookCaller {
  private readonly publicOnly: boolean;
  private readonly tokens: WebhookTokens;

  /** @param redactor learns the tokens that are used */
  constructor(
    { privateAddresses, tokens }: WebhookSettings,
    private readonly redactor: Redactor,
  ) {
    this.publicOnly = privateAddresses === 'refuse';
    this.tokens = new WebhookTokens(tokens);
  }

  /** Does not throw: failures of the outside world are outcomes. After the signal aborts it resolves soon, with `interrupted`. */
  async call(call: WebhookCall, signal: AbortSignal): Promise<WebhookOutcome> {
    const elapsed = stopwatch();
    let { redactor } = this;
    if (signal.aborted) return failed(INTERRUPTED, elapsed(), redactor);
    return withTimeLimit(signal, call.timeoutMs, async (limited) => {
      try {
        const auth = this.authOf(call);
        if (auth) redactor = this.redactor.with([auth.credentials]);
        const headers = { ...HEADERS, ...(auth && { authorization: auth.header }) };
        const reply = await this.exchanged(call, headers, limited);
        return await completed(reply, headers, elapsed(), redactor);
      } catch (error) {
        const cause = signal.aborted ? INTERRUPTED : callFailure(error, limited.aborted, call.timeoutMs);
        return { ...failed(cause, elapsed(), redactor), ...(await receivedReply(error, redactor)) };
      }
    });
  }

  /** One request, by the address rules of `call`. Does not read the body of the reply, and does not throw. */
  notify({ url, headers, body, timeoutMs }: Notification): Promise<Notified> {
    const { redactor, publicOnly } = this;
    return withTimeLimit(new AbortController().signal, timeoutMs, async (signal) => {
      try {
        const request = { url: new URL(url), headers: { ...HEADERS, ...headers }, body, signal, publicOnly };
        const reply = await httpHead(request);
        return { status: reply.status, headers: recordedReplyHeaders(reply.headers, redactor) };
      } catch (error) {
        return { failure: redactor.text(callFailure(error, signal.aborted, timeoutMs).message) };
      }
    });
  }

  private authOf({ machineName, webhookTokenName: name }: WebhookCall): BasicAuth | undefined {
    if (name === undefined) return undefined;
    const password = this.tokens.named(name);
    this.redactor.learn([password]);
    return basicAuth(machineName, password);
  }

  private exchanged(
    { url, body }: WebhookCall,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<HttpReply> {
    const { publicOnly } = this;
    return httpExchange({ url: new URL(url), headers, body: jsonText(body), signal, publicOnly });
  }
}

const HEADERS = {
  accept: 'application/json, text/plain',
  'content-type': 'application/json',
  'user-agent': 'redial',
};

async function completed(
  { status, headers, body }: HttpReply,
  sent: Readonly<Record<string, string>>,
  durationMs: number,
  redactor: Redactor,
): Promise<WebhookOutcome> {
  const responseHeaders = recordedReplyHeaders(headers, redactor);
  const recorded = await recordedBody(body, redactor);
  if (holdsTooManyMembers(recorded.content)) {
    const cause = { kind: 'unusable', message: TOO_MANY_MEMBERS, retryable: false };
    const received = { status, responseHeaders, body: beginningOf(recorded) };
    return { ...failed(cause, durationMs, redactor), received };
  }
  const requestHeaders = recordedRequestHeaders(sent, redactor);
  return {
    kind: 'completed',
    reply: { status, requestHeaders, responseHeaders, body: recorded, durationMs },
  };
}

function failed(
  cause: CallFailure,
  durationMs: number,
  redactor: Redactor,
): Extract<WebhookOutcome, { kind: 'failed' }> {
  return { kind: 'failed', failure: { ...cause, message: redactor.text(cause.message), durationMs } };
}

interface BasicAuth {
  readonly header: string;
  /** Would reveal a password that is too short to be redacted; empty if there is no password. */
  readonly credentials: string;
}

/** An unset password counts as empty: there is nothing to hide. */
function basicAuth(user: string, password: string): BasicAuth {
  const credentials = Buffer.from(`${user}:${password}`).toString('base64');
  const header = `Basic ${credentials}`;
  // Without the padding, because the padding in an echo reveals nothing.
  return { header, credentials: password === '' ? '' : credentials.replace(/=+$/, '') };
}
