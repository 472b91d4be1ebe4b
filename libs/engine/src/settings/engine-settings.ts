import { randomBytes, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { LlmProviders, McpServer, WebhookSettings } from '#lib/activities';
import { arbitration } from '#lib/arbitration';
import { evaluation } from '#lib/evaluations/core';
import { code } from '#lib/code/core';
import { systemClock } from '#lib/kernel';
import { turn } from '#lib/flows/core';
import { planner } from '#lib/planner';
import type { PriceTable } from '#lib/projections';
import type { ArbitrationSettings, DriverSettings, SolicitationSettings } from '#lib/sessions';
import { solicitation } from '#lib/solicitation';
import { type LeaseHolder, WorkflowRegistry } from '#lib/workflow';
import { type ModelLimits, ModelRoutes } from '#lib/runs/core';
import {
  DEFAULT_DATA_DIR,
  DEFAULT_PATIENCE_MS,
  DEFAULT_STREAM_PREFIX,
  InvalidSetting,
  LEASE_TTL_MS,
  SCHEMA_NAME,
} from './defaults.js';
import { llmProviders } from './llm-providers.js';
import type { RedialOptions } from './redial-options.js';

/** The settings of the engine's parts, computed once at start. */
export class EngineSettings {
  readonly logFile: string;
  readonly readFile: string;
  /** Of the log, instead of the file. */
  readonly eventStoreDbUrl: string | undefined;
  /** Of the read models, instead of the file. */
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
  readonly secrets: readonly string[];
  readonly apiToken: string | undefined;
  readonly actorTokenSecret: string;
  readonly recoveryIntervalMs: number;
  readonly shutdownGraceMs: number;
  readonly readWaitMs: number;
  readonly readOnly: boolean;
  readonly workflows: WorkflowRegistry;

  /** @throws InvalidSetting */
  constructor(readonly options: RedialOptions = {}) {
    const dataDir = options.dataDir ?? DEFAULT_DATA_DIR;
    this.logFile = join(dataDir, 'log.sqlite');
    this.readFile = join(dataDir, 'read.sqlite');
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
    this.secrets = options.secrets ?? [];
    this.apiToken = options.apiToken;
    this.actorTokenSecret = options.actorTokenSecret ?? options.apiToken ?? randomBytes(32).toString('hex');
    this.recoveryIntervalMs = options.recoveryIntervalMs ?? 5_000;
    this.shutdownGraceMs = options.shutdownGraceMs ?? 10_000;
    this.readWaitMs = options.readWaitMs ?? 5_000;
    this.readOnly = options.readOnly ?? false;
    const own = [solicitation, arbitration, evaluation, planner, code, turn];
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
