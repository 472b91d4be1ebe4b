import { describe, expect, it } from '@jest/globals';
import type { Event, Json, JsonObject } from '#lib/kernel';
import { EventCodec } from './event-codec.js';
import { type DeclaredEvents, InvalidEventCatalogue } from './event-definitions.js';
import type { DeclaredMembers } from './event-members.js';
import { membersOfKind, undeclaredMembers } from './testing/declared-members.js';

type Said = Event<
  'Said',
  {
    readonly said: string;
    readonly at?: number;
    readonly from: { readonly person: string } | { readonly model: string };
    readonly parts: readonly { readonly text: string }[];
    readonly labels: { readonly [name: string]: string };
    readonly payload?: JsonObject;
  }
>;

const members = {
  said: 'content',
  at: 'structure',
  from: { person: 'structure', model: 'structure' },
  parts: [{ text: 'content' }],
  labels: { '*': 'structure' },
  payload: 'content',
} as const satisfies DeclaredMembers<Said['data']>;

describe('the kinds of the members of an event', () => {
  it('are complete, or the declaration is a type error', () => {
    const { said: _, ...unsaid } = members;
    const declared: readonly DeclaredEvents<Said>[] = [
      { Said: { version: 1, members } },
      // @ts-expect-error: it has no kinds
      { Said: { version: 1 } },
      // @ts-expect-error: a member is missing
      { Said: { version: 1, members: unsaid } },
      // @ts-expect-error: an optional member is missing
      { Said: { version: 1, members: { ...members, at: undefined } } },
      // @ts-expect-error: a member of one alternative is missing
      { Said: { version: 1, members: { ...members, from: { person: 'structure' } } } },
      // @ts-expect-error: an object is structure by each of its members alone
      { Said: { version: 1, members: { ...members, from: 'structure' } } },
      // @ts-expect-error: a list of objects, too
      { Said: { version: 1, members: { ...members, parts: 'structure' } } },
      // @ts-expect-error: there is no such kind
      { Said: { version: 1, members: { ...members, said: 'secret' } } },
      // @ts-expect-error: the type of the event is missing
      {},
    ];
    expect(declared).toHaveLength(9);
  });

  it.each<[string, Json, readonly string[]]>([
    ['all are covered', { said: 'a', from: { person: 'p' }, labels: { a: 'b' }, payload: { any: [1] } }, []],
    ['a member is not named', { more: 1 }, ['/more']],
    ['a member inside is not named', { from: { tool: 't' } }, ['/from/tool']],
    ['an item has one that is not named', { parts: [{ text: '' }, { 'te/xt': '' }] }, ['/parts/1/te~1xt']],
    ['a value stands in place of a list', { parts: 'text' }, ['/parts']],
    ['a list stands in place of an object', { from: ['p'] }, ['/from']],
    ['a name is inherited by every object', { constructor: 1 }, ['/constructor']],
  ])('give the pointers of what they do not cover: %s', (_, value, pointers) => {
    expect(undeclaredMembers(members, value)).toEqual(pointers);
  });

  it('are listed by kind', () => {
    expect(membersOfKind('content', members)).toEqual(['said', 'parts[].text', 'payload']);
    expect(membersOfKind('structure', members)).toEqual(['at', 'from.person', 'from.model', 'labels.*']);
  });

  it('are there for each version of an event that declares them, and all of its data is content if it does not', () => {
    const upcasters = { 1: (data: JsonObject) => data };
    const earlier = { 1: { words: 'content' as const } };
    const codec = new EventCodec([
      { Said: { version: 2, members, earlier, upcasters } },
      { Heard: { version: 1 } },
    ]);
    expect(codec.membersOf('Said')).toEqual([earlier[1], members]);
    expect(codec.membersOf('Heard')).toEqual(['content']);
    expect(() => new EventCodec([{ Said: { version: 2, members, upcasters } }])).toThrow(
      InvalidEventCatalogue,
    );
  });
});
