import { expect, it } from '@jest/globals';
import { derivedId } from '#lib/kernel';
import { RunDeltas } from './run-deltas.js';

it('A listener that throws fails neither the call nor the other listeners, and is reported once', () => {
  const [warnings, shown]: string[][] = [[], []];
  const deltas = new RunDeltas((message) => warnings?.push(message));
  deltas.listen('session', () => {
    throw new RangeError('too long');
  });
  deltas.listen('session', ({ text }) => shown?.push(text));
  const runId = '6f5902ac-2377-4c86-9d5e-1f2f6d2a0c11';
  const start = {
    stream: `redial_planner-${runId}`,
    metadata: { correlationId: 'session', occurredAt: '', actor: 'a' },
  };
  deltas.publish(start, 'call#1', 'a');
  deltas.publish(start, 'call#1', 'b');
  expect(shown).toEqual(['a', 'b']);
  expect(warnings).toEqual([
    `The text of call ${derivedId(runId, 'call#1')} is not shown: RangeError: too long`,
  ]);
});
