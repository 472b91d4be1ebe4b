import type { Event, Rejection } from '#lib/kernel';
import type { Activities } from '../activities.js';

/** What a scripted activity does when it is performed. */
export type ScriptedOutcome<E extends Event> = (request: E, signal: AbortSignal) => E | Promise<E>;

/** Activities that answer by a script, in order, and throw once it is used up. */
export class ScriptedActivities<E extends Event> implements Activities<E> {
  /** The requests that came, in order: each stands for one call on the wire. */
  readonly performed: E[] = [];
  /** What `preflight` says, until it is set otherwise. */
  refusal: Rejection | undefined;
  readonly #script: ScriptedOutcome<E>[];

  constructor(...script: ScriptedOutcome<E>[]) {
    this.#script = script;
  }

  /** How many outcomes are left. */
  get left(): number {
    return this.#script.length;
  }

  preflight(): Rejection | undefined {
    return this.refusal;
  }

  async perform(request: E, signal: AbortSignal): Promise<E> {
    this.performed.push(request);
    const outcome = this.#script.shift();
    if (!outcome) throw new Error(`The script is used up: nothing answers ${request.type}.`);
    return outcome(request, signal);
  }
}
