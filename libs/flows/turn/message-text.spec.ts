import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { MessageText } from './message-text.js';
import { readMessage } from './reply.rules.js';

const parts = (text: string, cuts: readonly number[]): readonly string[] => {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length];
  return places.slice(1).map((end, index) => text.slice(places[index], end));
};
const joined = (text: string, cuts: readonly number[] = []): string => {
  const message = new MessageText();
  return parts(text, cuts)
    .map((part) => message.add(part))
    .join('');
};
const reply = (content: string) => ({ content, reply: 'respond-1#1', calls: [], message: {} }) as never;
const cuts = fc.array(fc.nat({ max: 500 }), { maxLength: 8 });

describe('the message of a reply in parts (F-63)', () => {
  it('joined, is the decoded message, wherever the reply is cut', () => {
    const space = fc.constantFrom('', ' ', '\n');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), cuts, space, (message, places, gap) => {
        const text = `${gap}{${gap}"message"${gap}:${gap}${JSON.stringify(message)}${gap}}`;
        expect(joined(text, places)).toBe(message);
      }),
    );
  });

  it('decodes every escape, in a fence too, and takes nothing after the message', () => {
    const text = '```json\n{"message": "a\\"\\u00e9\\n\\ud83d\\ude00", "other": "b"}\n```';
    expect(joined(text, [9, 20, 25, 26, 33, 40])).toBe('a"é\n😀');
  });

  it('is read in one pass, so that a part may have any length', () => {
    const long = 'a\\u00e9'.repeat(2_000_000);
    expect(joined(`{"message": "${long}"}`)).toHaveLength(4_000_000);
    expect(joined(' '.repeat(9_000_000))).toBe('');
  });

  it('is found behind other members, and in none of them', () => {
    const other = fc.object({ key: fc.constantFrom('a', 'message', 'message:', '}'), maxDepth: 2 });
    fc.assert(
      fc.property(other, fc.string(), cuts, (data, message, places) => {
        const content = JSON.stringify({ data, note: '"message": "no"', message });
        expect(joined(content, places)).toBe(readMessage(reply(content)));
      }),
    );
  });

  it('is the reply itself where that is not JSON, and nothing where it is another object', () => {
    const begin = fc.constantFrom('a', '`a', '``a', '```sh', '```jsx', 'json', ' -');
    const markdown = fc.constantFrom('`', '```', 'json', '\n', ' ', '"message": "x"', '{', '}', 'a');
    const plain = fc.tuple(begin, fc.array(markdown)).map(([first, all]) => `${first}${all.join('')}`);
    const isMessage = (content: string) => readMessage(reply(content)) === content.trim();
    fc.assert(
      fc.property(plain.filter(isMessage), cuts, (content, places) => {
        expect(joined(content, places)).toBe(content.trim());
      }),
    );
    expect(joined('`npm test` runs "specs"\n', [1, 7])).toBe('`npm test` runs "specs"');
    expect(joined('{"calls": [1]}', [3])).toBe('');
  });
});
