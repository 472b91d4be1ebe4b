/** An event as a lib declares it: a type (the storage name) and its data. */
export interface Event<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data;
}

/** The actor of the engine's own acts. Part of the storage format: events leave it out. */
export const ENGINE_ACTOR = 'redial';

/** Facts about the recording of an event. Replay never compares them. */
export interface EventMetadata {
  /** Absent for 1. */
  readonly schemaVersion?: number;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
  /**
   * The session or evaluation that the event belongs to; for machines, gates and specialists, their own stream. Not stored if it is the id in the
   * name of the stream.
   */
  readonly correlationId: string;
  /** The event that caused this one. Absent: the command itself. Not stored in a run if it is the start. */
  readonly causationId?: string;
  /** Absent on the events of a run that no command records: outcomes, timers, all derived ones, and a start that a stream or another run asks for. */
  readonly commandId?: string;
  /** The fingerprint of the input of a call with an idempotency key (`Fingerprint.text`); the plain SHA-256 before 0.3. */
  readonly commandFingerprint?: string;
  /** The caller: `operator`, a specialist's id, or `ENGINE_ACTOR`, which is not stored. */
  readonly actor: string;
  /** On a command's first event: the part of the command that `Decider.record` kept, so that it can be decided again. */
  readonly command?: unknown;
  /** The event was copied from another stream when this one was forked from it. It counts only in the other stream. */
  readonly copied?: true;
  /** The span of the caller (W3C Trace Context), on the events of a command and on the starts of the runs that it causes. */
  readonly traceparent?: string;
  /** The encoding of the stored event. Only stores see it, because the codec puts every value back in its place. */
  readonly encoding?: EventEncoding;
  /** The subject that the event is about. Its content is encrypted under the key of that subject. */
  readonly keyId?: string;
  /** The subject was erased, and content is missing. Not stored: only readers see it. */
  readonly erased?: true;
  /** Reserved for the hash of the previous event. */
  readonly prevHash?: string;
}

/** The values of an event whose stored form differs. Values are encrypted before blobs are made of them. */
export interface EventEncoding {
  /** JSON pointers into `{ data, metadata }`, to values that are encrypted under the key of `keyId`. */
  readonly encrypted?: readonly string[];
  /** Values that are stored apart from the event. */
  readonly blobs?: readonly BlobReference[];
}

/** A member that is stored as a blob. The stored event holds null instead. */
export interface BlobReference {
  /** JSON pointer into `{ data, metadata }`. */
  readonly pointer: string;
  /** SHA-256 of the UTF-8 bytes of the member's JSON text; it names the blob. */
  readonly sha256: string;
  /** The number of these bytes. */
  readonly bytes: number;
}

/** An event as the log returns it, with its revision and position. */
export type RecordedEvent<E extends Event = Event> = E & {
  readonly eventId: string;
  readonly schemaVersion: number;
  readonly stream: string;
  /** Index in its stream, from 0. */
  readonly revision: number;
  /** Position in the whole log: opaque, ordered as text within one log. */
  readonly position: string;
  readonly occurredAt: string;
  readonly metadata: EventMetadata;
};
