import { describe, expect, it } from '@jest/globals';
import { type Ask, type Answer, askFunction, type Script, together } from './script.rules.js';

const ask = (id: string): Extract<Ask, { kind: 'function' }> => ({
  kind: 'function',
  id,
  fnName: 'f',
  input: null,
});
function* asking(...ids: readonly string[]): Script<string> {
  const found: string[] = [];
  for (const id of ids) {
    const answer = yield* askFunction(ask(id));
    found.push('result' in answer ? (answer.result as string) : 'failed');
  }
  return found.join(' ');
}
const answers = (...ids: readonly string[]) => new Map<string, Answer>(ids.map((id) => [id, { result: id }]));

/** The asks at which a script stops with these answers, or its result. */
function openOf<Result>(begin: () => Script<Result>, known: ReadonlyMap<string, Answer>): unknown {
  const script = begin();
  let step = script.next([]);
  while (!step.done) {
    const open = step.value.filter(({ id }) => !known.has(id));
    if (open.length > 0) return open.map(({ id }) => id);
    step = script.next(step.value.map(({ id }) => known.get(id) as Answer));
  }
  return step.value;
}

describe('a script', () => {
  it('stops at the first question without an answer, and goes on from its start with all answers', () => {
    const begin = () => asking('a', 'b');
    expect([answers(), answers('a'), answers('a', 'b')].map((some) => openOf<unknown>(begin, some))).toEqual([
      ['a'],
      ['b'],
      'a b',
    ]);
  });

  it('asks what is independent at the same time, and needs all of it to go on', () => {
    const begin = () => together([asking('a', 'c'), asking('b'), asking()]);
    expect(openOf<unknown>(begin, answers())).toEqual(['a', 'b']);
    expect(openOf<unknown>(begin, answers('b'))).toEqual(['a']);
    expect(openOf<unknown>(begin, answers('a', 'b'))).toEqual(['c']);
    expect(openOf<unknown>(begin, answers('a', 'b', 'c'))).toEqual(['a c', 'b', '']);
  });
});
