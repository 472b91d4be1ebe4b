import { BYTES_OF_KEY } from '#lib/event-store';
import {
  isDeeperThan,
  isJsonObject,
  isSha256,
  type JsonObject,
  jsonText,
  parseJsonObject,
} from '#lib/kernel';
import {
  type BlobLine,
  type EndLine,
  type EventLine,
  FORMAT,
  type HistoryHead,
  type KeysLine,
  MOST_LEVELS,
  MOST_STREAMS,
  REDACTIONS,
  type Redaction,
  ROOT_KINDS,
} from './history-lines.js';

/** The reason why a line is refused. */
export interface Refused {
  readonly refused: string;
}

export type BodyLine =
  | ({ readonly is: 'keys' } & KeysLine)
  | ({ readonly is: 'blob' } & BlobLine)
  | ({ readonly is: 'event' } & EventLine)
  | ({ readonly is: 'end' } & EndLine);

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
/** Base64 with padding, in the one spelling that its bytes have. */
const isBase64: Check = (value) =>
  typeof value === 'string' && Buffer.from(value, 'base64').toString('base64') === value;
const isOneOf =
  (values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string);

/** The members of a line in their order; a name that ends with `?` may be absent. */
type Members = Readonly<Record<string, Check>>;

const HEAD: Members = {
  redial: isOneOf(['history']),
  format: (value) => value === FORMAT,
  engine: isText,
  exportedAt: isText,
  log: isText,
  root: (value) => isOf(value, { kind: isOneOf(ROOT_KINDS), id: isText }),
  streams: (value) => Array.isArray(value) && value.length > 0 && value.every(isStream),
  redaction: isOneOf(REDACTIONS),
  'seal?': isJsonObject,
};

const EVENT: Members = {
  stream: isText,
  revision: isCount,
  eventId: isText,
  type: isText,
  schemaVersion: isCount,
  occurredAt: isText,
  data: isJsonObject,
  metadata: isJsonObject,
};

const KEY_OF_SUBJECT: Members = {
  subject: isText,
  key: (value) => isBase64(value) && Buffer.from(value as string, 'base64').length === BYTES_OF_KEY,
};

const BODY: { readonly [Is in BodyLine['is']]: (redaction: Redaction) => Members } = {
  keys: () => ({ keys: (value) => Array.isArray(value) && value.every((one) => isOf(one, KEY_OF_SUBJECT)) }),
  blob: () => ({ blob: isSha256, 'text?': isText, 'base64?': isBase64 }),
  event: (redaction) =>
    redaction === 'none' ? EVENT : { ...EVENT, dataSha256: isSha256, metadataSha256: isSha256 },
  end: () => ({ end: (value) => value === true, events: isCount, sha256: isSha256 }),
};

function isStream(value: unknown): boolean {
  return isOf(value, { stream: isText, events: (count) => isCount(count) && count !== 0 });
}

function isOf(value: unknown, members: Members): boolean {
  return isJsonObject(value) && problemOf(value, members) === undefined;
}

export const TOO_DEEP = `it is nested more than ${MOST_LEVELS} levels deep`;

/** The first line. */
export function readHead(text: string): HistoryHead | Refused {
  const line = parseJsonObject(text);
  if (line?.['redial'] !== 'history') return { refused: 'its first line is not that of a history file' };
  if (isDeeperThan(line, MOST_LEVELS)) return { refused: TOO_DEEP };
  if (line['format'] !== FORMAT) {
    return { refused: `its format is ${jsonText(line['format'] ?? null)}, and this version reads format 1` };
  }
  const why = problemOf(line, HEAD) ?? inexact(line, text);
  if (why !== undefined) return { refused: why };
  const head = line as JsonObject & HistoryHead;
  return head.streams.length > MOST_STREAMS ? { refused: `it has more than ${MOST_STREAMS} streams` } : head;
}

/** A line after the first. */
export function readBodyLine(text: string, redaction: Redaction): BodyLine | Refused {
  const line = parseJsonObject(text);
  if (!line) return { refused: 'it is not a JSON object' };
  if (isDeeperThan(line, MOST_LEVELS)) return { refused: TOO_DEEP };
  const is = 'keys' in line ? 'keys' : 'blob' in line ? 'blob' : 'end' in line ? 'end' : 'event';
  const why = problemOf(line, BODY[is](redaction)) ?? inexact(line, text);
  return why === undefined ? ({ is, ...line } as BodyLine) : { refused: why };
}

/** The texts of an event are the bytes of its line: a line with another spelling would give other texts. */
function inexact(line: JsonObject, text: string): string | undefined {
  return jsonText(line) === text ? undefined : 'it is not the compact JSON text of its value';
}

function problemOf(line: JsonObject, members: Members): string | undefined {
  const names = Object.keys(members).map((name) => name.replace('?', ''));
  const unknown = Object.keys(line).find((name) => !names.includes(name));
  if (unknown !== undefined) return `its member ${jsonText(unknown)} is not one of the format`;
  for (const [declared, check] of Object.entries(members)) {
    const name = declared.replace('?', '');
    const value = line[name];
    if (value === undefined && name !== declared) continue;
    if (value === undefined) return `its member ${name} is missing`;
    if (!check(value)) return `its member ${name} is not what the format has there`;
  }
  return undefined;
}
