import type { LlmOutcome, ModelCalls, ModelRequest } from '#lib/activities';
import { type JsonObject, RedialError } from '#lib/kernel';
import { systemTime, type Time } from '#lib/workflow';
import { outcomeOf, type PlainReply, type ScriptedReply } from './scripted-reply.js';

/** A model of a test was asked once more than it has replies. */
export class ModelExhausted extends RedialError {}

/** A model of a test has replies that it was not asked for. */
export class RepliesLeft extends RedialError {}

/** A request as a model of a test got it, without secrets. */
export interface AskedRequest {
  readonly body: JsonObject;
  readonly headers: { readonly [name: string]: string };
}

/** A reply, or a function that makes it from the request. */
export type Scripted = ScriptedReply | ((request: AskedRequest) => ScriptedReply | Promise<ScriptedReply>);

/**
 * A model that gives these replies, one a call: `createTestEngine({ model: scriptedModel(['Hello']) })`. It makes no call and needs no
 * key.
 */
export function scriptedModel(replies: readonly Scripted[]): ScriptedModel {
  return new ScriptedModel(replies);
}

/** The model that `scriptedModel` makes; it performs the calls of a provider. */
export class ScriptedModel implements ModelCalls {
  readonly requests: AskedRequest[] = [];
  readonly #left: Scripted[];
  readonly #heldBack = new Set<{ readonly dueAt: number }>();
  #exhausted?: ModelExhausted;
  #time: Time = systemTime;

  constructor(replies: readonly Scripted[]) {
    this.#left = [...replies];
  }

  /** Measures its delays by this time from now on. */
  use(time: Time): void {
    this.#time = time;
  }

  /** The times at which the delayed replies come, in milliseconds since 1970. */
  get delays(): readonly number[] {
    return [...this.#heldBack].map(({ dueAt }) => dueAt);
  }

  async perform(
    { requestBody: body, timeoutMs }: ModelRequest,
    signal: AbortSignal,
    emit: (text: string) => void = () => undefined,
  ): Promise<LlmOutcome> {
    const request = { body, headers: { 'content-type': 'application/json' } };
    this.requests.push(request);
    const next = this.#left.shift();
    if (next === undefined) return this.#exhaust();
    const reply = typeof next === 'function' ? await next(request) : next;
    const isDelayed = typeof reply === 'object' && 'delayMs' in reply;
    if (!isDelayed) return outcomeOf(reply, body, emit, 0);
    const passedMs = Math.min(reply.delayMs, timeoutMs);
    await this.#pass(passedMs, signal);
    const came = signal.aborted || reply.delayMs > timeoutMs ? lateReply(signal, timeoutMs) : reply.reply;
    return outcomeOf(came, body, emit, passedMs);
  }

  /** @throws ModelExhausted if it was asked too often */
  assertEnough(): void {
    if (this.#exhausted) throw this.#exhausted;
  }

  /** @throws ModelExhausted if it was asked too often @throws RepliesLeft if replies are left */
  assertDone(): void {
    this.assertEnough();
    const count = this.#left.length;
    if (count === 0) return;
    throw new RepliesLeft(
      'the scripted model',
      `it was not asked for ${count} of its replies`,
      'Leave them out',
    );
  }

  #exhaust(): LlmOutcome {
    const asked = this.requests.length;
    this.#exhausted ??= new ModelExhausted(
      'the scripted model',
      `request ${asked} came, and it has ${asked - 1} replies`,
      'Give it one more, or find out why it is asked again',
    );
    const { message } = this.#exhausted;
    return { failed: { failure: { kind: 'exhausted', message, retryable: false, durationMs: 0 } } };
  }

  /** Ends sooner if the call is aborted. */
  async #pass(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const reply = { dueAt: this.#time.now().getTime() + milliseconds };
    await new Promise<void>((resolve) => {
      const end = () => {
        cancel();
        this.#heldBack.delete(reply);
        resolve();
      };
      const cancel = this.#time.after(milliseconds, end);
      this.#heldBack.add(reply);
      signal.addEventListener('abort', end, { once: true });
    });
  }
}

function lateReply({ aborted }: AbortSignal, timeoutMs: number): PlainReply {
  return aborted
    ? { error: 'interrupted' }
    : { error: 'timeout', message: `No whole reply came within ${timeoutMs} ms.` };
}
