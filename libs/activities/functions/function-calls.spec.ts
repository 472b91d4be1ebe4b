import { expect, it } from '@jest/globals';
import { Redactor } from '../redaction/redactor.js';
import { callFunction } from './function-calls.js';
import { plainJson } from './plain-json.js';

const { signal } = new AbortController();
const called = (fn: () => unknown) =>
  callFunction(fn, plainJson, new Redactor([]), { signal, timeoutMs: 60_000 });

it('2,000 characters of what a function throws are kept', async () => {
  const thrown = (characters: number) =>
    called(() => {
      throw new Error('x'.repeat(characters));
    });
  expect(await thrown(2_000)).toMatchObject({ failure: { message: 'x'.repeat(2_000) } });
  expect(await thrown(5_000_000)).toMatchObject({ failure: { message: `${'x'.repeat(2_000)}…` } });
});

it('an answer that is too large is a failure after which the function is not called again', async () => {
  const items = Array.from({ length: 500_001 }, () => 0);
  const message = expect.stringContaining('more than 500000');
  expect(await called(() => items)).toMatchObject({
    failure: { kind: 'function', message, retryable: false },
  });
  expect(await called(() => items.slice(2))).toMatchObject({ result: items.slice(2) });
});
