/** What somebody wants. Time, ids and who is asking arrive in it as data. */
export interface Command<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data;
}

/** Who asked for a command, when, and how a repeat of it is recognised. */
export interface CommandEnvelope {
  readonly commandId: string;
  /** SHA-256 over what the caller sent. Equal ids with unequal fingerprints are two different wishes under one key. */
  readonly fingerprint: string;
  readonly correlationId: string;
  readonly causationId: string;
  readonly actor: string;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
}
