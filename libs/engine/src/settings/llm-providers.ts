import { DEFAULT_BASE_URL, type LlmProvider, LlmProviders } from '#lib/activities';
import { DEFAULT_PROVIDER } from '#lib/calls';
import { InvalidSetting } from './defaults.js';
import type { ProviderOptions, RedialOptions } from './redial-options.js';

const PROVIDER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The providers that the options name, and the default one. @throws InvalidSetting */
export function llmProviders({ llm = {}, providers = {}, providerKeys = {} }: RedialOptions): LlmProviders {
  const { apiKey, baseUrl = DEFAULT_BASE_URL } = llm;
  const named = Object.entries(providers).map(([name, given]) => {
    if (name === DEFAULT_PROVIDER || !PROVIDER_NAME.test(name)) throw invalidName(name);
    return [name, provider(given, providerKeys)] as const;
  });
  return new LlmProviders({
    ...Object.fromEntries(named),
    [DEFAULT_PROVIDER]: { baseUrl, ...(apiKey !== undefined && { apiKey }) },
  });
}

function provider(
  { apiKeyEnv, ...limits }: ProviderOptions,
  keys: NonNullable<RedialOptions['providerKeys']>,
): LlmProvider {
  const apiKey = apiKeyEnv === undefined ? undefined : keys[apiKeyEnv];
  return { ...limits, keyFrom: apiKeyEnv ?? null, ...(apiKey && { apiKey }) };
}

function invalidName(name: string): InvalidSetting {
  const why =
    name === DEFAULT_PROVIDER
      ? 'it is the name of the one that OPENAI_BASE_URL sets up'
      : 'it is not 1 to 64 letters, digits, dots, underscores and hyphens';
  return new InvalidSetting('the name of a provider', why, 'Name the provider otherwise');
}
