import { expect, it } from '@jest/globals';
import { parseTraceparent } from './trace-context.js';

const IDS = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';

it('reads the trace context of a caller, of later versions too', () => {
  const context = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
  expect(parseTraceparent(`00-${IDS}-01`)).toEqual({ ...context, sampled: true });
  expect(parseTraceparent(`00-${IDS}-02`)).toEqual({ ...context, sampled: false });
  expect(parseTraceparent(`01-${IDS}-03-more`)).toEqual({ ...context, sampled: true });
});

it.each([
  undefined,
  '',
  IDS,
  `ff-${IDS}-01`,
  `00-${IDS}-01-more`,
  `00-${IDS.toUpperCase()}-01`,
  `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
  `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`,
  `01-${IDS}-01-${'x'.repeat(10_000)}`,
])('ignores what is none: %p', (text) => {
  expect(parseTraceparent(text)).toBeUndefined();
});
