import { type JsonObject, jsonText } from '#lib/kernel';

// The lines of a history file, format 1. The format never changes: docs/history-format.md is its specification.

export const FORMAT = 1;

/** The most bytes of a line, without its end. */
export const LONGEST_LINE = 64 * 1024 * 1024;
/** The most levels of a line, and of a value that is stored apart: more than a log takes, and less than exhausts the stack of code that walks it. */
export const MOST_LEVELS = 1_500;
/** The most lines of a file, and the most streams of one. */
export const MOST_LINES = 4_000_000;
export const MOST_STREAMS = 100_000;

export const ROOT_KINDS = ['session', 'run', 'conversation'] as const;

/** The subject of a history. */
export interface HistoryRoot {
  readonly kind: (typeof ROOT_KINDS)[number];
  readonly id: string;
}

export const REDACTIONS = ['none', 'content'] as const;
export type Redaction = (typeof REDACTIONS)[number];

/** The first line. */
export interface HistoryHead {
  readonly redial: 'history';
  readonly format: typeof FORMAT;
  /** The version of the engine that wrote the file. */
  readonly engine: string;
  /** ISO 8601, UTC. */
  readonly exportedAt: string;
  /** The id of the log. */
  readonly log: string;
  readonly root: HistoryRoot;
  /** The stream of the root, then the others in the order of their first events. Names are without the prefix of the log. */
  readonly streams: readonly StreamLength[];
  readonly redaction: Redaction;
  /** The last seal of the log, and the paths of the events in it: a `SealProof`, checked by `verifySealOf`. */
  readonly seal?: object;
}

interface StreamLength {
  readonly stream: string;
  readonly events: number;
}

/** The second line: the keys of the subjects of the history, which decrypt its content. */
export interface KeysLine {
  readonly keys: readonly KeyOfSubject[];
}

export interface KeyOfSubject {
  readonly subject: string;
  /** 32 bytes, in base64. */
  readonly key: string;
}

/** A value that is stored apart from its events. Its line is before the first event that uses it. */
export type BlobLine = {
  /** SHA-256 of its bytes, in hex. */
  readonly blob: string;
} & ({ readonly text: string } | { readonly base64: string });

/** A stored event. In a redacted file `data` and `metadata` hold only their structure, and the hashes are those of the stored texts. */
export interface EventLine {
  readonly stream: string;
  readonly revision: number;
  readonly eventId: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly occurredAt: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
  readonly dataSha256?: string;
  readonly metadataSha256?: string;
}

/** The last line. */
export interface EndLine {
  readonly end: true;
  readonly events: number;
  /** The hash of all bytes before this line, in hex. */
  readonly sha256: string;
}

export function lineText(line: HistoryHead | KeysLine | BlobLine | EventLine | EndLine): string {
  return `${jsonText(line)}\n`;
}

export function blobText(line: BlobLine): string {
  return 'text' in line ? line.text : Buffer.from(line.base64, 'base64').toString();
}
