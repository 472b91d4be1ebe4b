import { type LlmConfig } from './llm-config.js';

/** Query members and headers that are no secrets: replies may hold their values. */
const HARMLESS = new Set([
  'accept',
  'anthropic-version',
  'api-version',
  'content-type',
  'http-referer',
  'openai-organization',
  'openai-project',
  'user-agent',
  'x-title',
]);

/** Everything in the configuration that must never be recorded. */
export function llmSecrets({ apiKey = '', baseUrl, headers = {}, query = {} }: LlmConfig): string[] {
  const given = secretValues([...Object.entries(headers), ...Object.entries(query)]);
  if (!URL.canParse(baseUrl)) return [apiKey, ...given];
  const { username, password, searchParams } = new URL(baseUrl);
  const user = [username, password].flatMap((part) => [part, decoded(part)]);
  return [apiKey, ...given, ...user, ...secretValues([...searchParams])];
}

/** A header may hold a scheme before its credentials. */
function secretValues(members: readonly (readonly [string, string])[]): string[] {
  return members.flatMap(([name, value]) =>
    HARMLESS.has(name.toLowerCase()) ? [] : [value, value.replace(/^[A-Za-z]+ +/, '')],
  );
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
