import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '#lib/event-store';
import { serverNames } from './server-names.js';

describe('serverNames', () => {
  it.each([
    ['esdb://localhost', 'localhost:2113'],
    ['esdb://admin:changeit@localhost:2114?tls=false', 'localhost:2114'],
    ['esdb://admin:p%40ss@a:1,b:2,c?nodePreference=leader&tls=true', 'a:1, b:2, c:2113'],
    ['esdb+discover://admin:secret@cluster.example/?tls_ca_file=x', 'cluster.example:2113'],
    ['esdb://admin:se@cret@localhost', 'localhost:2113'],
  ])('names the servers in %s', (connectionString, names) => {
    expect(serverNames(connectionString)).toBe(names);
  });

  it.each([
    '',
    'http://localhost',
    'esdb://',
    'esdb://a:b:c@',
    'esdb://admin:secret@a:secret',
    'esdb://a?colour=secret',
    'esdb://a?tlsVerifyCert=false',
  ])('refuses %s, and shows nothing secret', (connectionString) => {
    expect(() => serverNames(connectionString)).toThrow(StoreUnavailable);
    expect(() => serverNames(connectionString)).not.toThrow(/secret/);
  });
});
