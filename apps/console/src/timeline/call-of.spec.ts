import { expect, it } from '@jest/globals';
import type { ListedLlmCall } from '#lib/client';
import { callOf } from './call-of.js';
import type { TimelineEvent } from './rounds.js';

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
const event = (type: string, stepId: string, second: number) =>
  ({ type, stream: 'planner-1', occurredAt: at(second), data: { stepId } }) as TimelineEvent;
const request = (stepId: string, second: number) => event('LlmCallRequested', stepId, second);
const call = (callId: string, second: number) => ({ callId, requestedAt: at(second) }) as ListedLlmCall;

it('an event leads to its call in a fork too, which begins with requests of its parent', () => {
  const events = [request('one', 1), event('LlmCallCompleted', 'one', 2), request('two', 3)];
  const own = [call('own', 3)];
  expect(events.map((one) => callOf(one, events, own)?.callId)).toEqual([undefined, undefined, 'own']);
});

it('requests of one moment lead to the calls of that moment in their order, and to none if some of those are missing', () => {
  const events = [request('one', 1), request('two', 1), event('LlmCallCompleted', 'two', 2)];
  const calls = [call('first', 1), call('second', 1)];
  expect(events.map((one) => callOf(one, events, calls)?.callId)).toEqual(['first', 'second', 'second']);
  expect(events.map((one) => callOf(one, events, calls.slice(1)))).toEqual([undefined, undefined, undefined]);
});
