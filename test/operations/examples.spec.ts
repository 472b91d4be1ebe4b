import { expect, it } from '@jest/globals';
import { stableCall } from './examples.js';

/** An answer on a day, of a server whose models are at this address, with an id of its own. */
function recordedOn(day: string, model: string, id: string) {
  const at = `${day}T08:15:00.123Z`;
  const rows = `session,of,at,day\n${id},${model},${at},${day}\n`;
  const answer = { rows, day, at, id, durationMs: Number(day.at(-1)), model: 'gpt-4o-mini-2024-07-18' };
  return stableCall({ input: {}, answer }, model);
}

it('a call that is recorded again on another day, at another address, is the same example', () => {
  const first = recordedOn('2026-11-29', 'http://127.0.0.1:1', 'd84ce34f-b04f-562c-957f-5dc8274d2d36');
  const again = recordedOn('2026-12-01', 'http://127.0.0.1:2', '6f1a6a5e-3f64-4b5e-9f0b-0c5a3f6f7d11');
  expect(again).toEqual(first);
  expect(first.answer).toMatchObject({ model: 'gpt-4o-mini-2024-07-18' });
});
