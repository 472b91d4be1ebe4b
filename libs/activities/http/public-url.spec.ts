import { describe, expect, it } from '@jest/globals';
import { chatCompletionsUrl, InvalidBaseUrl, publicUrl } from './public-url.js';

describe('publicUrl', () => {
  it.each([
    ['https://api.openai.com/v1', 'https://api.openai.com/v1'],
    ['HTTPS://API.OpenAI.com:443/v1//', 'https://api.openai.com/v1'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://user@host/v1#x', 'http://host/v1'],
    ['http://host/v1?a=1&a=2&b', 'http://host/v1?a=[REDACTED]&a=[REDACTED]&b=[REDACTED]'],
  ])('of %s is %s, and stays so', (url, expected) => {
    expect(publicUrl(url)).toBe(expected);
    expect(publicUrl(expected)).toBe(expected);
  });

  it.each(['', 'not a url with sk-canary', 'ftp://host/sk-canary', 'api.openai.com/v1'])(
    'refuses %j without showing it',
    (url) => {
      expect(() => publicUrl(url)).toThrow(InvalidBaseUrl);
      expect(() => publicUrl(url)).not.toThrow(/canary/);
    },
  );
});

it('reads a path of a million slashes in one pass', () => {
  expect(publicUrl(`https://host/${'/'.repeat(1_000_000)}v1//`)).toBe(
    `https://host/${'/'.repeat(1_000_000)}v1`,
  );
});

describe('chatCompletionsUrl', () => {
  it.each([
    ['https://host/v1', 'https://host/v1/chat/completions'],
    ['https://host/v1/', 'https://host/v1/chat/completions'],
    ['https://host', 'https://host/chat/completions'],
    ['https://host/d?api-version=1#x', 'https://host/d/chat/completions?api-version=1'],
  ])('of %s is %s', (base, expected) => {
    expect(chatCompletionsUrl(base).href).toBe(expected);
  });
});
