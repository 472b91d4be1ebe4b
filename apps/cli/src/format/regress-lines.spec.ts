import { expect, it } from '@jest/globals';
import { judgedLines } from './regress-lines.js';

it('a function that has another name than the recorded one is a change of the definition', () => {
  const first = {
    stream: 'solicitation-1',
    revision: 1,
    pointer: '/data/fnName',
    recorded: 'firstAvailable',
    today: 'lastAvailable',
  };
  const lines = judgedLines({ file: 'a.jsonl', verdict: 'requests', first }, (_, text) => text);
  expect(lines.at(-1)).toBe('    likely    the definition: it names another function or strategy');
});
