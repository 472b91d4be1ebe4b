import { randomBytes, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type LlmConfig, publicUrl } from '#lib/activities';
import type { RunnerSettings } from '#lib/workflow';
import type { SolicitationSettings } from '../solicitations/start-event.js';
import type { Environment } from './environment.js';
import type { RedialOptions } from './redial-options.js';

/** Everything the engine's parts are told, settled once at start. */
export class EngineSettings {
  readonly logFile: string;
  readonly readFile: string;
  /** Of the log, instead of the file. */
  readonly eventStoreDbUrl: string | undefined;
  /** Of the read models, instead of the file. */
  readonly databaseUrl: string | undefined;
  readonly streamPrefix: string;
  readonly llm: LlmConfig;
  readonly solicitation: SolicitationSettings;
  readonly runner: RunnerSettings;
  readonly secrets: readonly string[];
  readonly actorTokenSecret: string;
  readonly recoveryIntervalMs: number;
  readonly shutdownGraceMs: number;
  readonly readWaitMs: number;

  constructor(
    readonly options: RedialOptions,
    environment: Environment,
  ) {
    const dataDir = options.dataDir ?? environment.REDIAL_DATA_DIR;
    this.logFile = join(dataDir, 'log.sqlite');
    this.readFile = join(dataDir, 'read.sqlite');
    this.eventStoreDbUrl = options.eventStoreDbUrl ?? environment.EVENTSTOREDB_URL;
    this.databaseUrl = options.databaseUrl ?? environment.DATABASE_URL;
    this.streamPrefix = options.streamPrefix ?? environment.REDIAL_STREAM_PREFIX;
    this.llm = llmConfig(options, environment);
    this.solicitation = solicitationSettings(options, this.llm);
    const owner = `${hostname()}-${process.pid}-${randomUUID()}`;
    this.runner = { owner, leaseTtlMs: options.leaseTtlMs ?? 15_000 };
    this.secrets = options.secrets ?? [];
    this.actorTokenSecret = options.actorTokenSecret ?? randomBytes(32).toString('hex');
    this.recoveryIntervalMs = options.recoveryIntervalMs ?? 5_000;
    this.shutdownGraceMs = options.shutdownGraceMs ?? 10_000;
    this.readWaitMs = options.readWaitMs ?? 5_000;
  }
}

function llmConfig({ llm }: RedialOptions, environment: Environment): LlmConfig {
  const apiKey = llm?.apiKey ?? environment.OPENAI_API_KEY;
  return { ...(apiKey !== undefined && { apiKey }), baseUrl: llm?.baseUrl ?? environment.OPENAI_BASE_URL };
}

function solicitationSettings({ llm }: RedialOptions, { baseUrl }: LlmConfig): SolicitationSettings {
  const policies = { maxAttempts: llm?.maxAttempts ?? 1, callTimeoutMs: llm?.callTimeoutMs ?? 120_000 };
  return { baseUrl: publicUrl(baseUrl), policies };
}
