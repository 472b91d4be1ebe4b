import { expect, it } from '@jest/globals';
import { hostileGroups, lineOf, unexpectedIn, writeOutcomes } from '#lib/code/testing';

// Runs by `npm run histories:record` alone, after a change of the engine, the compiler, the bridge or the corpus.
it('records what comes of each hostile program', async () => {
  const groups = new Map<string, readonly string[]>();
  for (const [title, play] of hostileGroups) groups.set(title, (await play()).map(lineOf));
  expect([...groups].flatMap(([title, lines]) => unexpectedIn(title, lines))).toEqual([]);
  writeOutcomes(groups);
});
