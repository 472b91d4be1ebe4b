import { expect, test } from '@jest/globals';
import * as kit from 'redial-engine/testing';
import { decided } from './refund.js';

test('jest as ESM', async () => {
  expect(await decided(kit)).toBe('closed');
});
