import { environmentSecrets } from './configured-secrets.js';
import type { Environment } from './environment.js';
import { OPTIONS, type RedialOptions } from './redial-options.js';
import { isSetting, type Tree } from './setting.js';
import { readMcpServers, readPrices, readProviders } from './setting-files.js';

/**
 * The options of an engine from the environment, for applications that are configured by variables.
 * @param variables hold the values that `webhookTokenName` of specialists and `apiKeyEnv` of providers name
 * @throws InvalidSetting for prices, providers and MCP servers that cannot be read
 */
export function optionsFrom(
  environment: Environment,
  variables: { readonly [name: string]: string | undefined },
): RedialOptions {
  const { webhooks, ...plain } = ofVariables(OPTIONS, environment) as RedialOptions;
  const { REDIAL_API_TOKEN: apiToken } = environment;
  return {
    ...plain,
    ...(apiToken !== undefined && { apiToken }),
    webhooks: { ...webhooks, tokens: variables },
    providers: readProviders(environment.REDIAL_PROVIDERS),
    providerKeys: variables,
    drive: { enabled: environment.REDIAL_DRIVE === 'on' },
    checkScripts: variables['NODE_ENV'] !== 'production',
    prices: readPrices(environment.REDIAL_PRICES),
    mcpServers: readMcpServers(environment.REDIAL_MCP_SERVERS),
    secrets: environmentSecrets(variables),
  };
}

/** The options that variables set, each with the value of its variable. */
function ofVariables(tree: Tree, environment: Environment): object {
  const values = environment as object as { readonly [variable: string]: unknown };
  const options = Object.entries(tree).map(([name, one]) => [
    name,
    isSetting(one) ? values[String(one.variable)] : ofVariables(one, environment),
  ]);
  return Object.fromEntries(options.filter(([, value]) => value !== undefined)) as object;
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
