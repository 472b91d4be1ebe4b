import type { Fingerprint } from './fingerprint.js';

/** A request to change state. Time, ids and the caller are part of its data. */
export interface Command<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data;
}

/** The caller and the time of a command, and the id by which a repeat is recognized. */
export interface CommandEnvelope {
  readonly commandId: string;
  /**
   * The fingerprint of the caller's input; absent without an idempotency key. Equal ids with unequal fingerprints are two different requests under
   * one key.
   */
  readonly fingerprint?: Fingerprint;
  readonly correlationId: string;
  /** The subject of the stream, for a command that begins one. Later commands take the subject of its first event. */
  readonly keyId?: string;
  /** Absent: the command itself. */
  readonly causationId?: string;
  readonly actor: string;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
  /** Absent if the caller sent none. */
  readonly traceparent?: string;
}
