import { expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { onlyOwnPages, onlyThisHost } from './refuse-foreign.js';

const answered = {} as Response;

function isRefused(middleware: typeof onlyThisHost, request: object): boolean {
  let isError = false;
  middleware(request as Request, answered, (error?: unknown) => {
    isError = error !== undefined;
  });
  return isError;
}

it.each([
  ['127.0.0.1', {}, false],
  ['::1', {}, false],
  ['::ffff:127.0.0.1', {}, false],
  ['192.0.2.1', {}, true],
  [undefined, {}, true],
  ['127.0.0.1', { 'x-forwarded-for': '192.0.2.1' }, true],
  ['127.0.0.1', { via: '1.1 proxy' }, true],
])('this host alone: %s with %j is refused: %s', (remoteAddress, headers, refused) => {
  expect(isRefused(onlyThisHost, { socket: { remoteAddress }, headers })).toBe(refused);
});

it.each([
  ['POST', 'same-site', true],
  ['POST', 'same-origin', false],
  ['POST', undefined, false],
  ['GET', 'same-site', false],
])('own pages alone: %s from %s is refused: %s', (method, site, refused) => {
  expect(isRefused(onlyOwnPages, { method, headers: { 'sec-fetch-site': site } })).toBe(refused);
});
