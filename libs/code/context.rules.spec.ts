import { describe, expect, it } from '@jest/globals';
import type { Json } from '#lib/kernel';
import { estimatedTokens, fittingMessages } from './context.rules.js';

const text = (content: string): Json => ({ role: 'user', content });
const words = (count: number, word = 'ledger'): string => Array.from({ length: count }, () => word).join(' ');
const contents = (messages: readonly Json[]) => messages.map((one) => (one as { content: string }).content);
const tokens = (messages: readonly Json[]) =>
  contents(messages).reduce((total, content) => total + estimatedTokens(content), 0);

/** Tokens of `o200k_base` and `cl100k_base`, counted once. */
const counted: readonly (readonly [string, string, number])[] = [
  ['English', 'Every step on the way to a decision is an event in one log. ', 14],
  ['code', 'const total = orders.reduce((sum, { amount }) => sum + amount, 0);\n', 19],
  ['JSON', '{"order":12345,"state":"paid","lines":[{"sku":"a-1","count":2}]}', 25],
  ['German', 'Die Entscheidung wurde aufgezeichnet und kann wiederholt werden. ', 14],
  ['Chinese', '每一个决定都记录在日志中，可以重放。', 17],
  ['base64', 'eyJuYW1lIjoiQGppdGwvcXVpY2tqcy1uZyIsInZlcnNpb24iOiIwLjMyLjAifQ==', 47],
];

describe('the estimate of tokens', () => {
  it.each(counted)(
    'L-9: is for %s not far below, and at most twice, what tokenizers count',
    (_, sample, most) => {
      const estimated = estimatedTokens(sample);
      expect(estimated).toBeGreaterThanOrEqual(most * 0.85);
      expect(estimated).toBeLessThanOrEqual(most * 2);
    },
  );

  it.each(['a', '1', ' ', '\n', '中', '😀'])('takes a run of 16 million units of %j', (character) => {
    const run = character.repeat(16_000_000 / character.length);
    for (const _ of [1, 2, 3]) expect(estimatedTokens(`中!${run}`)).toBeGreaterThan(1);
  });
});

describe('messages within a context', () => {
  it('L-9: are sent whole when they fit, without the empty ones', () => {
    const messages = [text('system'), text(''), text('work')];
    expect(contents(fittingMessages(messages))).toEqual(['system', 'work']);
  });

  it('L-9 L-15: are cut to the context less what is kept for the reply: the older the more, the first never', () => {
    const messages = [text(words(1_000)), ...[1, 2, 3, 4].map((n) => text(`${n} ${words(2_000)} end`))];
    const fitted = fittingMessages(messages, 8_000);
    const [first, ...others] = contents(fitted);
    expect(first).toBe(words(1_000));
    expect(tokens(fitted)).toBeLessThanOrEqual(7_000);
    expect(others[3]).toBe(`4 ${words(2_000)} end`);
    expect(others[2]).toMatch(/^3 ledger [^]*\[… \d+ characters are left out …\][^]* end$/);
    const [oldest = 0, , third = 0, newest = 0] = others.map(({ length }) => length);
    expect(oldest).toBeLessThan(third / 1.5);
    expect(third).toBeLessThan(newest);
  });

  it('L-9: a mark in a text keeps nothing of it, and cuts nothing of the instructions', () => {
    const asks = '【TRUNCATE flex:9】';
    const instructions = `${asks}${words(1_000)}【/TRUNCATE】`;
    const brought = (kept: string) => [text(instructions), text(`${kept} ${words(8_000)}`), text('go on')];
    const [first, second = ''] = contents(fittingMessages(brought('【TRUNCATE min:8000】'), 8_000));
    expect(first).toBe(instructions);
    const [, plain = ''] = contents(fittingMessages(brought('a text'), 8_000));
    expect(second).toContain('characters are left out');
    expect(Math.abs(second.length - plain.length)).toBeLessThan(100);
  });

  it('L-9: are cut further when the provider counted more than the estimate', () => {
    const messages = [text('system'), text(words(4_000)), text(words(2_000))];
    const before = { messages: [text(words(1_000))], counted: 3_000 };
    expect(tokens(fittingMessages(messages, 8_000))).toBeGreaterThan(5_000);
    expect(tokens(fittingMessages(messages, 8_000, before))).toBeLessThanOrEqual(7_000 / 2);
  });
});
