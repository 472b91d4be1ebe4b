import { expect, it } from '@jest/globals';
import { judgedLines } from './regress-lines.js';

it.each([
  ['/data/fnName', 'the definition: it names another function or strategy'],
  ['/data/prompt/title', 'the question to a person'],
])('a difference at %s has a likely cause', (pointer, cause) => {
  const first = { stream: 'solicitation-1', revision: 1, pointer, recorded: 'one', today: 'another' };
  const lines = judgedLines({ file: 'a.jsonl', verdict: 'requests', first }, (_, text) => text);
  expect(lines.at(-1)).toBe(`    likely    ${cause}`);
});

it('shows a whole event that is not there as nothing, and a value of null as null', () => {
  const shown = (pointer: string) => {
    const first = { stream: 'planner-1', revision: 1, pointer, recorded: null, today: 'another' };
    return judgedLines({ file: 'a.jsonl', verdict: 'decisions', first }, (_, text) => text)[2];
  };
  expect(['', '/type', '/data/result'].map(shown)).toEqual([
    '    recorded  nothing',
    '    recorded  nothing',
    '    recorded  null',
  ]);
});
