import type { UserFold } from '../module/user-folds.js';
import type { ArbiterFn } from '#lib/decisions/arbitration';
import type { ContextFn, StrategyFn } from '#lib/decisions/solicitation';
import type { McpServer, ModelCalls, WorkflowFn } from '#lib/activities';
import type { Workflow } from '#lib/workflow';
import type { PriceTable } from '#lib/read-models';
import type { ExportSpans } from '#lib/telemetry';
import { anyText, matching, milliseconds, oneOf, url, whole } from './readers.js';
import { option, type OptionsOf, variable } from './setting.js';

// The comments are lines of the table in docs/operations.md: `npm run operations:record` writes it.

/** A name of a schema in a database. */
export const SCHEMA_NAME = matching(
  /^[A-Za-z_][A-Za-z0-9_]{0,62}$/,
  '1 to 63 letters, digits and underscores',
);

/** The options of an application, and the variables that set them for a server or a command. */
export const OPTIONS = {
  /** `memory`: the log, its rows and its keys are in the memory of this process, and gone when it stops; not with `eventStoreDbUrl` or `databaseUrl`. Without it: files in `dataDir`. */
  storage: option<'memory'>(),
  /** The folder of the log and, without `databaseUrl`, of the read models. */
  dataDir: variable('REDIAL_DATA_DIR', anyText, './.redial'),
  /** Connection string of an EventStoreDB or KurrentDB for the log, in place of a file. */
  eventStoreDbUrl: variable(
    'EVENTSTOREDB_URL',
    matching(/^(esdb|kurrentdb)(\+discover)?:\/\/\S+$/, 'a connection string such as esdb://host:2113'),
  ),
  /** The URL of a PostgreSQL database for read models and leases, in place of a file. */
  databaseUrl: variable(
    'DATABASE_URL',
    url(
      /^postgres(ql)?:\/\/\S+$/,
      'a URL such as postgres://user:password@host:5432/database, with other characters percent-encoded',
    ),
  ),
  /** The schema of that database which is Redial's alone; made if it does not exist. Without it: the first of a search path that the URL sets, else `redial`. */
  databaseSchema: variable('REDIAL_DATABASE_SCHEMA', SCHEMA_NAME),
  /** First part of every stream's name. */
  streamPrefix: variable(
    'REDIAL_STREAM_PREFIX',
    matching(/^[A-Za-z0-9_]{0,64}$/, 'at most 64 letters, digits and underscores'),
    'redial_',
  ),
  /** How long a read or an append is tried again while an EventStoreDB has no leader, cannot be reached or does not answer; `withPatience` overrides it for the calls within. */
  patienceMs: variable('REDIAL_PATIENCE_MS', milliseconds(100, 600_000), 30_000),
  llm: {
    /** Key of the model's API. Without it no model is asked, and no call is recorded. */
    apiKey: variable('OPENAI_API_KEY', anyText),
    // Host names need not be domain names: containers are called `llm_server`.
    /** The base URL of any OpenAI-compatible API. */
    baseUrl: variable(
      'OPENAI_BASE_URL',
      url(/^https?:\/\/\S+$/i, 'an http or https URL'),
      'https://api.openai.com/v1',
    ),
    /** The most calls of a model for one question, while its provider fails in a way that may pass; each is a call of its own in the log. 1: no retry. */
    maxAttempts: variable('REDIAL_LLM_MAX_ATTEMPTS', whole(1, 20), 3),
    /** How long a call of a model may take. */
    callTimeoutMs: variable('REDIAL_LLM_TIMEOUT_MS', milliseconds(100, 3_600_000), 120_000),
  },
  /** OpenAI-compatible APIs by name: the model `"<provider>/<name>"` is asked there, all others at the API of `llm`. */
  providers: option<{ readonly [provider: string]: ProviderOptions }>({}),
  /** The variables in which `apiKeyEnv` of providers is looked up. */
  providerKeys: option<{ readonly [variable: string]: string | undefined }>({}),
  webhooks: {
    /** `allow`: webhooks may be called at addresses that are not of the public internet. */
    privateAddresses: variable('REDIAL_WEBHOOK_PRIVATE_ADDRESSES', oneOf('allow', 'refuse'), 'refuse'),
    /** The variables that `webhookTokenName` names, looked up at every call; only those whose names are, or end in, `WEBHOOK_TOKEN` or `HOOK_TOKEN`. */
    tokens: option<{ readonly [name: string]: string | undefined }>(),
    /** The most calls of a webhook for one question; each is a call of its own in the log. 1: no retry. */
    maxAttempts: option(1),
    /** Milliseconds until a call of a webhook is given up. */
    timeoutMs: option(55_000),
  },
  // The always-on mode: this process drives open sessions without a caller, and shares them with other processes in this mode.
  drive: {
    /** This process drives open sessions by itself. */
    enabled: option(false),
    /** Sessions driven at the same time. */
    concurrency: option(8),
    /** Milliseconds between two looks while there is no session to drive. */
    intervalMs: option(250),
  },
  /** The prices of models, in versions: each call is priced by the version in force at its request, and can be priced again by another. */
  prices: option<PriceTable>([]),
  /** Strategies that proposers name in `strategyFnName`. */
  strategies: option<{ readonly [name: string]: StrategyFn }>({}),
  /** Functions that proposers name in `contextFnName`. */
  contexts: option<{ readonly [name: string]: ContextFn }>({}),
  /** Functions that arbiters name in `strategyFnName`. */
  arbiters: option<{ readonly [name: string]: ArbiterFn }>({}),
  /** Workflows of the application; their runs are driven by every process that has them. */
  workflows: option<readonly Workflow[]>([]),
  /** Functions that tools name, and that workflows call. */
  functions: option<{ readonly [fnName: string]: WorkflowFn }>({}),
  /** MCP servers that tools name. */
  mcpServers: option<{ readonly [name: string]: McpServer }>({}),
  /** Rows of the application, each filled from the log in a loop of its own, see `docs/nest.md`. */
  folds: option<readonly UserFold[]>([]),
  /** Takes the spans of runs that have ended; without it no spans are made. */
  traces: option<ExportSpans>(),
  /** Secrets to keep out of the log, besides those of the other options. */
  secrets: option<readonly string[]>([]),
  /** The token of operators at doors that others can reach; without it only people's own tokens are accepted. */
  apiToken: option<string>(),
  /** The secret from which the tokens of human specialists are derived. Without it: `apiToken`, else one that follows from the key of the log. */
  actorTokenSecret: option<string>(),
  /** The path of an Ed25519 private key in PEM form, which signs the seals of the log; without it they are not signed. */
  sealKey: variable('REDIAL_SEAL_KEY', anyText),
  /** The key that encrypts the keys of subjects: 32 bytes in base64, or the path of a file with them; without it no subject can be named or erased. */
  masterKey: variable('REDIAL_MASTER_KEY', anyText),
  /** The next master key, in the same form, for `redial keys rotate` alone. */
  masterKeyNew: variable('REDIAL_MASTER_KEY_NEW', anyText),
  /** Milliseconds between two looks for interrupted work. */
  recoveryIntervalMs: option(5_000),
  /** Milliseconds that a stop waits for calls in flight. */
  shutdownGraceMs: option(10_000),
  /** A history file in place of a log: the engine is `readOnly`, and has the events of the file. Its rows are made in `dataDir`. */
  history: option<string>(),
  /** Answers queries only: continues no interrupted work, drives no session. */
  readOnly: option(false),
  /** Milliseconds that a query waits for its `minPosition`, and a decision for the rows of specialists: at least a second. */
  readWaitMs: option(5_000),
  /** Runs the script of a workflow of yours again after each wait, to find code that is not deterministic: switch it off in production. A server and a command do so unless `NODE_ENV` is `production`. */
  checkScripts: option(true),
};

