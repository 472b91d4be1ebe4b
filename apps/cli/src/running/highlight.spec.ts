import { expect, it } from '@jest/globals';
import { CodePrinter } from '../running/code-printer.js';
import { highlight } from './highlight.js';

it('colours keywords, texts, numbers and comments, and leaves out what a terminal would obey', () => {
  expect(highlight('```tsx', (style, token) => `<${style}>${token}</>`)).toBe('<dim>```tsx</>');
  const line = 'const a = "if // 1" + f(2); \u001b[m// return';
  const marked = highlight(line, (style, token) => `<${style}>${token}</>`);
  expect(marked).toBe('<cyan>const</> a = <green>"if // 1"</> + f(<yellow>2</>); [m<dim>// return</>');
});

it('colours no line of more than 1,000 characters', () => {
  const counted: string[] = [];
  const line = `"${'\\"'.repeat(2_000_000)}`;
  expect(highlight(line, (style, token) => (counted.push(style), token))).toBe(line);
  expect(counted).toEqual([]);
});

it('shows why a returned value was no exit, and an error with its line', () => {
  let shown = '';
  const printer = new CodePrinter({ write: (text) => (shown += text) });
  const print = (type: string, data: object = {}) => printer.print({ type, data } as never);
  const add = [{ reply: 'r' }, { role: 'user', content: 'The returned value was refused: no.\nIt was: 5' }];
  print('SandboxCompleted', { traces: [], end: { kind: 'returned', value: 5 } });
  for (const _ of [1, 2]) print('LlmCallRequested', { body: { messages: { add } } });
  print('SandboxCompleted', {
    traces: [],
    end: { kind: 'threw', name: 'TypeError', message: 'no', line: 3 },
  });
  expect(shown.split('\n')).toEqual([
    '  returned 5',
    '  ↻ The returned value was refused: no.',
    'program 1',
    'program 1',
    '  ✗ TypeError: no (line 3)',
    '',
  ]);
});

it('shows code line by line as it comes, and its end with the reply', () => {
  let shown = '';
  const printer = new CodePrinter({ write: (text) => (shown += text) });
  const hear = (text: string) => printer.hear({ stream: 's', callId: 'c', text });
  hear('let a');
  expect(shown).toBe('');
  hear(' = 1;\nret');
  expect(shown).toBe('  │ let a = 1;\n');
  hear('urn a;');
  printer.print({ type: 'LlmCallCompleted', data: {} } as never);
  expect(shown).toBe('  │ let a = 1;\n  │ return a;\n');
});

it('ends the part of a reply that failed with the failure, and counts replies', () => {
  let shown = '';
  const printer = new CodePrinter({ write: (text) => (shown += text) });
  const print = (type: string, data: object = {}) => printer.print({ type, data } as never);
  for (const [part, end] of [
    ['let a\nlet', 'LlmCallFailed'],
    ['return 1;', 'LlmCallCompleted'],
  ] as const) {
    print('LlmCallRequested', { body: {} });
    printer.hear({ stream: 's', callId: 'c', text: part });
    print(end, { failure: { message: 'cut off' } });
  }
  print('LlmCallRequested', { body: {} });
  expect(shown.split('\n')).toEqual([
    'program 1',
    '  │ let a',
    '  │ let',
    '  ✗ cut off',
    'program 1',
    '  │ return 1;',
    'program 2',
    '',
  ]);
});
