import { checkValue, schemaProblem } from '#lib/json-schema';
import { InvalidSetting } from './defaults.js';
import { readSettingFile } from './read-setting-file.js';
import type { ProviderOptions } from './redial-options.js';

const texts = { type: 'object', additionalProperties: { type: 'string' } };
const file = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    properties: {
      baseUrl: { type: 'string', pattern: '^https?://' },
      apiKeyEnv: { type: 'string', minLength: 1 },
      headers: texts,
      query: texts,
      timeoutMs: { type: 'integer', minimum: 1 },
      firstByteTimeoutMs: { type: 'integer', minimum: 1 },
      idleTimeoutMs: { type: 'integer', minimum: 1 },
      maxAttempts: { type: 'integer', minimum: 1, maximum: 20 },
      maxConcurrent: { type: 'integer', minimum: 1 },
    },
    required: ['baseUrl'],
    additionalProperties: false,
  },
};

/** The providers in a JSON file, by name. None without a file. @throws InvalidSetting */
export function readProviders(path: string | undefined): { readonly [name: string]: ProviderOptions } {
  if (path === undefined) return {};
  const value = readSettingFile(path, invalid);
  const [first] = checkValue(file, value).errors.map(schemaProblem);
  if (first) throw invalid(`${first.path || 'its root'} in its file ${first.message}`);
  return value as { readonly [name: string]: ProviderOptions };
}

/** Nothing of the file is in the message: it may hold secrets. */
function invalid(why: string): InvalidSetting {
  const fix = 'Write { "<name>": { "baseUrl", "apiKeyEnv" } }, or unset the variable';
  return new InvalidSetting('REDIAL_PROVIDERS', why, fix);
}
