import type { Rejection } from '#lib/kernel';
import { configurationRejection } from '../configuration-rejection.js';
import { addressSecrets, secretValues } from '../redaction/configured-values.js';

/** The configuration of one OpenAI-compatible API. The shell reads it from the environment. */
export interface LlmConfig {
  readonly apiKey?: string;
  /** May have a query. Neither its values nor the key are ever recorded. */
  readonly baseUrl: string;
  /** Sent with every call. Their values are never recorded. */
  readonly headers?: { readonly [name: string]: string };
  /** Added to the address of every call. */
  readonly query?: { readonly [name: string]: string };
  /** The variable of the key, for messages; `null` if the API takes no key. Default: OPENAI_API_KEY. */
  readonly keyFrom?: string | null;
}

/** The address of OpenAI's API. */
export const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

/** The configuration in `OPENAI_API_KEY` and `OPENAI_BASE_URL`. An empty variable counts as unset. */
export function llmConfigFrom(environment: NodeJS.ProcessEnv): LlmConfig {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl } = environment;
  return { ...(apiKey && { apiKey }), baseUrl: baseUrl || DEFAULT_BASE_URL };
}

const CALL = 'call of a model';
const DEFAULT_KEY = 'OPENAI_API_KEY';

/** The reason why no model can be called with this configuration; `undefined` if one can. Does not show the values. */
export function llmConfigProblem({ apiKey, baseUrl, keyFrom }: LlmConfig): Rejection | undefined {
  const variable = keyFrom === undefined ? DEFAULT_KEY : keyFrom;
  return (variable === null ? undefined : keyProblem(apiKey, variable)) ?? baseUrlProblem(baseUrl);
}

function keyProblem(apiKey: string | undefined, variable: string): Rejection | undefined {
  const option = variable === DEFAULT_KEY ? ', or the option llm.apiKey' : '';
  if (!apiKey) return configurationRejection(CALL, 'there is no API key', `Set ${variable}${option}`);
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

/** All values of the configuration that must never be recorded. */
export function llmSecrets({ apiKey = '', baseUrl, headers = {}, query = {} }: LlmConfig): string[] {
  const given = secretValues([...Object.entries(headers), ...Object.entries(query)]);
  return [apiKey, ...given, ...addressSecrets(baseUrl)];
}
