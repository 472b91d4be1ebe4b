import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '#lib/event-store';
import { serversOf } from './server-names.js';

describe('serversOf', () => {
  it.each([
    ['esdb://localhost', 'localhost:2113'],
    ['esdb://admin:changeit@localhost:2114?tls=false', 'localhost:2114'],
    ['esdb://admin:p%40ss@a:1,b:2,c?nodePreference=leader&tls=true', 'a:1, b:2, c:2113'],
    ['esdb+discover://admin:secret@cluster.example/?tls_ca_file=x', 'cluster.example:2113'],
    ['esdb://admin:se@cret@localhost', 'localhost:2113'],
  ])('names the servers in %s', (connectionString, names) => {
    expect(serversOf(connectionString).names).toBe(names);
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
    expect(() => serversOf(connectionString)).toThrow(StoreUnavailable);
    expect(() => serversOf(connectionString)).not.toThrow(/secret/);
  });

  it.each([
    ['esdb://localhost', 'esdb://node:2114'],
    [
      'esdb://admin:p%40ss@a:1,b:2,c?nodePreference=leader&tls=true',
      'esdb://admin:p%40ss@node:2114?nodePreference=leader&tls=true',
    ],
    [
      'esdb+discover://admin:secret@cluster.example/?tls_ca_file=x',
      'esdb://admin:secret@node:2114?tls_ca_file=x',
    ],
  ])('gives the way from %s to one node', (connectionString, way) => {
    expect(serversOf(connectionString).connectionStringTo('node:2114')).toBe(way);
  });

  it('knows a cluster, and how long its nodes may take', () => {
    expect(serversOf('esdb://a')).toMatchObject({ areCluster: false, gossipTimeoutMs: 5_000 });
    expect(serversOf('esdb://a,b?gossip_timeout=2')).toMatchObject({
      areCluster: true,
      gossipTimeoutMs: 2_000,
    });
    expect(serversOf('esdb+discover://a')).toMatchObject({ areCluster: true, endpoints: ['a:2113'] });
  });
});
