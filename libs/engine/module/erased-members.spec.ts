import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ERASED, EventLog, Keyring, type MemberKinds, metadataMembers, StreamNames } from '#lib/event-store';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { isJsonObject, jsonText, sha256 } from '#lib/kernel';
import { temporaryFolder } from '#lib/kernel/testing';
import { eventCatalogue } from './event-catalogue.js';

const MARKER = 'marker-4711-of-ann';
const forms = (text: string) => [
  text,
  sha256(text),
  Buffer.from(text).toString('hex'),
  ...[text, `"${text}"`, `"${text}`].map((one) => Buffer.from(one).toString('base64').slice(0, 20)),
];
const FORMS = forms(MARKER);
const codec = eventCatalogue();
const subject = 'ann';

/** A value of the declared shape, with the marker in each member that is not structure. */
function planted(kinds: MemberKinds, mark: unknown): unknown {
  if (kinds === 'structure') return 'kept';
  if (typeof kinds === 'string') return mark;
  if (isList(kinds)) return [planted(kinds[0], mark), planted(kinds[0], mark)];
  const entries = Object.entries(kinds).map(([name, kind]) => [
    name === '*' ? 'other' : name,
    planted(kind, mark),
  ]);
  return Object.fromEntries(entries) as object;
}

function isList(kinds: MemberKinds): kinds is readonly [MemberKinds] {
  return Array.isArray(kinds);
}

/** The marks in a value. */
function marksIn(value: unknown, mark: unknown): number {
  if (jsonText(value) === jsonText(mark)) return 1;
  const members = Array.isArray(value)
    ? (value as readonly unknown[])
    : isJsonObject(value)
      ? Object.values(value)
      : [];
  return members.reduce<number>((sum, member) => sum + marksIn(member, mark), 0);
}

const MARKS: readonly (readonly [string, unknown])[] = [
  ['a text', MARKER],
  ['an object with the marker in a name', { [MARKER]: [MARKER] }],
];

describe.each(MARKS)(
  '%s of a subject, in each member of each event that is not declared as structure',
  (_, mark) => {
    const folder = temporaryFolder();
    let store: SqliteEventStore;
    let found: Uint8Array | typeof ERASED = randomBytes(32);
    const opened = () =>
      new EventLog(store, codec, new StreamNames(), undefined, new Keyring({ find: async () => found }));
    const bytes = () =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join('\n');
    beforeAll(async () => {
      store = await SqliteEventStore.open(join(folder, 'log.sqlite'));
    });
    afterAll(() => store.close());

    const metadata = () => {
      const {
        schemaVersion: _version,
        encoding: _encoding,
        copied: _copied,
        ...members
      } = metadataMembers as {
        readonly [name: string]: MemberKinds;
      };
      return {
        ...(planted(members, mark) as object),
        occurredAt: '2026-11-28T08:00:00.000Z',
        keyId: subject,
      };
    };
    const eventOf = (type: string) => {
      const kinds = codec.membersOf(type).at(-1) ?? 'content';
      const data = planted(typeof kinds === 'string' ? { member: kinds } : kinds, mark) as object;
      return { eventId: randomUUID(), event: { type, data }, metadata: metadata() } as Parameters<
        EventLog['append']
      >[2][number];
    };

    it('is in no byte of the log, is read with the key, and is gone without it', async () => {
      let count = 0;
      for (const type of codec.types) {
        const stream = `redial_session-${type}`;
        const event = eventOf(type);
        const planted = marksIn(event, mark);
        await opened().append(stream, 'no-stream', [event]);
        const [read] = await opened().readStream(stream);
        expect([type, marksIn(read, mark)]).toEqual([type, planted]);
        count += planted;
      }
      expect(count).toBeGreaterThan(codec.types.length);
      found = ERASED;
      for (const type of codec.types) {
        const text = jsonText(await opened().readStream(`redial_session-${type}`));
        for (const form of FORMS) expect([type, text.includes(form)]).toEqual([type, false]);
      }
      for (const form of FORMS) expect([form, bytes().includes(form)]).toEqual([form, false]);
    });
  },
);
