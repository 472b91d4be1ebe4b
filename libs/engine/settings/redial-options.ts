import type { UserFold } from '../module/user-folds.js';
import type { ArbiterFn } from '#lib/decisions/arbitration';
import type { ContextFn, StrategyFn } from '#lib/decisions/solicitation';
import type { McpServer, ModelCalls, WebhookSettings, WorkflowFn } from '#lib/activities';
import type { Workflow } from '#lib/workflow';
import type { PriceTable } from '#lib/read-models';
import type { ExportSpans } from '#lib/telemetry';

/**
 * How an application sets Redial up. What is left out has its default: the library reads no environment variable. Applications that are set up by
 * variables pass `optionsFrom(readEnvironment(process.env), process.env)`.
 */
export interface RedialOptions {
  /** Folder of the log and, without `databaseUrl`, of the read models. Default `./.redial`. */
  readonly dataDir?: string;
  /** Connection string of an EventStoreDB or KurrentDB for the log, in place of a file. Default: the file in `dataDir`. */
  readonly eventStoreDbUrl?: string;
  /** The URL of a PostgreSQL database for the read models, in place of a file. Default: the file in `dataDir`. */
  readonly databaseUrl?: string;
  /** The schema of that database which is Redial's alone; made if it does not exist. Default `redial`. */
  readonly databaseSchema?: string;
  /** Default `redial_`. */
  readonly streamPrefix?: string;
  /**
   * Milliseconds for which a read or an append is tried again while an EventStoreDB has no leader, cannot be reached or does not
   * answer; `withPatience` overrides it for what runs within. Default 30,000.
   */
  readonly patienceMs?: number;
  readonly llm?: {
    /** Without one a model is not asked. */
    readonly apiKey?: string;
    /** The base URL of any OpenAI-compatible API. Default: OpenAI's. */
    readonly baseUrl?: string;
    /**
     * Calls of a model at most, while its provider fails in a way that may pass. Default 3; 1 retries nothing. Each attempt is a call of its
     * own in the log.
     */
    readonly maxAttempts?: number;
    /** Milliseconds until a call is given up. Default 120,000. */
    readonly callTimeoutMs?: number;
  };
  /** OpenAI-compatible APIs by name: the model `"<provider>/<name>"` is asked there. All others are asked at the API of `llm`. */
  readonly providers?: { readonly [provider: string]: ProviderOptions };
  /** The variables in which `apiKeyEnv` of providers is looked up. Default: none. */
  readonly providerKeys?: { readonly [variable: string]: string | undefined };
  readonly webhooks?: Partial<WebhookSettings> & {
    /** Calls at most. Default 1: retries nothing. Each attempt is a call of its own in the log. */
    readonly maxAttempts?: number;
    /** Milliseconds until a call is given up. Default 55,000. */
    readonly timeoutMs?: number;
  };
  /** The always-on mode: this process drives open sessions without a caller, and shares them with other processes in this mode. */
  readonly drive?: {
    /** Default: no. */
    readonly enabled?: boolean;
    /** Sessions driven at the same time. Default 8. */
    readonly concurrency?: number;
    /** Milliseconds between two looks while there is nothing to do. Default 250. */
    readonly intervalMs?: number;
  };
  /**
   * The prices of models, in versions: each call is priced by the version in force at its request, and can be priced again by another.
   * Default: no prices.
   */
  readonly prices?: PriceTable;
  /** Strategies that proposers name in `strategyFnName`. */
  readonly strategies?: { readonly [name: string]: StrategyFn };
  /** Functions that proposers name in `contextFnName`. */
  readonly contexts?: { readonly [name: string]: ContextFn };
  /** Functions that arbiters name in `strategyFnName`. */
  readonly arbiters?: { readonly [name: string]: ArbiterFn };
  /** Workflows of the application; their runs are driven by every process that has them. */
  readonly workflows?: readonly Workflow[];
  /** Functions that tools name, and that workflows call: `{ do: 'call', activity: 'function', input: { fnName, input } }`. */
  readonly functions?: { readonly [fnName: string]: WorkflowFn };
  /** MCP servers that tools name. Default: none. */
  readonly mcpServers?: { readonly [name: string]: McpServer };
  /** Rows of the application, each filled from the log in a loop of its own, see `docs/nest.md`. Default: none. */
  readonly folds?: readonly UserFold[];
  /** Takes the spans of runs that have ended, see `docs/operations.md`. Default: none, and no spans are made. */
  readonly traces?: ExportSpans;
  /** Secrets to keep out of the log besides the key of the model's API. */
  readonly secrets?: readonly string[];
  /** The token of operators at doors that others can reach; without one only people's own tokens are accepted. */
  readonly apiToken?: string;
  /** The secret from which the tokens of human specialists are derived. Default: `apiToken`, else one that follows from the key of the log. */
  readonly actorTokenSecret?: string;
  /** Milliseconds between two looks for work that was cut off. Default 5,000. */
  readonly recoveryIntervalMs?: number;
  /** Milliseconds that calls in flight are given to finish at a stop. Default 10,000. */
  readonly shutdownGraceMs?: number;
  /** Answers queries only: no work that was cut off is continued, no session is driven. Default: no. */
  readonly readOnly?: boolean;
  /** Milliseconds that a query waits for its `minPosition`. Default 5,000. */
  readonly readWaitMs?: number;
  /** Runs the script of a workflow of yours again after each wait, to find what is not deterministic: switch it off in production. Default: yes; of a server or a command, unless `NODE_ENV` is `production`. */
  readonly checkScripts?: boolean;
}

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
