import { describe, expect, it } from '@jest/globals';
import { codeIn } from './prompt.js';

const block = (code: string, language = 'tsx', fence = '```') => `${fence}${language}\n${code}\n${fence}`;

describe('the program of a reply', () => {
  it.each([
    ['the whole reply without a fence, trimmed', '\n return 1;\n', 'return 1;'],
    ['the block, not the text around it', `So:\n\n${block('return 1;')}\n\nDone.`, 'return 1;'],
    ['the first of two blocks', `${block('return 1;')}\n${block('return 2;')}`, 'return 1;'],
    [
      'the first block of code, not one of data',
      `${block('{}', 'json')}\n${block('return 1;')}`,
      'return 1;',
    ],
    ['a block without a language', block('return 1;', ''), 'return 1;'],
    ['a block of tildes, or indented', `  ${block('return 1;', 'TypeScript', '~~~~')}`, 'return 1;'],
    ['a block that the reply does not close', '```ts\nreturn 1;', 'return 1;'],
    ['a block to its own fence, with others within', block('x = `\n```\n`;', 'js', '````'), 'x = `\n```\n`;'],
    ['nothing, where no block is of code', block('{}', 'json'), ''],
    ['nothing, where the reply is empty', '', ''],
  ])('L-10: is %s', (_, reply, code) => {
    expect(codeIn(reply)).toBe(code);
  });

  it('X-S1: takes fences of any length and number', () => {
    const fence = '`'.repeat(1_000_000);
    expect(codeIn(block('return 1;', '', fence))).toBe('return 1;');
    expect(codeIn(`${block('', 'py').repeat(50_000)}\n${block('return 2;')}`)).toBe('return 2;');
  });
});
