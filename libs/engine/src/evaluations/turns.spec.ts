import { expect, it } from '@jest/globals';
import { Turns } from './turns.js';

it('begins nothing before what came before it has ended, and goes on after a failure', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  let letFirstEnd: () => void = () => undefined;
  const first = turns.take(async () => {
    seen.push('first begins');
    await new Promise<void>((resolve) => (letFirstEnd = resolve));
    seen.push('first ends');
  });
  const second = turns.take(() => {
    seen.push('second');
    return Promise.reject(new Error('no'));
  });
  const third = turns.take(async () => seen.push('third'));
  await Promise.resolve();
  expect(seen).toEqual(['first begins']);
  letFirstEnd();
  await first;
  await expect(second).rejects.toThrow('no');
  expect(await third).toBe(4);
  expect(seen).toEqual(['first begins', 'first ends', 'second', 'third']);
});
