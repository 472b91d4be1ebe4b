import { RedialError } from '#lib/kernel';
import type { LlmConfig } from '../llm/llm-config.js';

/** A setting that is not an http or https URL. The message does not show its value, which may hold credentials. */
export class InvalidBaseUrl extends RedialError {}

/**
 * A base URL in the form that may be stored and shown: without user info, fragment and trailing slashes, with the values of its query replaced by
 * `[REDACTED]`. Two settings for the same server have the same public URL, and applying it again changes nothing.
 * @throws InvalidBaseUrl
 */
export function publicUrl(baseUrl: string): string {
  const url = parseBaseUrl(baseUrl);
  const names = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=[REDACTED]`);
  const query = names.length > 0 ? `?${names.join('&')}` : '';
  return `${url.origin}${withoutLastSlashes(url.pathname)}${query}`;
}

/** A loop, because a regular expression would try each slash as the first of the last ones. */
function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** @throws InvalidBaseUrl */
function parseBaseUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new InvalidBaseUrl(
    'base URL of the model API',
    'it is not an http or https URL',
    'Set OPENAI_BASE_URL to one, such as https://api.openai.com/v1',
  );
}

/** The URL of an API's chat completions without its secrets. @throws InvalidBaseUrl */
export function chatUrl(config: Pick<LlmConfig, 'baseUrl' | 'query'>): string {
  return publicUrl(chatCompletionsUrl(config.baseUrl, config.query).href);
}

/** The URL of chat completions, under a base URL that may have a query. */
export function chatCompletionsUrl(baseUrl: string, query: LlmConfig['query'] = {}): URL {
  const url = parseBaseUrl(baseUrl);
  url.pathname = `${withoutLastSlashes(url.pathname)}/chat/completions`;
  url.hash = '';
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
