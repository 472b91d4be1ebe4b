import { environmentSecrets } from './configured-secrets.js';
import type { Environment } from './environment.js';
import type { RedialOptions } from './redial-options.js';
import { readMcpServers, readPrices, readProviders } from './setting-files.js';

/**
 * The options of an engine from the environment, for applications that are configured by variables.
 * @param variables in which `webhookTokenName` of specialists and `apiKeyEnv` of providers are looked up
 * @throws InvalidSetting for prices, providers and MCP servers that cannot be read
 */
export function optionsFrom(
  environment: Environment,
  variables: { readonly [name: string]: string | undefined },
): RedialOptions {
  const { REDIAL_LLM_MAX_ATTEMPTS, REDIAL_LLM_TIMEOUT_MS } = environment;
  const { EVENTSTOREDB_URL, DATABASE_URL, REDIAL_DATABASE_SCHEMA, OPENAI_API_KEY } = environment;
  return {
    dataDir: environment.REDIAL_DATA_DIR,
    streamPrefix: environment.REDIAL_STREAM_PREFIX,
    patienceMs: environment.REDIAL_PATIENCE_MS,
    ...(EVENTSTOREDB_URL !== undefined && { eventStoreDbUrl: EVENTSTOREDB_URL }),
    ...(DATABASE_URL !== undefined && { databaseUrl: DATABASE_URL }),
    ...(REDIAL_DATABASE_SCHEMA !== undefined && { databaseSchema: REDIAL_DATABASE_SCHEMA }),
    llm: {
      ...(OPENAI_API_KEY !== undefined && { apiKey: OPENAI_API_KEY }),
      baseUrl: environment.OPENAI_BASE_URL,
      ...(REDIAL_LLM_MAX_ATTEMPTS !== undefined && { maxAttempts: REDIAL_LLM_MAX_ATTEMPTS }),
      ...(REDIAL_LLM_TIMEOUT_MS !== undefined && { callTimeoutMs: REDIAL_LLM_TIMEOUT_MS }),
    },
    providers: readProviders(environment.REDIAL_PROVIDERS),
    providerKeys: variables,
    webhooks: { privateAddresses: environment.REDIAL_WEBHOOK_PRIVATE_ADDRESSES, tokens: variables },
    drive: { enabled: environment.REDIAL_DRIVE === 'on' },
    checkScripts: variables['NODE_ENV'] !== 'production',
    prices: readPrices(environment.REDIAL_PRICES),
    mcpServers: readMcpServers(environment.REDIAL_MCP_SERVERS),
    secrets: environmentSecrets(variables),
  };
}

/** Merges options over others, member by member. */
export function withOptions(
  base: RedialOptions,
  { llm, webhooks, drive, secrets = [], ...above }: RedialOptions,
): RedialOptions {
  return {
    ...base,
    ...above,
    llm: { ...base.llm, ...llm },
    webhooks: { ...base.webhooks, ...webhooks },
    drive: { ...base.drive, ...drive },
    secrets: [...(base.secrets ?? []), ...secrets],
  };
}
