import { describe, expect, it } from '@jest/globals';
import { DEFAULT_BASE_URL, llmConfigFrom, llmConfigProblem } from './llm-config.js';

const key = 'sk-canary-0123456789';
const base = 'https://host/v1';

describe('llmConfigProblem', () => {
  it('has nothing against a key and an http URL', () => {
    expect(llmConfigProblem({ apiKey: key, baseUrl: `${base}?api-version=1` })).toBeUndefined();
  });

  it.each([
    ['no key', { baseUrl: base }, 'OPENAI_API_KEY'],
    ['an empty key', { apiKey: '', baseUrl: base }, 'OPENAI_API_KEY'],
    ['a key with a line break', { apiKey: `${key}\n`, baseUrl: base }, 'OPENAI_API_KEY'],
    ['a base URL that is none', { apiKey: key, baseUrl: 'host-canary' }, 'OPENAI_BASE_URL'],
    ['another protocol', { apiKey: key, baseUrl: 'file:///canary' }, 'OPENAI_BASE_URL'],
    ['a password in the base URL', { apiKey: key, baseUrl: 'https://u:canary@host' }, 'OPENAI_BASE_URL'],
  ])('refuses %s by naming the setting and not its value', (_, config, setting) => {
    const problem = llmConfigProblem(config);
    expect(problem).toMatchObject({
      rejected: 'refused',
      code: 'configuration',
      message: expect.stringContaining(setting),
    });
    expect(problem?.message).not.toContain('canary');
  });
});

describe('llmConfigFrom', () => {
  it('reads the usual names, and takes empty ones for absent', () => {
    expect(llmConfigFrom({ OPENAI_API_KEY: key, OPENAI_BASE_URL: base })).toEqual({
      apiKey: key,
      baseUrl: base,
    });
    expect(llmConfigFrom({ OPENAI_API_KEY: '', OPENAI_BASE_URL: '' })).toEqual({ baseUrl: DEFAULT_BASE_URL });
  });
});
