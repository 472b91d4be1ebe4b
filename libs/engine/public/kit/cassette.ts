import { CASSETTE_MODES, cassetteCalls, type CassetteMode } from '#lib/histories/core';
import { DEFAULT_BASE_URL } from '#lib/activities';
import { eventCatalogue } from '../../module/event-catalogue.js';
import { InvalidSetting } from '../../settings/setting.js';
import type { ProviderOptions } from '../../settings/redial-options.js';
import { isCi, variable } from './environment.js';

/** How a cassette is used. */
export interface CassetteOptions {
  /**
   * `replay`: only recorded answers, no call is made. `record`: the provider is asked, and the file is replaced. `auto`: replay; record if there is
   * no file.
   */
  readonly mode: CassetteMode;
  /** The provider that a recording asks. Default: OpenAI with the key in `OPENAI_API_KEY`. No key is written into the file. */
  readonly provider?: { readonly baseUrl: string; readonly apiKeyEnv?: string };
}

/**
 * A history file as the provider of models in a test: `providers: { default: cassette('tests/refund.jsonl', { mode: 'replay' }) }`. A
 * request gets the recorded answer to the same request of the same role; equal requests get theirs in the recorded order. A request that is
 * not in the file fails with `[CassetteMiss]` and the first difference, or `[CassetteExhausted]`. With `CI=true` no answer is recorded.
 * @throws CassetteMissing if there is no file and recording is not allowed, or the key of its provider is not set
 * @throws InvalidSetting for an unknown mode
 */
export function cassette(file: string, { mode, provider }: CassetteOptions): ProviderOptions {
  if (!CASSETTE_MODES.includes(mode))
    throw new InvalidSetting(
      `the mode of the cassette ${file}`,
      `it is ${mode}`,
      `Give one of ${CASSETTE_MODES.join(', ')}`,
    );
  const { baseUrl = DEFAULT_BASE_URL, apiKeyEnv = provider ? undefined : 'OPENAI_API_KEY' } = provider ?? {};
  const apiKey = apiKeyEnv === undefined ? undefined : variable(apiKeyEnv);
  const asked = {
    baseUrl,
    ...(apiKeyEnv !== undefined && { apiKeyEnv }),
    ...(apiKey !== undefined && { apiKey }),
  };
  const calls = cassetteCalls(file, { mode, isCi: isCi(), provider: asked, codec: eventCatalogue() });
  return { baseUrl, calls };
}
