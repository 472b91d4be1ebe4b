import * as kit from 'redial-engine/testing';
import { expect, test } from 'vitest';
import { decided } from './refund.js';

test('vitest', async () => {
  expect(await decided(kit)).toBe('closed');
});
