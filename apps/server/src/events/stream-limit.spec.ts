import { describe, expect, it } from '@jest/globals';
import { MOST_STREAMS, MOST_STREAMS_OF_ONE, StreamLimit } from './stream-limit.js';

const problem = (status: number) =>
  expect.objectContaining({
    problem: expect.objectContaining({ status, code: 'too-many-streams' }),
    headers: { 'Retry-After': '10' },
  });

describe('the limit on event streams', () => {
  it('X-S12: refuses one more stream of a session with 429, until one closes', () => {
    const limit = new StreamLimit();
    const closes = Array.from({ length: MOST_STREAMS_OF_ONE }, () => limit.take('s'));
    expect(() => limit.take('s')).toThrow(problem(429));
    limit.take('other');
    closes[0]?.();
    limit.take('s');
    expect(() => limit.take('s')).toThrow(problem(429));
  });

  it('X-S12: refuses one more stream of the process with 503, until one closes', () => {
    const limit = new StreamLimit();
    const closes = Array.from({ length: MOST_STREAMS }, (_, index) => limit.take(`session-${index}`));
    expect(() => limit.take('s')).toThrow(problem(503));
    closes[7]?.();
    limit.take('s');
    expect(() => limit.take('session-7')).toThrow(problem(503));
  });
});
