import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { sha256 } from '#lib/kernel';
import { HistoryBroken } from './history-broken.js';
import { LONGEST_LINE } from './history-lines.js';
import { type HistoryPart, readHistory } from './read-history.js';
import { bodyOf, resummed } from './testing/history-files.js';

const occurredAt = '2026-01-02T03:04:05.678Z';
const value = '"a large value"';
const blobs = [{ pointer: '/data/note', sha256: sha256(value), bytes: value.length }];

function event(stream: string, revision: number, more: object = {}): object {
  const metadata = { occurredAt, commandId: 'c' };
  return {
    stream,
    revision,
    eventId: 'e',
    type: 'Said',
    schemaVersion: 1,
    occurredAt,
    data: {},
    metadata,
    ...more,
  };
}

const head = {
  redial: 'history',
  format: 1,
  engine: '0.3.0',
  exportedAt: occurredAt,
  log: 'log',
  root: { kind: 'session', id: '1' },
  streams: [
    { stream: 'session-1', events: 2 },
    { stream: 'solicitation-2', events: 1 },
  ],
  redaction: 'none',
};
const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
const blob = { blob: sha256(value), text: value };
const usesBlob = event('session-1', 0, { metadata: { occurredAt, commandId: 'c', encoding: { blobs } } });
const body: readonly object[] = [head, blob, usesBlob, event('solicitation-2', 0), event('session-1', 1)];

const texts = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line));
const whole = resummed(texts(body));

