import { Logger, type Provider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ArbiterFunctions } from '#lib/decisions/arbitration';
import {
  functionActivity,
  llmActivity,
  McpServers,
  Sandbox,
  sandboxActivity,
  toolActivity,
  webhookActivity,
  WebhookCaller,
} from '#lib/activities';
import { ProposerFunctions, registeredFunctions } from '#lib/decisions/solicitation';
import { type Activity, ActivityRegistry } from '#lib/workflow';
import { WebhookCallBodies } from '#lib/runs/calls';
import { EventLog } from '#lib/event-store';
import { ConversationCalls, ConversationEvents, ConversationForks, Conversations, turnRun } from '#lib/flows';
import { batchRun } from '#lib/histories/core';
import { checkValue, schemaProblem } from '#lib/json-schema';
import { type Command, type Event, type Json, randomIds } from '#lib/kernel';
import { CommandWriter, Moments, READ_STORE, ReadSide, WrittenPosition } from '#lib/operations';
import type { ReadStore } from '#lib/read-models';
import {
  budgetActivity,
  RecoveryDesk,
  RunDeltas,
  RunForks,
  runIndex,
  runRecovery,
  Runs,
  StreamOwner,
  WithdrawingOwner,
  type WithdrawnRuns,
} from '#lib/runs/runs';
import {
  type FactSources,
  type LeaseHolder,
  RunCommands,
  type RunOwner,
  type SchemaCheck,
  WorkflowRegistry,
  WorkflowRuntime,
} from '#lib/workflow';
import { assemble, construct, factory } from './provide.js';
import {
  arbitrationRun,
  Driver,
  dueTimesRun,
  Facts,
  sessionRecovery,
  solicitationRun,
} from '#lib/decisions/driving';
import { EngineSettings } from '../settings/engine-settings.js';
import { ToolFunctions } from '#lib/runs/tools';
import { FunctionsByName } from './functions-by-name.js';
import { RUN_FACTS, runFacts } from './run-facts.js';
import { LEASES } from './leases.provider.js';
import { TIME } from './time.provider.js';

/** The most calls of one activity that a process has open at once. */
const MOST_CALLS = 64;

export const runProviders: readonly Provider[] = [
  factory(RunDeltas, [], () => {
    const logger = new Logger('Runs');
    return new RunDeltas((message) => logger.warn(message));
  }),
  factory(
    FunctionsByName,
    [EngineSettings, ModulesContainer],
    ({ options }: EngineSettings, modules: ModulesContainer) =>
      new FunctionsByName(options.functions ?? {}, modules),
  ),
  factory(
    ToolFunctions,
    [FunctionsByName, ModulesContainer],
    ({ all }: FunctionsByName, modules: ModulesContainer) => new ToolFunctions(all, modules),
  ),
  Sandbox,
  factory(McpServers, [EngineSettings], ({ mcpServers }: EngineSettings) => new McpServers(mcpServers)),
  factory(WorkflowRegistry, [EngineSettings], ({ workflows }: EngineSettings) => workflows),
  construct(WebhookCallBodies, [EventLog, WorkflowRegistry]),
  factory(
    ActivityRegistry,
    [
      EngineSettings,
      ProposerFunctions,
      ArbiterFunctions,
      WebhookCaller,
      FunctionsByName,
      ToolFunctions,
      McpServers,
      Sandbox,
      ReadSide,
      READ_STORE,
    ],
    activities,
  ),
  factory(
    WorkflowRuntime,
    [
      EventLog,
      READ_STORE,
      LEASES,
      WorkflowRegistry,
      ActivityRegistry,
      EngineSettings,
      RunDeltas,
      CommandWriter,
      Facts,
      RUN_FACTS,
    ],
    runtime,
  ),
  factory(
    RunCommands,
    [EventLog, WorkflowRegistry, ActivityRegistry, EngineSettings],
    (
      log: EventLog,
      workflows: WorkflowRegistry,
      activities: ActivityRegistry,
      { redactor }: EngineSettings,
    ) => {
      const redact = <Value extends Json>(value: Value) => redactor.json(value);
      return new RunCommands({ log, workflows, activities, problemsOf, redact });
    },
  ),
  factory(RUN_FACTS, [EventLog, READ_STORE, EngineSettings, ActivityRegistry], runFacts),
  assemble(Runs, {
    log: EventLog,
    workflows: WorkflowRegistry,
    activities: ActivityRegistry,
    runtime: WorkflowRuntime,
    commands: RunCommands,
    written: WrittenPosition,
    moments: Moments,
    clock: TIME,
  }),
  assemble(RunForks, {
    log: EventLog,
    workflows: WorkflowRegistry,
    runtime: WorkflowRuntime,
    runs: Runs,
    clock: TIME,
  }),
  assemble(Conversations, {
    log: EventLog,
    writer: CommandWriter,
    runtime: WorkflowRuntime,
    activities: ActivityRegistry,
    runs: Runs,
    facts: RUN_FACTS,
    moments: Moments,
  }),
  assemble(ConversationForks, {
    log: EventLog,
    writer: CommandWriter,
    facts: RUN_FACTS,
    activities: ActivityRegistry,
  }),
  construct(ConversationCalls, [EventLog, Conversations]),
  construct(ConversationEvents, [EventLog, Conversations]),
  factory(
    RecoveryDesk,
    [EventLog, WorkflowRuntime, RunCommands, Driver, EngineSettings],
    (
      log: EventLog,
      runs: WorkflowRuntime,
      commands: RunCommands,
      driver: Driver,
      { readOnly, time }: EngineSettings,
    ) => {
      const ofRuns = runRecovery(runs, commands, log, readOnly, time);
      return new RecoveryDesk(log, [ofRuns, sessionRecovery(driver, log)]);
    },
  ),
];

