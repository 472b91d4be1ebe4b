import type { Rejection } from '#lib/kernel';
import { configurationRejection } from '../configuration-rejection.js';
import type { LlmConfig } from './llm-config.js';

/** Why no model can be called with this configuration; `undefined` when one can. Shows nothing of the values. */
export function llmConfigProblem({ apiKey, baseUrl }: LlmConfig): Rejection | undefined {
  if (!apiKey) {
    return configurationRejection('call of a model', 'there is no API key', 'Set OPENAI_API_KEY');
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    const why = 'the API key has characters that cannot stand in a header, such as a space or a line break';
    return configurationRejection('call of a model', why, 'Set OPENAI_API_KEY to the key alone');
  }
  return baseUrlProblem(baseUrl);
}

function baseUrlProblem(baseUrl: string): Rejection | undefined {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    const fix = 'Set OPENAI_BASE_URL to one, such as https://api.openai.com/v1';
    return configurationRejection('call of a model', 'the base URL is not an http or https URL', fix);
  }
  if (url.username === '' && url.password === '') return undefined;
  const why = 'the base URL holds a user name or password, and the API takes a bearer token';
  return configurationRejection('call of a model', why, 'Take them out of OPENAI_BASE_URL');
}