/**
 * The options of an application. An option that is left out has its default: the library reads no environment variable. Applications that
 * are configured by variables pass `optionsFrom(readEnvironment(process.env), process.env)`.
 */
export interface RedialOptions extends OptionsOf<typeof OPTIONS> {}

/** An OpenAI-compatible API. */
export interface ProviderOptions {
  readonly baseUrl: string;
  /** Names the variable that holds the key. Without it no key is sent. */
  readonly apiKeyEnv?: string;
  /** Sent with every call. Their values are never recorded. */
  readonly headers?: { readonly [name: string]: string };
  /** Added to the address of every call, such as `api-version`. */
  readonly query?: { readonly [name: string]: string };
  /** Milliseconds until a call is given up. Default: `llm.callTimeoutMs`. */
  readonly timeoutMs?: number;
  /** Milliseconds until the first byte of a reply. Default: as `timeoutMs`. */
  readonly firstByteTimeoutMs?: number;
  /** Milliseconds between two parts of a reply. Default: as `timeoutMs`. */
  readonly idleTimeoutMs?: number;
  /** Default: `llm.maxAttempts`. */
  readonly maxAttempts?: number;
  /** Calls that this process has open at once. Default 64. */
  readonly maxConcurrent?: number;
  /** Performs the calls in this process, in place of HTTP: `cassette` of `redial-engine/testing` gives it. Only a provider with it may have the name `default`. */
  readonly calls?: ModelCalls;
}
