import { describe, expect, it } from '@jest/globals';
import { foreignOrigin, type RequestOrigin } from './request-origin.js';

const post: RequestOrigin = { method: 'POST', host: '127.0.0.1:3000' };
const get: RequestOrigin = { ...post, method: 'GET' };
const refused = (request: RequestOrigin, hasToken = false) => foreignOrigin(request, hasToken) !== undefined;

describe('the origin of a request', () => {
  it.each([
    'localhost',
    'localhost:8080',
    'LOCALHOST:1',
    '127.0.0.1',
    '127.8.9.10:3000',
    '[::1]',
    '[::1]:3000',
  ])('X-S5: takes the host %s', (host) =>
    expect([refused({ ...get, host }), refused({ ...post, host })]).toEqual([false, false]),
  );

  it.each([
    undefined,
    '',
    'rebound.example',
    'rebound.example:3000',
    'localhost.example',
    '127.0.0.1.example:3000',
    'localhost.',
    '0.0.0.0:3000',
    '192.168.0.1:3000',
    '127.1',
    '::1',
    '[::1',
    '[::2]:3000',
    '[::ffff:127.0.0.1]:3000',
    'localhost:99999',
    'localhost:',
    'me@localhost',
    'localhost/path',
    'localhost, rebound.example',
  ])('X-S5: refuses the host %j, and takes it where there is a token', (host) => {
    expect([refused({ ...get, host }), refused({ ...post, host }), refused({ ...post, host }, true)]).toEqual(
      [true, true, false],
    );
  });

  it.each([
    ['http://127.0.0.1:3000', '127.0.0.1:3000'],
    ['HTTP://LocalHost:3000', 'localhost:3000'],
    ['http://localhost', 'localhost:80'],
    ['http://localhost:80', 'localhost'],
    ['https://localhost', 'localhost:443'],
    ['http://[::1]:3000', '[::1]:3000'],
  ])('X-S5: takes the origin %s of the host %s', (origin, host) => {
    expect(refused({ ...post, origin, host })).toBe(false);
  });

  it.each([
    'null',
    '',
    'http://127.0.0.1:3001',
    'http://127.0.0.1',
    'http://localhost:3000',
    'https://127.0.0.1',
    'http://evil.example',
    'http://127.0.0.1:3000.evil.example',
    'http://127.0.0.1:3000@evil.example',
    'http://evil.example/http://127.0.0.1:3000',
    'file://127.0.0.1:3000',
    'chrome-extension://127.0.0.1:3000',
    '127.0.0.1:3000',
    'http://127.0.0.1:3000, http://evil.example',
  ])('X-S5: refuses the origin %j for every method, and takes it where there is a token', (origin) => {
    expect([
      refused({ ...get, origin }),
      refused({ ...post, origin }),
      refused({ ...post, origin }, true),
    ]).toEqual([true, true, false]);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])(
    'X-S6: refuses %s from another site, with and without a token',
    (method) => {
      const request = { ...post, method, fetchSite: 'cross-site' };
      expect([refused(request), refused(request, true)]).toEqual([true, true]);
    },
  );

  it('X-S6: takes links from other sites, and what a page or a person of this origin does', () => {
    const sites = ['same-origin', 'none', undefined].map((fetchSite) => ({ ...post, fetchSite }));
    for (const request of [{ ...get, fetchSite: 'cross-site' }, { ...get, fetchSite: 'same-site' }, ...sites])
      expect(refused(request)).toBe(false);
  });

  it('X-S6: takes another port of this host only with an own origin', () => {
    const request = { ...post, fetchSite: 'same-site' };
    expect([
      refused(request),
      refused({ ...request, origin: 'http://127.0.0.1:4000' }),
      refused({ ...request, origin: 'http://127.0.0.1:3000' }),
      refused(request, true),
    ]).toEqual([true, true, false, false]);
  });
});
