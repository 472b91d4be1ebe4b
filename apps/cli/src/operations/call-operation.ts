import { callOverHttp } from '#lib/client';
import { type AgentInput, inspectAgent, normalizeAgent } from '#lib/flows/core';
import { operations, type Redial } from '#lib/engine';
import { agentProblemsWith } from '#lib/engine/core';
import type { OperationEntry } from '#lib/operations';
import type { Page } from '#lib/read-models';
import {
  type Engine,
  type RunEngine,
  withCommandEngine,
  withEngineOnHistory,
  withEngineOnLog,
  withReadingEngine,
} from '../engine/with-engine.js';
import type { HistoryRoot } from '../engine/with-history.js';
import { mayHaveLog, settingsFor } from '../engine/with-log.js';
import { importedOptions } from '../input/imported-options.js';
import { actingAs, namedServer } from '../input/named-server.js';
import type { GlobalOptions, TokenOption } from '../input/options.js';
import { type Io, printLines } from '../io.js';
import { wholeList } from './every-item.js';
import { entryOf } from './manifest.js';

type CallOptions = GlobalOptions & TokenOption & { readonly key?: string };

/** The name of a declared operation, as the facade has it. */
export type OperationId = {
  [Id in keyof Redial]: Redial[Id] extends (...args: never[]) => Promise<unknown> ? Id : never;
}[keyof Redial];

/** The answer of an operation. */
export type AnswerOf<Id extends OperationId> = Redial[Id] extends (...args: never[]) => Promise<infer Answer>
  ? Answer
  : never;

/** Calls an operation by its name. */
export type Call = <Id extends OperationId>(id: Id, input: object) => Promise<AnswerOf<Id>>;

/** A whole list, or its first `limit` items; any other answer unchanged. */
export async function callWhole(
  call: Call,
  { id, answers }: OperationEntry,
  { limit, ...input }: { readonly limit?: number } & object,
): Promise<unknown> {
  const { properties = {} } = (answers['200'] ?? {}) as { properties?: object };
  const ask = (given: object) => call(id as OperationId, given) as Promise<unknown>;
  if (!('nextCursor' in properties)) return ask({ ...input, ...(limit !== undefined && { limit }) });
  return wholeList((page) => ask({ ...input, ...page }) as Promise<Page<unknown>>, limit);
}

/**
 * Runs work that calls operations: of the server that `REDIAL_URL` names, else of one engine in this process, of the kind that the first
 * operation needs. `key` is for the commands among them.
 */
export async function withOperations<T>(
  first: OperationId,
  { dataDir, key, ...caller }: CallOptions,
  io: Io,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const keyed = (id: string) =>
    entryOf(id).kind === 'command' && key !== undefined ? { idempotencyKey: key } : {};
  const server = namedServer({ ...caller, ...(dataDir !== undefined && { dataDir }) });
  if (server) return work(((id, input) => callOverHttp(server, entryOf(id), input, keyed(id))) as Call);
  const answer = WITHOUT_LOG[first];
  if (answer && !mayHaveLog(settingsFor(dataDir)))
    return work((async (_, input) => answer(input, io)) as Call);
  return engineFor(entryOf(first))(dataDir, io.err, (engine) =>
    work(callsOf(engine, (id) => ({ ...keyed(id), ...actingAs(caller) }))),
  );
}

/** Runs work that calls operations about a history file. */
export function withOperationsOfFile<T>(
  file: string,
  { err }: Io,
  work: (call: Call, root: HistoryRoot) => Promise<T>,
): Promise<T> {
  return withEngineOnHistory(file, err, (engine, root) =>
    work(
      callsOf(engine, () => ({})),
      root,
    ),
  );
}

function callsOf({ redial, log }: Engine, callerOf: (id: string) => object): Call {
  const call = async (id: string, input: object): Promise<unknown> => {
    const { input: fields } = entryOf(id);
    const head = 'minPosition' in fields.properties ? await log.store.head() : undefined;
    const isNew = head === undefined ? {} : { minPosition: head };
    const { type } = operations.find((one) => one.id === id) ?? {};
    if (!type) throw new TypeError(`operations.json names ${id}, which is not declared.`);
    return (await redial.dispatcher.dispatch(type, { ...isNew, ...input }, callerOf(id))).value;
  };
  return call as Call;
}

/** Operations that also answer if there is no log. */
const WITHOUT_LOG: { readonly [id: string]: (input: object, io: Io) => object } = {
  validateAgent: (input, io) => {
    const imported = importedOptions();
    const unsought = imported ? 'tools that it names are' : 'functions and tools that it names are';
    printLines(io.err, [`There is no event log here: ${unsought} not looked for.`]);
    const { agent } = input as { readonly agent?: unknown };
    const { isMalformed: _, ...report } = inspectAgent(agent);
    if (!imported || !report.valid) return report;
    const errors = agentProblemsWith(imported, normalizeAgent(agent as AgentInput));
    return { ...report, valid: errors.length === 0, errors };
  },
};

/** Only a command that creates an object may begin a log; the object of a path exists already. */
function engineFor({ kind, path, answers }: OperationEntry): RunEngine {
  if (kind === 'query') return withReadingEngine;
  return '201' in answers && !path.includes(':') ? withCommandEngine : withEngineOnLog;
}
