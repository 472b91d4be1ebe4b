import { describe, expect, it } from '@jest/globals';
import { LlmProviders } from '#lib/activities';
import { configuredSecrets, environmentSecrets } from './configured-secrets.js';

describe('0.2-S4: the secrets of the settings', () => {
  it.each([
    [
      { databaseUrl: 'postgres://redial:p%40ss-word@db.example:5432/redial?sslpassword=key-pass-1' },
      ['p@ss-word', 'key-pass-1'],
    ],
    [{ eventStoreDbUrl: 'esdb+discover://admin:change-it@one:2113,two:2113?tls=true' }, ['change-it']],
    [
      { mcpServers: { a: { command: 'c', env: { A_KEY: 'key-of-env', NODE_ENV: 'production' } } } },
      ['key-of-env'],
    ],
    [
      {
        mcpServers: {
          a: {
            url: 'https://u:pass-of-url@a.example/?k=key-of-url',
            headers: { Authorization: 'Bearer key-of-header' },
          },
        },
      },
      ['pass-of-url', 'key-of-url', 'key-of-header'],
    ],
    [{ webhooks: { tokens: { A_HOOK_TOKEN: 'hook-token', HOME: '/home/redial' } } }, ['hook-token']],
    [
      { apiToken: 'api-token', actorTokenSecret: 'actor-secret', secrets: ['given-one'] },
      ['api-token', 'actor-secret', 'given-one'],
    ],
  ])('hold %j', (options, secrets) => {
    const known = configuredSecrets(options, new LlmProviders({}));
    expect(known).toEqual(expect.arrayContaining(secrets));
    for (const word of ['production', 'redial', 'admin', '/home/redial', 'true'])
      expect(known).not.toContain(word);
  });

  it('that packages and commands read from the environment themselves are known, too', () => {
    const variables = {
      OTEL_EXPORTER_OTLP_HEADERS: 'a=plain%20value, authorization=Basic abc=',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://u:pass-of-traces@otel.example',
      REDIAL_ACTOR_TOKEN: 'ann.token',
      PGPASSWORD: 'pg-password',
    };
    const secrets = ['plain value', 'abc=', 'pass-of-traces', 'ann.token', 'pg-password'];
    expect(environmentSecrets(variables)).toEqual(expect.arrayContaining(secrets));
  });
});
