import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '#lib/kernel';
import { Citations, citationsIn, citationsProblem, extractCitations } from './citations.js';

const texts = fc
  .array(
    fc.oneof(fc.string(), fc.constantFrom('【0】', '【1, 2】', '【7】', '【0】【0】', '【', '】', '【a】')),
  )
  .map((parts) => parts.join(''));

describe('L-44: citations', () => {
  it('a tag names sources by their ids, from 0, and is taken out of a text', () => {
    const citations = new Citations();
    expect([citations.registerSource('a').tag, citations.registerSource({ b: 1 })]).toEqual([
      '【0】',
      { id: 1, tag: '【1】' },
    ]);
    expect(citations.extract('x【0】y【0;1】.')).toEqual({
      text: 'xy.',
      citations: [
        { offset: 1, tag: '【0】', id: 0, source: 'a' },
        { offset: 2, tag: '【0;1】', id: 0, source: 'a' },
        { offset: 2, tag: '【0;1】', id: 1, source: { b: 1 } },
      ],
    });
  });

  it('a tag of an unknown source is taken out, and has its id without a source; other brackets stay', () => {
    expect(new Citations().extract('a【9】【第3章】')).toEqual({
      text: 'a【第3章】',
      citations: [{ offset: 1, tag: '【9】', id: 9 }],
    });
  });

  it('brackets may hold megabytes', () => {
    const text = '1 '.repeat(8_000_000);
    for (const _ of [1, 2, 3]) {
      expect(extractCitations(`【${text}`).citations).toEqual([]);
      expect(extractCitations(`【${text}${'9'.repeat(10)}】`).citations).toEqual([]);
    }
  });

  it('a tag may hold more ids than a function takes arguments', () => {
    const found = extractCitations(`【${'1,'.repeat(500_000)}1】`);
    expect(found.text).toBe('');
    expect(found.citations).toHaveLength(500_001);
  });

  it('an id has nine digits at most: a tag with a longer number is text', () => {
    const [longest, longer, infinite] = ['9'.repeat(9), '9'.repeat(10), '9'.repeat(400)];
    const text = `【${longer}】【0,${infinite}】【${infinite}】`;
    expect(extractCitations(`【${longest}】${text}`)).toEqual({
      text,
      citations: [{ id: 999_999_999, offset: 0, tag: `【${longest}】` }],
    });
    expect(citationsProblem(text.repeat(1_001))).toBeUndefined();
  });

  it('put back at their places they give the text again, for any number of tags and ids, replaced or not', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom('', '[*]', '【0】'), (text, replacement) => {
        const found = extractCitations(text, () => replacement);
        expect(Citations.reAdd(found.text, found.citations)).toBe(text);
      }),
    );
  });

  it.each([
    ['the first of a tag', (id: number) => id === 1],
    ['the second of a tag', (id: number) => id === 2],
    ['none of a tag', () => true],
  ])('a list without %s gives each tag of the others back, once', (_, isGiven) => {
    const { text, citations } = extractCitations('a【1,2】【1,2】b【1】【2】');
    const given = citations.filter(({ id }) => isGiven(id));
    const single = [1, 2].filter(isGiven).map((id) => `【${id}】`);
    expect(Citations.reAdd(text, given)).toBe(`a【1,2】【1,2】b${single.join('')}`);
  });

  it('tags without a number are put back, each for its citation', () => {
    const citations = [0, 1].map((id) => ({ id, offset: 1, tag: '[*]' }));
    expect(Citations.reAdd('ab', citations)).toBe('a[*][*]b');
  });

  it('what replaces a tag is made of its ids', () => {
    const replace = (ids: readonly number[], tag: string) => `[${ids.join()} of ${tag}]`;
    expect(extractCitations('a【1, 2】', replace)).toEqual({
      text: 'a[1,2 of 【1, 2】]',
      citations: [1, 2].map((id) => ({ id, offset: 1, length: 15, tag: '【1, 2】' })),
    });
  });

  it('a cleaned text has no tag but one that its removal has put together', () => {
    expect(Citations.strip('a【0】b【1,2】')).toBe('ab');
  });

  it('of a value they have the pointer of their text, and put back there they give the value again', () => {
    const given: Json = { a: ['x【0】', { 'b/c': '【1】y' }], n: 1 };
    const { value, citations } = citationsIn(given);
    expect(value).toEqual({ a: ['x', { 'b/c': 'y' }], n: 1 });
    expect(citations.map(({ path, tag }) => [path, tag])).toEqual([
      ['/a/0', '【0】'],
      ['/a/1/b~1c', '【1】'],
    ]);
    expect(Citations.reAdd('x', citations.slice(0, 1))).toBe('x【0】');
  });
});
