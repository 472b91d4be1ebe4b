import { describe, expect, it } from '@jest/globals';
import { callTraces } from './call-traces.rules.js';

const call = {
  callId: '6f5902ac-2377-4c86-9d5e-1f2f6d2a0c11',
  asked: { tool: 'find', input: { order: 3 } },
  startedAt: '2026-01-02T03:04:05.000Z',
};

describe('callTraces', () => {
  it.each([
    [14_999, [{ type: 'tool_call' }]],
    [
      15_000,
      [
        { type: 'tool_slow', tool_call_id: call.callId, tool_name: 'find', duration_ms: 15_000 },
        { type: 'tool_call' },
      ],
    ],
  ])('L-25: of a call that took %d ms are %j', (ms, traces) => {
    const endedAt = new Date(Date.parse(call.startedAt) + ms).toISOString();
    expect(callTraces({ ...call, outcome: { value: 3 } }, endedAt)).toMatchObject(traces);
  });
});
