import type { Rejection } from '#lib/kernel';
import { configurationRejection } from '../configuration-rejection.js';
import { DEFAULT_BASE_URL, type LlmConfig } from './llm-config.js';

const CALL = 'call of a model';

/** Why no model can be called with this configuration; `undefined` when one can. Shows nothing of the values. */
export function llmConfigProblem({ apiKey, baseUrl, keyFrom }: LlmConfig): Rejection | undefined {
  const variable = keyFrom === undefined ? 'OPENAI_API_KEY' : keyFrom;
  return (variable === null ? undefined : keyProblem(apiKey, variable)) ?? baseUrlProblem(baseUrl);
}

function keyProblem(apiKey: string | undefined, variable: string): Rejection | undefined {
  if (!apiKey) return configurationRejection(CALL, 'there is no API key', `Set ${variable}`);
  if (/^[\x21-\x7e]+$/.test(apiKey)) return undefined;
  const why = 'the API key has characters that cannot stand in a header, such as a space or a line break';
  return configurationRejection(CALL, why, `Set ${variable} to the key alone`);
}

function baseUrlProblem(baseUrl: string): Rejection | undefined {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    const fix = `Set OPENAI_BASE_URL, or the provider's baseUrl, to one, such as ${DEFAULT_BASE_URL}`;
    return configurationRejection(CALL, 'the base URL is not an http or https URL', fix);
  }
  if (url.username === '' && url.password === '') return undefined;
  const why = 'the base URL holds a user name or password, and the API takes a bearer token';
  return configurationRejection(
    CALL,
    why,
    'Take them out of OPENAI_BASE_URL, or of the baseUrl of the provider',
  );
}
