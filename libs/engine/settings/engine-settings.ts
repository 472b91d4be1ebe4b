import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  type LlmProvider,
  LlmProviders,
  type McpServer,
  Redactor,
  type WebhookSettings,
} from '#lib/activities';
import { arbitration } from '#lib/decisions/arbitration';
import type { MasterKey } from '#lib/event-store';
import { dueTimes } from '#lib/tasks/core';
import { callTry, evaluation, experimentBatch } from '#lib/histories/core';
import { code } from '#lib/code/core';
import { turn } from '#lib/flows/core';
import { planner } from '#lib/planner';
import type { PriceTable } from '#lib/read-models';
import type { ArbitrationSettings, DriverSettings, SolicitationSettings } from '#lib/decisions/driving/core';
import { solicitation } from '#lib/decisions/solicitation';
import { type LeaseHolder, systemTime, type Time, WorkflowRegistry } from '#lib/workflow';
import { ModelRoutes } from '#lib/runs/runs/core';
import type { SealKey } from '#lib/seals/core';
import { checkPrices, readMasterKey, readSealKey } from './setting-files.js';
import { configuredSecrets } from './configured-secrets.js';
import { checkOptionNames } from './option-names.js';
import { OPTIONS, type ProviderOptions, type RedialOptions, SCHEMA_NAME } from './redial-options.js';
import { checkWhole, type CompleteOf, completed, InvalidSetting } from './setting.js';
import { DEFAULT_PROVIDER } from '#lib/call-rules';

/** Milliseconds without a renewal after which another process takes over the runs and sessions of a dead one. */
const LEASE_TTL_MS = 15_000;

type Given = CompleteOf<typeof OPTIONS>;

/** The settings of the engine's parts, computed once at start. */
export class EngineSettings {
  /** Log, rows and keys are in the memory of this process, in place of the files. */
  readonly inMemory: boolean;
  /** The history file that replaces the log of the other settings. */
  readonly historyFile: string | undefined;
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
  readonly sealKey: SealKey | undefined;
  readonly masterKey: MasterKey | undefined;
  readonly masterKeyNew: MasterKey | undefined;
  readonly runner: Omit<LeaseHolder, 'leases'>;
  readonly driver: DriverSettings;
  readonly prices: PriceTable;
  readonly mcpServers: { readonly [name: string]: McpServer };
  /** The redactor of this process. */
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
  constructor(
    readonly options: RedialOptions = {},
    readonly time: Time = systemTime,
  ) {
    checkOptionNames(options);
    const given = completed(OPTIONS, options);
    this.inMemory = isInMemory(given);
    this.logFile = join(given.dataDir, 'log.sqlite');
    this.readFile = join(given.dataDir, 'read.sqlite');
    this.keysFile = join(given.dataDir, 'keys.sqlite');
    this.eventStoreDbUrl = given.eventStoreDbUrl;
    this.databaseUrl = given.databaseUrl;
    this.databaseSchema = schemaName(given.databaseSchema);
    this.streamPrefix = given.streamPrefix;
    this.patienceMs = given.patienceMs;
    this.providers = llmProviders(given);
    const { privateAddresses, tokens } = given.webhooks;
    this.webhooks = { privateAddresses, ...(tokens && { tokens }) };
    this.arbitration = callPolicies(given);
    const owner = `${hostname()}-${process.pid}-${randomUUID()}`;
    this.runner = { owner, ttlMs: LEASE_TTL_MS, time };
    this.driver = given.drive;
    this.prices = checkPrices(given.prices);
    const { callTimeoutMs: timeoutMs, maxAttempts } = given.llm;
    this.models = new ModelRoutes(this.providers, { timeoutMs, maxAttempts }, this.prices, time);
    this.solicitation = { models: this.models, policies: this.arbitration };
    this.mcpServers = given.mcpServers;
    this.redactor = new Redactor(configuredSecrets(options, this.providers));
    this.sealKey = readSealKey(given.sealKey);
    this.masterKey = readMasterKey('REDIAL_MASTER_KEY', given.masterKey);
    this.masterKeyNew = readMasterKey('REDIAL_MASTER_KEY_NEW', given.masterKeyNew);
    this.apiToken = given.apiToken;
    this.actorTokenSecret = given.actorTokenSecret ?? given.apiToken;
    this.recoveryIntervalMs = given.recoveryIntervalMs;
    this.shutdownGraceMs = given.shutdownGraceMs;
    this.readWaitMs = given.readWaitMs;
    this.historyFile = given.history;
    this.readOnly = given.readOnly || given.history !== undefined;
    this.checkScripts = given.checkScripts;
    this.workflows = new WorkflowRegistry([...OWN_WORKFLOWS, ...given.workflows]);
  }
}

/** Workflows of every engine. */
const OWN_WORKFLOWS = [
  solicitation,
  arbitration,
  dueTimes,
  evaluation,
  experimentBatch,
  callTry,
  planner,
  code,
  turn,
];

function isInMemory({ storage, eventStoreDbUrl, databaseUrl }: Given): boolean {
  if (storage === undefined) return false;
  const fix = 'Leave it out, or say "memory" without eventStoreDbUrl and databaseUrl';
  if (storage !== 'memory') throw new InvalidSetting('storage', 'there is no such storage', fix);
  if (eventStoreDbUrl === undefined && databaseUrl === undefined) return true;
  throw new InvalidSetting('storage', 'the log or the rows are to be on a server as well', fix);
}

function callPolicies({ llm, webhooks }: Given): ArbitrationSettings {
  const { callTimeoutMs } = llm;
  return { maxAttempts: webhooks.maxAttempts, callTimeoutMs, webhookTimeoutMs: webhooks.timeoutMs };
}

function schemaName(name: string | undefined): string | undefined {
  if (name === undefined || SCHEMA_NAME.read(name) !== undefined) return name;
  const why = `it is not ${SCHEMA_NAME.form} that begin with no digit`;
  throw new InvalidSetting('databaseSchema', why, 'Correct it or leave it out');
}

const PROVIDER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The providers that the options name, and the default one. @throws InvalidSetting */
function llmProviders({ llm: { apiKey, baseUrl }, providers, providerKeys }: Given): LlmProviders {
  const named = Object.entries(providers).map(([name, given]) => {
    const isDefault = name === DEFAULT_PROVIDER && !given.calls;
    if (isDefault || !PROVIDER_NAME.test(name)) throw invalidName(name);
    return [name, provider(given, providerKeys)] as const;
  });
  const { [DEFAULT_PROVIDER]: given, ...others } = Object.fromEntries(named);
  const asked = { baseUrl, ...(apiKey !== undefined && { apiKey }) };
  return new LlmProviders({ ...others, [DEFAULT_PROVIDER]: given ?? asked });
}

function provider({ apiKeyEnv, ...limits }: ProviderOptions, keys: Given['providerKeys']): LlmProvider {
  for (const [name, value] of Object.entries(limits))
    if (typeof value === 'number') checkWhole(`${name} of a provider`, value, 1);
  const apiKey = apiKeyEnv === undefined ? undefined : keys[apiKeyEnv];
  return { ...limits, keyFrom: apiKeyEnv ?? null, ...(apiKey && { apiKey }) };
}

function invalidName(name: string): InvalidSetting {
  const why =
    name === DEFAULT_PROVIDER
      ? 'it is the name of the provider at OPENAI_BASE_URL'
      : 'it is not 1 to 64 letters, digits, dots, underscores and hyphens';
  return new InvalidSetting('the name of a provider', why, 'Use another name for the provider');
}
