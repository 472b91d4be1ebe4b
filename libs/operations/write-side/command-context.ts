import {
  derivedId,
  ENGINE_ACTOR,
  type Fingerprint,
  type IdSource,
  jsonText,
  parseTraceparent,
  reject,
} from '#lib/kernel';
import { OPERATOR, type Role, type Standing } from '../dispatch/access.js';
import { WrittenPosition } from '../read-side/written-position.js';
import { KeyTarget } from './key-target.js';
import type { ReadAhead } from './read-ahead.js';
import { RejectionError } from './rejection-error.js';

/** The subject of a call, once it is known: the recorded answer of a keyed call is encrypted under its key. */
export class CallSubject {
  #subject: string | undefined;

  get name(): string | undefined {
    return this.#subject;
  }

  note(subject: string | undefined): void {
    this.#subject ??= subject;
  }
}

/** The caller, and the key by which a repeat of the call is recognised. */
export interface CommandOptions {
  /** 1 to 128 printable characters. The same key with the same input again gives the same answer and adds no event. */
  readonly idempotencyKey?: string;
  /** The caller, in whose name the key is unique. Default `operator`. */
  readonly actor?: string;
  /** Present if the caller has to prove that they may act as a human: code in this process is trusted. */
  readonly proof?: { readonly actorToken?: string };
  /**
   * `true`: the caller may not propose, ask or arbitrate in a round that waits for a person, force a decision, or answer a question that a
   * run asks people. Refused as `waits-for-person`.
   */
  readonly leaveToPeople?: boolean;
  /** The span of the caller, in the form of W3C Trace Context. Any other text is ignored. */
  readonly traceparent?: string;
}

/** One call of an operation, with its identity settled. */
export interface CommandContext {
  /** UUIDv5 of actor, operation and key; a fresh UUID without a key. */
  readonly commandId: string;
  /** Of the input of a call with a key; absent without one. */
  readonly fingerprint?: Fingerprint;
  readonly actor: string;
  readonly standing: Standing;
  readonly role: Role;
  /** The person for whom a trusted caller acts. */
  readonly actAs?: string;
  /** The operation, with the ids of its path; absent for calls of the engine itself. */
  readonly operation?: string;
  /** Whether the caller may repeat it under a key. */
  readonly keyed: boolean;
  /** The event that caused it; absent for a call of a caller. */
  readonly causationId?: string;
  readonly leaveToPeople?: boolean;
  readonly traceparent?: string;
  /** The position of the last event that was written for it and for the calls that it causes. */
  readonly written: WrittenPosition;
  /** The target of the call, if its command chooses one. */
  readonly target: KeyTarget;
  readonly about: CallSubject;
  /** The streams that its operation reads first, if the log is read over a network: these reads begin before the key is read. */
  readonly ahead?: ReadAhead;
}

/** Namespace of the ids of commands that come with a key. */
const COMMANDS = '6f1a6a5e-3f64-4b5e-9f0b-0c5a3f6f7d11';

/** The id of an operation with the names in its path: a key counts within it alone. */
export function scopeOfKey(operationId: string, named: object): string {
  return `${operationId} ${JSON.stringify(named)}`;
}

/** @param operation `scopeOfKey` */
export function keyedCommandId(actor: string, operation: string, key: string): string {
  return derivedId(COMMANDS, jsonText([actor, operation, key]));
}

/**
 * @throws RejectionError for an invalid key
 * @param operation `scopeOfKey`
 * @param fingerprint of the input; asked for if there is a key
 */
export function commandContext(
  operation: string,
  options: Omit<CommandOptions, 'proof'> & Partial<Pick<CommandContext, 'standing' | 'role' | 'actAs'>>,
  ids: IdSource,
  fingerprint?: () => Fingerprint,
): CommandContext {
  const {
    idempotencyKey,
    actor = OPERATOR,
    standing = 'trusted',
    role = 'operator',
    actAs,
    leaveToPeople,
    traceparent,
  } = options;
  refuseInvalidKey(idempotencyKey);
  const commandId =
    idempotencyKey === undefined ? ids.next() : keyedCommandId(actor, operation, idempotencyKey);
  return {
    commandId,
    operation,
    actor,
    standing,
    role,
    ...(actAs !== undefined && { actAs }),
    keyed: idempotencyKey !== undefined,
    written: new WrittenPosition(),
    target: new KeyTarget(),
    about: new CallSubject(),
    ...(idempotencyKey !== undefined && fingerprint && { fingerprint: fingerprint() }),
    ...(leaveToPeople && { leaveToPeople }),
    ...(parseTraceparent(traceparent) && { traceparent }),
  };
}

/**
 * Refuses an invalid key from any door. A key that is not a text would be ignored, or become another key. @throws RejectionError
 */
export function refuseInvalidKey(key: unknown): void {
  if (key !== undefined && !isKey(key)) throw new RejectionError(badKey());
}

/** Whether this is an idempotency key: 1 to 128 printable ASCII characters. */
export function isKey(key: unknown): key is string {
  return typeof key === 'string' && /^[\x20-\x7e]{1,128}$/.test(key);
}

function badKey() {
  const what = 'the idempotency key';
  const text = {
    errorClass: 'MalformedInput',
    what,
    why: 'it is not 1 to 128 printable characters',
    fix: 'Send a UUID',
  };
  return reject('malformed', 'malformed-key', text, [
    { path: '/idempotencyKey', message: 'is not 1 to 128 printable characters' },
  ]);
}

/** The author of a call: its principal, or the person for whom a trusted caller acts. */
export function authorOf({ actor, actAs }: Pick<CommandContext, 'actor' | 'actAs'>): string {
  return actAs ?? actor;
}

/**
 * The id under which the caller may be a person: proved by a token, or given by code of this process, which may also name an actor
 * that is no person. `undefined` for an operator, a caller who has proved nothing, and the engine itself.
 */
export function personOf(context: Pick<CommandContext, 'actor' | 'actAs' | 'standing'>): string | undefined {
  const author = authorOf(context);
  const isNobody = context.standing === 'operator' || author === OPERATOR || author === ENGINE_ACTOR;
  return isNobody ? undefined : author;
}

/** The context of a command that another one causes: a repeat of the one repeats the other. */
export function childContext(context: CommandContext, step: string): CommandContext {
  const { ahead: _ofTheCall, ...inherited } = context;
  return { ...inherited, commandId: derivedId(context.commandId, step) };
}
