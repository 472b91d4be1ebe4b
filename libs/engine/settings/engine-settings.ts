import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  DEFAULT_BASE_URL,
  type LlmProvider,
  LlmProviders,
  type McpServer,
  Redactor,
  type WebhookSettings,
} from '#lib/activities';
import { arbitration } from '#lib/decisions/arbitration';
import { dueTimes } from '#lib/tasks/core';
import { evaluation } from '#lib/histories/core';
import { code } from '#lib/code/core';
import { systemClock } from '#lib/kernel';
import { turn } from '#lib/flows/core';
import { planner } from '#lib/planner';
import type { PriceTable } from '#lib/read-models';
import type { ArbitrationSettings, DriverSettings, SolicitationSettings } from '#lib/decisions/driving/core';
import { solicitation } from '#lib/decisions/solicitation';
import { type LeaseHolder, WorkflowRegistry } from '#lib/workflow';
import { type ModelLimits, ModelRoutes } from '#lib/runs/runs/core';
import {
  DEFAULT_DATA_DIR,
  DEFAULT_PATIENCE_MS,
  DEFAULT_STREAM_PREFIX,
  InvalidSetting,
  LEASE_TTL_MS,
  SCHEMA_NAME,
} from './defaults.js';
import { configuredSecrets } from './configured-secrets.js';
import { checkOptionNames } from './option-names.js';
import type { ProviderOptions, RedialOptions } from './redial-options.js';
import { DEFAULT_PROVIDER } from '#lib/call-rules';

/** The settings of the engine's parts, computed once at start. */
export class EngineSettings {
  readonly logFile: string;
  readonly readFile: string;
  readonly keysFile: string;
  /** The URL of the log, instead of the file. */
  readonly eventStoreDbUrl: string | undefined;
  /** The URL of the read models, instead of the file. */
  readonly databaseUrl: string | undefined;
  readonly databaseSchema: string | undefined;
  readonly streamPrefix: string;
  readonly patienceMs: number;
  readonly providers: LlmProviders;
  readonly models: ModelRoutes;
  readonly webhooks: WebhookSettings;
  readonly solicitation: SolicitationSettings;
  readonly arbitration: ArbitrationSettings;
  readonly runner: Omit<LeaseHolder, 'leases'>;
  readonly driver: DriverSettings;
  readonly prices: PriceTable;
  readonly mcpServers: { readonly [name: string]: McpServer };
  /** The one of this process. */
  readonly redactor: Redactor;
  readonly apiToken: string | undefined;
  readonly actorTokenSecret: string | undefined;
  readonly recoveryIntervalMs: number;
  readonly shutdownGraceMs: number;
  readonly readWaitMs: number;
  readonly readOnly: boolean;
  readonly checkScripts: boolean;
  readonly workflows: WorkflowRegistry;

  /** @throws InvalidSetting */
  constructor(readonly options: RedialOptions = {}) {
    checkOptionNames(options);
    const dataDir = options.dataDir ?? DEFAULT_DATA_DIR;
    this.logFile = join(dataDir, 'log.sqlite');
    this.readFile = join(dataDir, 'read.sqlite');
    this.keysFile = join(dataDir, 'keys.sqlite');
    this.eventStoreDbUrl = options.eventStoreDbUrl;
    this.databaseUrl = options.databaseUrl;
    this.databaseSchema = schemaName(options.databaseSchema);
    this.streamPrefix = options.streamPrefix ?? DEFAULT_STREAM_PREFIX;
    this.patienceMs = options.patienceMs ?? DEFAULT_PATIENCE_MS;
    this.providers = llmProviders(options);
    this.webhooks = {
      privateAddresses: options.webhooks?.privateAddresses ?? 'refuse',
      ...(options.webhooks?.tokens && { tokens: options.webhooks.tokens }),
    };
    this.arbitration = callPolicies(options);
    const owner = `${hostname()}-${process.pid}-${randomUUID()}`;
    this.runner = { owner, ttlMs: LEASE_TTL_MS };
    const { enabled = false, concurrency = 8, intervalMs = 250 } = options.drive ?? {};
    this.driver = { enabled, concurrency, intervalMs };
    this.prices = options.prices ?? [];
    this.models = new ModelRoutes(this.providers, modelLimits(options), this.prices, systemClock);
    this.solicitation = { models: this.models, policies: this.arbitration };
    this.mcpServers = options.mcpServers ?? {};
    this.redactor = new Redactor(configuredSecrets(options, this.providers));
    this.apiToken = options.apiToken;
    this.actorTokenSecret = options.actorTokenSecret ?? options.apiToken;
    this.recoveryIntervalMs = options.recoveryIntervalMs ?? 5_000;
    this.shutdownGraceMs = options.shutdownGraceMs ?? 10_000;
    this.readWaitMs = options.readWaitMs ?? 5_000;
    this.readOnly = options.readOnly ?? false;
    this.checkScripts = options.checkScripts ?? true;
    const own = [solicitation, arbitration, dueTimes, evaluation, planner, code, turn];
    this.workflows = new WorkflowRegistry([...own, ...(options.workflows ?? [])]);
  }
}

function modelLimits({ llm }: RedialOptions): ModelLimits {
  return { timeoutMs: llm?.callTimeoutMs ?? 120_000, maxAttempts: llm?.maxAttempts ?? 3 };
}

function callPolicies({ llm, webhooks }: RedialOptions): ArbitrationSettings {
  return {
    maxAttempts: webhooks?.maxAttempts ?? 1,
    callTimeoutMs: llm?.callTimeoutMs ?? 120_000,
    webhookTimeoutMs: webhooks?.timeoutMs ?? 55_000,
  };
}

function schemaName(name: string | undefined): string | undefined {
  if (name === undefined || SCHEMA_NAME.test(name)) return name;
  const why = 'it is not 1 to 63 letters, digits and underscores that begin with no digit';
  throw new InvalidSetting('databaseSchema', why, 'Correct it or leave it out');
}

const PROVIDER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The providers that the options name, and the default one. @throws InvalidSetting */
function llmProviders({ llm = {}, providers = {}, providerKeys = {} }: RedialOptions): LlmProviders {
  const { apiKey, baseUrl = DEFAULT_BASE_URL } = llm;
  const named = Object.entries(providers).map(([name, given]) => {
    const isDefault = name === DEFAULT_PROVIDER && !given.calls;
    if (isDefault || !PROVIDER_NAME.test(name)) throw invalidName(name);
    return [name, provider(given, providerKeys)] as const;
  });
  const { [DEFAULT_PROVIDER]: given, ...others } = Object.fromEntries(named);
  const asked = { baseUrl, ...(apiKey !== undefined && { apiKey }) };
  return new LlmProviders({ ...others, [DEFAULT_PROVIDER]: given ?? asked });
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
  return new InvalidSetting('the name of a provider', why, 'Use another name for the provider');
}
