import { checkShape, schemaProblem } from '#lib/json-schema';
import type { JsonObject } from '#lib/kernel';
import { InvalidSetting } from './defaults.js';
import type { ProviderOptions, RedialOptions } from './redial-options.js';

const free: JsonObject = {};

/** An object with these members and no others: one of a misspelt name would have no effect. */
function closed(properties: JsonObject): JsonObject {
  return { properties, additionalProperties: false };
}

type Names<Of> = { readonly [Name in keyof Of]-?: JsonObject };

const provider = closed({
  baseUrl: free,
  apiKeyEnv: free,
  headers: free,
  query: free,
  timeoutMs: free,
  firstByteTimeoutMs: free,
  idleTimeoutMs: free,
  maxAttempts: free,
  maxConcurrent: free,
  calls: free,
} satisfies Names<ProviderOptions>);

const OPTIONS = closed({
  dataDir: free,
  eventStoreDbUrl: free,
  databaseUrl: free,
  databaseSchema: free,
  streamPrefix: free,
  patienceMs: free,
  llm: closed({
    apiKey: free,
    baseUrl: free,
    maxAttempts: free,
    callTimeoutMs: free,
  } satisfies Names<NonNullable<RedialOptions['llm']>>),
  providers: { additionalProperties: provider },
  providerKeys: free,
  webhooks: closed({
    privateAddresses: free,
    tokens: free,
    maxAttempts: free,
    timeoutMs: free,
  } satisfies Names<NonNullable<RedialOptions['webhooks']>>),
  drive: closed({ enabled: free, concurrency: free, intervalMs: free } satisfies Names<
    NonNullable<RedialOptions['drive']>
  >),
  prices: free,
  strategies: free,
  contexts: free,
  arbiters: free,
  workflows: free,
  functions: free,
  mcpServers: free,
  folds: free,
  traces: free,
  secrets: free,
  apiToken: free,
  actorTokenSecret: free,
  recoveryIntervalMs: free,
  shutdownGraceMs: free,
  readOnly: free,
  readWaitMs: free,
  checkScripts: free,
} satisfies Names<RedialOptions>);

/** @throws InvalidSetting for members that options do not have, by name alone: a value may be a secret */
export function checkOptionNames(options: RedialOptions): void {
  const [first] = checkShape(OPTIONS, options).errors.map(schemaProblem);
  if (first)
    throw new InvalidSetting('the options', `${first.path} ${first.message}`, 'Correct or remove it');
}
