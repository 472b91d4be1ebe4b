import { beforeAll, describe, expect, it } from '@jest/globals';
import { given, plays, replayed, replies, tool } from '#lib/code/testing';
import { jsonText, type RecordedEvent, sha256 } from '#lib/kernel';
import { variants } from './tampering.js';

const programs = [
  `// look first
const kept = await find({ order: 1 });
console.log('it is', kept);
cart.note = kept + 1;
throw new Error('again');`,
  'return { action: "done", value: [kept, cart.note] };',
];

/** An event by its type and its place among those of its type. */
type Place = readonly [type: string, nth: number];
type Change = readonly [place: Place, from: string, to: string];

describe('a recorded run of code', () => {
  let events: readonly RecordedEvent[];

  beforeAll(async () => {
    const objects = [{ name: 'cart', properties: [{ name: 'note', value: 0, writable: true }] }];
    const history = given({ objects }, [tool('find')]);
    for (const program of programs) await plays(replies(history, program));
    expect(history.end).toMatchObject({ status: 'completed', result: { value: [1, 2] } });
    ({ events } = history);
  });

  const at = ([type, nth]: Place) => events.filter((event) => event.type === type)[nth] as RecordedEvent;

  function withData(event: RecordedEvent, data: object): readonly RecordedEvent[] {
    return events.with(event.revision, { ...event, data });
  }

  /** As somebody would who corrects the checksum of the body, too. */
  function tampered(all: readonly RecordedEvent[], [place, from, to]: Change): readonly RecordedEvent[] {
    const { revision } = at(place);
    const event = all[revision] as RecordedEvent;
    const text = jsonText(event).replaceAll(from, to);
    expect(text).not.toBe(jsonText(event));
    const changed = JSON.parse(text) as RecordedEvent & { readonly data: { body?: { content: string } } };
    const { body } = changed.data;
    if (!body) return all.with(revision, changed);
    const data = { ...changed.data, body: { ...body, sha256: sha256(body.content) } };
    return all.with(revision, { ...changed, data });
  }

  it('replays, with each of its slices computed again', async () => {
    expect(await replayed(events)).toMatchObject({ open: false, recomputed: 3, notRecomputed: 0 });
  });

  it.each<readonly [what: string, changes: readonly Change[], found: Place, pointer: string]>([
    [
      'the code of a reply',
      [[['LlmCallCompleted', 0], 'order: 1', 'order: 2']],
      ['SandboxRequested', 0],
      '/data/program/code',
    ],
    [
      'the code of a slice',
      [[['SandboxRequested', 0], 'order: 1', 'order: 2']],
      ['SandboxRequested', 0],
      '/data/program/code',
    ],
    [
      'the time of a reply',
      [[['LlmCallCompleted', 0], '03:04:05', '03:04:06']],
      ['SandboxRequested', 0],
      '/data/program/clock',
    ],
    [
      'the seed of a run',
      [[['WorkflowStarted', 0], '"seed":"run"', '"seed":"other"']],
      ['SandboxRequested', 0],
      '/data/program/seed',
    ],
    [
      'a call',
      [[['SandboxCompleted', 0], '"order":1', '"order":2']],
      ['ToolCallRequested', 0],
      '/data/arguments/order',
    ],
    [
      'the result of a tool',
      [[['ToolCallCompleted', 0], '"data":1', '"data":2']],
      ['SandboxRequested', 1],
      '/data/outcomes/0/sha256',
    ],
    [
      'a captured variable',
      [[['SandboxCompleted', 1], '["json",1]', '["json",2]']],
      ['SandboxCompleted', 1],
      '/data/variables/table/0/1',
    ],
    [
      'a comment',
      [[['SandboxCompleted', 0], 'look first', 'look last']],
      ['SandboxCompleted', 0],
      '/data/traces/0/text',
    ],
    [
      'a log',
      [[['SandboxCompleted', 1], 'it is 1', 'it is 2']],
      ['SandboxCompleted', 1],
      '/data/traces/0/text',
    ],
    [
      'a write of a property',
      [[['SandboxCompleted', 1], '"after":2', '"after":3']],
      ['SandboxCompleted', 1],
      '/data/traces/1/after',
    ],
    [
      'the error of a program',
      [[['SandboxCompleted', 1], '"message":"again"', '"message":"never"']],
      ['LlmCallRequested', 1],
      '/data/body/messages',
    ],
    [
      'the final value',
      [[['WorkflowEnded', 0], '"value":[1,2]', '"value":[1,3]']],
      ['WorkflowEnded', 0],
      '/data/result/value/1',
    ],
    [
      'what the last program returned',
      [[['SandboxCompleted', 2], '"value":[1,2]', '"value":[1,3]']],
      ['WorkflowEnded', 0],
      '/data/result/value/1',
    ],
    [
      'what the last program returned, and the final value alike',
      [
        [['SandboxCompleted', 2], '"value":[1,2]', '"value":[1,3]'],
        [['WorkflowEnded', 0], '"value":[1,2]', '"value":[1,3]'],
      ],
      ['SandboxCompleted', 2],
      '/data/end/value/value/1',
    ],
  ])('L-41 L-47: diverges where %s was changed', async (_, changes, found, pointer) => {
    const { divergence } = await replayed(changes.reduce(tampered, events));
    expect(divergence).toMatchObject({
      type: found[0],
      revision: at(found).revision,
      pointer: expect.stringContaining(pointer),
    });
  });

  /** Changes of one value, or of an order, that are not found at their event, or later where pure code sees them first. */
  async function unseenIn(event: RecordedEvent, latest: number): Promise<readonly string[]> {
    const unseen = [];
    for (const [what, data] of variants(event.data, '')) {
      const { divergence } = await replayed(withData(event, data as object));
      const { revision = Number.NaN } = divergence ?? {};
      if (!(revision >= event.revision && revision <= latest)) unseen.push(what);
    }
    return unseen;
  }

  it('L-41 L-47: diverges at a request or an end after any change in it', async () => {
    for (const event of events.filter(({ type }) => /Requested$|^WorkflowEnded$/.test(type)))
      expect([event.type, await unseenIn(event, event.revision)]).toEqual([event.type, []]);
  });

  it('L-41 L-47: diverges after any change in what a slice gave, but of where and for how long it ran', async () => {
    for (const event of events.filter(({ type }) => type === 'SandboxCompleted'))
      expect(await unseenIn(event, events.length)).toEqual([
        '/build gone',
        '/durationMs gone',
        '/build changed',
        '/durationMs changed',
      ]);
  });

  it('says of a slice whose build was changed that it did not compute it again', async () => {
    const other = tampered(events, [['SandboxCompleted', 1], '"build":"', '"build":"other ']);
    expect(await replayed(other)).toMatchObject({ recomputed: 2, notRecomputed: 1 });
  });
});