function activities(
  { providers, redactor, time }: EngineSettings,
  proposers: ProposerFunctions,
  arbiters: ArbiterFunctions,
  webhooks: WebhookCaller,
  named: FunctionsByName,
  tools: ToolFunctions,
  mcp: McpServers,
  sandbox: Sandbox,
  reads: ReadSide,
  store: ReadStore,
): ActivityRegistry<Activity> {
  const functions = registeredFunctions(named.all, proposers, arbiters);
  return new ActivityRegistry<Activity>([
    functionActivity(functions, redactor),
    webhookActivity(webhooks),
    llmActivity(providers, redactor),
    toolActivity({ functions: tools, webhooks, mcp, redactor }),
    budgetActivity(reads, store, time),
    sandboxActivity(sandbox),
  ]);
}

function runtime(
  log: EventLog,
  store: ReadStore,
  holder: LeaseHolder,
  workflows: WorkflowRegistry,
  activities: ActivityRegistry<Activity>,
  settings: EngineSettings,
  deltas: RunDeltas,
  writer: CommandWriter,
  { sources }: Facts,
  facts: FactSources,
): WorkflowRuntime {
  const logger = new Logger('Runs');
  return new WorkflowRuntime({
    log,
    workflows,
    activities,
    problemsOf,
    facts: { ...facts, ...sources },
    time: settings.time,
    ids: randomIds,
    holder,
    index: runIndex(store),
    sweepMs: settings.recoveryIntervalMs,
    callLimit: () => MOST_CALLS,
    checksRules: settings.checkScripts,
    owners: runOwners(log, writer, settings),
    observer: {
      warn: (message) => logger.warn(message),
      outcomeDiscarded: (stream, { type }) =>
        logger.warn(`${type} of ${stream} was discarded: another process had closed its call`),
      delta: (start, stepId, text) => deltas.publish(start, stepId, text),
    },
  });
}

const problemsOf: SchemaCheck = (schema, value) => checkValue(schema, value).errors.map(schemaProblem);

/** The capabilities whose streams ask for runs, by the name of the workflow. */
function runOwners(
  log: EventLog,
  writer: CommandWriter,
  { arbitration, time }: EngineSettings,
): ReadonlyMap<string, RunOwner> {
  const ownerOf = <State, C extends Command, E extends Event>(
    runs: WithdrawnRuns<State, C, E>,
  ): readonly [string, RunOwner] => [
    runs.requests.workflow,
    new WithdrawingOwner(runs, writer, time, log.streams),
  ];
  return new Map([
    ownerOf(solicitationRun),
    ownerOf(arbitrationRun(arbitration)),
    ownerOf(dueTimesRun),
    ownerOf(batchRun),
    [turnRun.requests.workflow, new StreamOwner(turnRun, writer, time)],
  ]);
}
