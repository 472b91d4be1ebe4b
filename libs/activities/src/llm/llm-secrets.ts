import { type LlmConfig } from './llm-config.js';

/** Query members of base URLs that are no secrets, so that their values may stand in replies. */
const HARMLESS = new Set(['api-version']);

/** Everything in the configuration that must never be recorded. */
export function llmSecrets({ apiKey = '', baseUrl }: LlmConfig): string[] {
  if (!URL.canParse(baseUrl)) return [apiKey];
  const { username, password, searchParams } = new URL(baseUrl);
  const query = [...searchParams].flatMap(([name, value]) => (HARMLESS.has(name) ? [] : [value]));
  return [apiKey, ...[username, password].flatMap((part) => [part, decoded(part)]), ...query];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
