import { readFileSync } from 'node:fs';
import type { McpServer } from '#lib/activities';
import { checkValue, schemaProblem } from '#lib/json-schema';
import { MasterKey } from '#lib/event-store';
import { isJsonObject, type JsonObject } from '#lib/kernel';
import { isTime } from '#lib/operations/core';
import type { PriceTable } from '#lib/read-models';
import { SealKey } from '#lib/seals/core';
import { InvalidSetting } from './setting.js';
import type { ProviderOptions } from './redial-options.js';

// Settings whose value is the path of a file. No message holds that value or a value of the file: either may be a secret.

/** 32 bytes, with or without padding, in either alphabet. */
const BASE64_OF_KEY = /^[A-Za-z0-9+/_-]{43}=?$/;

const texts = { type: 'object', additionalProperties: { type: 'string' } };

const MCP_SERVER = {
  oneOf: [
    {
      type: 'object',
      properties: {
        command: { type: 'string', minLength: 1 },
        args: { type: 'array', items: { type: 'string' } },
        env: texts,
      },
      required: ['command'],
    },
    {
      type: 'object',
      properties: { url: { type: 'string', pattern: '^https?://' }, headers: texts },
      required: ['url'],
    },
  ],
};

const MCP_SERVERS = {
  type: 'object',
  properties: { mcpServers: { type: 'object', additionalProperties: MCP_SERVER } },
  required: ['mcpServers'],
};

/** The servers in a JSON file, in the form that MCP clients use. None without a file. @throws InvalidSetting */
export function readMcpServers(path: string | undefined): { readonly [name: string]: McpServer } {
  if (path === undefined) return {};
  const form = '{ "mcpServers": { "<name>": { "command" } or { "url" } } }';
  const invalid = invalidFor('REDIAL_MCP_SERVERS', `Write ${form}, or unset the variable`);
  const { mcpServers } = fitting(MCP_SERVERS, path, invalid) as { mcpServers: object };
  return mcpServers as { readonly [name: string]: McpServer };
}

/** The members of a provider in a file. */
export const PROVIDER_MEMBERS = {
  baseUrl: { type: 'string', pattern: '^https?://' },
  apiKeyEnv: { type: 'string', minLength: 1 },
  headers: texts,
  query: texts,
  timeoutMs: { type: 'integer', minimum: 1 },
  firstByteTimeoutMs: { type: 'integer', minimum: 1 },
  idleTimeoutMs: { type: 'integer', minimum: 1 },
  maxAttempts: { type: 'integer', minimum: 1, maximum: 20 },
  maxConcurrent: { type: 'integer', minimum: 1 },
};

const PROVIDERS = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    properties: PROVIDER_MEMBERS,
    required: ['baseUrl'],
    additionalProperties: false,
  },
};

/** The providers in a JSON file, by name. None without a file. @throws InvalidSetting */
export function readProviders(path: string | undefined): { readonly [name: string]: ProviderOptions } {
  if (path === undefined) return {};
  const fix = 'Write { "<name>": { "baseUrl", "apiKeyEnv" } }, or unset the variable';
  const value = fitting(PROVIDERS, path, invalidFor('REDIAL_PROVIDERS', fix));
  return value as { readonly [name: string]: ProviderOptions };
}

const isAmount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isPrice = (value: unknown): boolean =>
  isJsonObject(value) &&
  [value['inputPerMillion'], value['outputPerMillion']].every(isAmount) &&
  [value['cacheReadPerMillion'], value['cacheWritePerMillion']].every(
    (amount) => amount === undefined || isAmount(amount),
  );

const PRICE_RULES: readonly (readonly [fits: (version: JsonObject) => boolean, problem: string])[] = [
  [({ version }) => isText(version), 'has no `version`, a text'],
  // A time without an offset would be another one in each time zone.
  [({ from }) => isTime(from), 'has no `from`, an ISO 8601 time, like 2026-01-31T12:00:00Z'],
  [({ currency }) => isText(currency), 'has no `currency`, like "USD"'],
  [
    ({ models }) => isJsonObject(models) && Object.values(models).every(isPrice),
    'has no `models`, each with `inputPerMillion` and `outputPerMillion`, and maybe `cacheReadPerMillion` and `cacheWritePerMillion`, from 0',
  ],
];

/** The price table in a JSON file: a list of versions. None without a file. @throws InvalidSetting */
export function readPrices(path: string | undefined): PriceTable {
  if (path === undefined) return [];
  const invalid = invalidFor('REDIAL_PRICES', 'Write it as docs/operations.md shows, or unset the variable');
  return checkPrices(readJson(path, invalid), invalid);
}

/** Code may compute prices: NaN would be the cost of each call. @throws InvalidSetting */
export function checkPrices(
  value: unknown,
  invalid: Invalid = invalidFor('prices', 'Write it as docs/operations.md shows, or leave it out'),
): PriceTable {
  if (!Array.isArray(value)) throw invalid('it is not a list of versions');
  const [problem] = value.flatMap((version: unknown, index) => {
    const [, why] = PRICE_RULES.find(([fits]) => !isJsonObject(version) || !fits(version)) ?? [];
    return why === undefined ? [] : [`its version ${index} ${why}`];
  });
  if (problem !== undefined) throw invalid(problem);
  return value as PriceTable;
}

/** The key of seals in a file. None without a file. @throws InvalidSetting */
export function readSealKey(path: string | undefined): SealKey | undefined {
  if (path === undefined) return undefined;
  const fix = 'Make one with: openssl genpkey -algorithm ed25519 -out <file>; or unset the variable';
  const invalid = invalidFor('REDIAL_SEAL_KEY', fix);
  const pem = readText(path, invalid);
  try {
    return new SealKey(pem);
  } catch {
    throw invalid('its file holds no Ed25519 private key in PEM form');
  }
}

/** The key in this text, or in the file that it names. None without one. @throws InvalidSetting */
export function readMasterKey(name: string, given: string | undefined): MasterKey | undefined {
  if (given === undefined) return undefined;
  const fix = 'Make one with: openssl rand -base64 32; or unset the variable';
  const invalid = invalidFor(name, fix);
  const key = masterKeyIn(given) ?? masterKeyIn(readText(given, invalid).trim());
  if (!key) throw invalid('its file does not hold 32 bytes in base64');
  return new MasterKey(key);
}

/** The key that a text is; `undefined` for any other text, such as the path of a file. */
export function masterKeyIn(text: string): Buffer | undefined {
  return BASE64_OF_KEY.test(text) ? Buffer.from(text, 'base64') : undefined;
}

type Invalid = (why: string) => InvalidSetting;

function invalidFor(name: string, fix: string): Invalid {
  return (why) => new InvalidSetting(name, why, fix);
}

function fitting(schema: JsonObject, path: string, invalid: Invalid): unknown {
  const value = readJson(path, invalid);
  const [first] = checkValue(schema, value).errors.map(schemaProblem);
  if (first) throw invalid(`${first.path || 'the root'} of its file ${first.message}`);
  return value;
}

function readJson(path: string, invalid: Invalid): unknown {
  const text = readText(path, invalid);
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('its file is not JSON');
  }
}

function readText(path: string, invalid: Invalid): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw invalid(`its file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
