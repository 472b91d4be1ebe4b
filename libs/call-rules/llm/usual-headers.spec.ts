import { expect, it } from '@jest/globals';
import { USUAL_REQUEST_HEADERS } from './usual-headers.js';

it('the usual headers of a request are those that logs of every release leave out', () => {
  expect(USUAL_REQUEST_HEADERS).toEqual({
    Accept: 'application/json',
    Authorization: '[REDACTED]',
    'Content-Type': 'application/json',
    'User-Agent': 'redial',
  });
});