async function partsOf(text: string | Uint8Array, size = 11): Promise<readonly HistoryPart[]> {
  const bytes = Buffer.from(text);
  const count = Math.ceil(bytes.length / size);
  const chunks = Array.from({ length: count }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
  const parts: HistoryPart[] = [];
  for await (const part of readHistory(Readable.from(chunks))) parts.push(part);
  return parts;
}

/** The line at which a file is refused, and the reason. */
async function refusal(text: string | Uint8Array, size?: number): Promise<readonly [number, string]> {
  const error = await partsOf(text, size).then(
    () => new Error('it was taken'),
    (thrown: Error) => thrown,
  );
  if (!(error instanceof HistoryBroken)) throw error;
  return [error.line, error.message.replace(/^\[HistoryBroken\] .*? at line \d+: /, '')];
}

/** The file with one line replaced, and the checksum of that. */
function changed(line: number, to: object | string): string {
  const lines = texts(body);
  return resummed(lines.with(line - 1, typeof to === 'string' ? to : JSON.stringify(to)));
}

describe('reading a history file', () => {
  it('gives its parts with the places of their lines, however the bytes come', async () => {
    const parts = await partsOf(whole);
    expect(parts.map(({ is }) => is)).toEqual(['head', 'blob', 'event', 'event', 'event', 'end']);
    for (const size of [1, 64, 100_000]) expect(await partsOf(whole, size)).toEqual(parts);
    const lines = parts.map(({ offset, length }) => whole.slice(offset, offset + length));
    expect(lines).toEqual(whole.trimEnd().split('\n'));
  });

  it.each<[string, object | string, RegExp]>([
    ['of another kind', { redial: 'log' }, /first line is not that of a history file/],
    ['that is no JSON', 'PNG', /first line is not that of a history file/],
    ['of another format', { ...head, format: 2 }, /its format is 2, and this version reads format 1/],
    ['with an unknown member', { ...head, more: 1 }, /its member "more" is not one of the format/],
    ['without a member', { ...head, log: undefined }, /its member log is missing/],
    ['with a root of another kind', { ...head, root: { kind: 'gate', id: '1' } }, /its member root is not/],
    [
      'with another root',
      { ...head, root: { kind: 'session', id: '2' } },
      /first stream is not that of its root/,
    ],
    [
      'nested too deep',
      JSON.stringify({ ...head, format: 0 }).replace('"format":0', `"format":${deep}`),
      /1500 levels/,
    ],
    ['without streams', { ...head, streams: [] }, /its member streams is not/],
    ['with a stream twice', { ...head, streams: [head.streams[0], head.streams[0]] }, /names a stream twice/],
  ])('refuses a first line %s', async (_, line, why) => {
    expect(await refusal(changed(1, line))).toEqual([1, expect.stringMatching(why)]);
  });

  it.each<[string, number, object | string, number, RegExp]>([
    ['no JSON', 4, '{"stream":', 4, /it is not a JSON object/],
    ['white space', 4, JSON.stringify(body[3]).replace(':', ': '), 4, /not the compact JSON text/],
    [
      'a number in another form',
      4,
      JSON.stringify(body[3]).replace('"data":{}', '"data":{"n":1.0}'),
      4,
      /compact/,
    ],
    [
      'too many levels',
      4,
      JSON.stringify(body[3]).replace('"data":{}', `"data":{"a":${deep}}`),
      4,
      /it is nested more than 1500 levels deep/,
    ],
    ['an unknown member', 4, event('solicitation-2', 0, { more: 1 }), 4, /its member "more" is not one/],
    [
      'hashes of a redacted file',
      4,
      event('solicitation-2', 0, { dataSha256: blob.blob }),
      4,
      /"dataSha256"/,
    ],
    ['keys that are no list', 2, { keys: {} }, 2, /its member keys is not what the format has there/],
    ['a key that is too short', 2, { keys: [{ subject: 'ann', key: 'AAAA' }] }, 2, /its member keys is not/],
    ['keys after the second line', 3, { keys: [] }, 3, /keys stand in the second line alone/],
    ['an unknown stream', 4, event('solicitation-3', 0), 4, /does not name the stream "solicitation-3"/],
    [
      'a gap in revisions',
      5,
      event('session-1', 2),
      5,
      /revision 1 of session-1 is missing: revision 2 comes/,
    ],
    ['an event twice', 5, usesBlob, 5, /revision 1 of session-1 is missing: revision 0 comes/],
    [
      'an event too many',
      4,
      event('session-1', 1),
      5,
      /gives session-1 2 events, and it has more|revision 2/,
    ],
    ['another time', 5, event('session-1', 1, { occurredAt: 'now' }), 5, /not that of its metadata/],
    ['another version', 5, event('session-1', 1, { schemaVersion: 2 }), 5, /not that of its metadata/],
    ['a blob that is not used', 3, event('session-1', 0), 3, /is not used by the event after it/],
    ['other bytes in a blob', 2, { ...blob, text: 'other' }, 2, /bytes of the blob are not those/],
    ['both forms in a blob', 2, { ...blob, base64: '' }, 2, /either text or base64/],
    [
      'another spelling of base64',
      2,
      { blob: blob.blob, base64: `${Buffer.from(value).toString('base64')} ` },
      2,
      /its member base64 is not what the format has there/,
    ],
    [
      'bytes in a blob that are no text',
      2,
      { blob: sha256(Buffer.from([0xff])), base64: '/w==' },
      2,
      /not UTF-8/,
    ],
    ['no blob', 2, event('solicitation-2', 0), 3, /the blob [0-9a-f]{64} is missing/],
    [
      'the end too early',
      4,
      JSON.stringify({ end: true, events: 1, sha256: blob.blob }),
      4,
      /events of .* are missing/,
    ],
  ])('refuses %s, and names the line', async (_, line, to, noticed, why) => {
    expect(await refusal(changed(line, to))).toEqual([noticed, expect.stringMatching(why)]);
  });

  it('takes a blob in base64', async () => {
    const parts = await partsOf(
      changed(2, { blob: blob.blob, base64: Buffer.from(value).toString('base64') }),
    );
    expect(parts[1]).toMatchObject({ is: 'blob', text: value });
  });

  it('refuses a blob that comes twice', async () => {
    const lines = texts(body);
    expect(await refusal(resummed(lines.toSpliced(3, 0, JSON.stringify(blob))))).toEqual([
      4,
      expect.stringMatching(/comes twice/),
    ]);
  });

  it('refuses a blob that is nested too deep', async () => {
    expect(await refusal(changed(2, { blob: sha256(deep), text: deep }))).toEqual([
      2,
      expect.stringMatching(/1500 levels/),
    ]);
  });

  it('refuses a wrong sum, a wrong number of events, and what comes after the last line', async () => {
    const lines = bodyOf(whole);
    const end = (more: object) =>
      `${lines.map((line) => `${line}\n`).join('')}${JSON.stringify({ end: true, events: 3, sha256: blob.blob, ...more })}\n`;
    expect(await refusal(end({}))).toEqual([
      6,
      expect.stringMatching(/its sum is not that of the bytes before it/),
    ]);
    expect(await refusal(end({ events: 4 }))).toEqual([
      6,
      expect.stringMatching(/counts 4 events, and the file has 3/),
    ]);
    expect(await refusal(`${whole}\n`)).toEqual([7, expect.stringMatching(/a line after the last one/)]);
  });

  it('refuses a file that was cut off anywhere', async () => {
    const bytes = Buffer.from(whole);
    const taken: number[] = [];
    for (let length = 0; length < bytes.length; length += 1)
      await refusal(bytes.subarray(0, length), 1000).catch(() => taken.push(length));
    expect(taken).toEqual([]);
    expect(await refusal('')).toEqual([1, expect.stringMatching(/cut off/)]);
  });

  it('refuses bytes that are not UTF-8, also where the sum is right', async () => {
    const [first = '', ...rest] = texts(body);
    const broken = Buffer.concat([
      Buffer.from(`${first}\n`),
      Buffer.from(rest[0] ?? '').fill(0xff, 20, 21),
      Buffer.from('\n'),
    ]);
    expect(await refusal(broken)).toEqual([2, expect.stringMatching(/not UTF-8/)]);
  });

  it('refuses a line over the bound before it holds all of it', async () => {
    let given = 0;
    const endless = async function* () {
      yield Buffer.from(`${JSON.stringify(head)}\n`);
      for (;;) {
        given += 1;
        yield await Promise.resolve(Buffer.alloc(1024 * 1024, 'x'));
      }
    };
    const reading = async () => {
      for await (const _ of readHistory(endless()));
    };
    await expect(reading()).rejects.toMatchObject({ line: 2, answer: { code: 'history-broken', line: 2 } });
    expect(given).toBeLessThanOrEqual(LONGEST_LINE / (1024 * 1024) + 1);
  });
});
