import { describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { belowBasePath, prefixOf } from './base-path.js';

const asking = (forwarded?: string) => ({ get: () => forwarded }) as Pick<Request, 'get'>;

describe('the base path', () => {
  it.each([
    ['/', undefined, '/'],
    ['/desk', undefined, '/desk/'],
    ['/desk/', '/proxy/desk', '/proxy/desk/'],
    ['/desk', '', '/desk/'],
  ])('is the setting %s, or what a proxy says (%s): %s', (basePath, forwarded, expected) => {
    expect(prefixOf(asking(forwarded), basePath)).toBe(forwarded === '' ? '/' : expected);
  });

  it.each(['//evil.example', 'https://evil.example', '/a"><script>', '/a b', `/${'a/'.repeat(40)}`])(
    'is never a text of a header that is no path: %s',
    (forwarded) => {
      expect(prefixOf(asking(forwarded), '/desk')).toBe('/desk/');
    },
  );

  it.each([
    ['/desk/v1/sessions?limit=1', '/v1/sessions?limit=1'],
    ['/desk', '/'],
    ['/desk?tab=a', '/?tab=a'],
    ['/desktop', '/desktop'],
    ['/v1/sessions', '/v1/sessions'],
  ])('is taken from the address of a request: %s becomes %s', (url, expected) => {
    const request = { url } as Request;
    belowBasePath('/desk/')(request, {} as Response, () => undefined);
    expect(request.url).toBe(expected);
  });
});
