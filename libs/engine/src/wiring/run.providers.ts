import { Logger, type Provider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import {
  ArbiterFunctions,
  functionActivity,
  llmActivity,
  McpServers,
  ProposerFunctions,
  Redactor,
  registeredFunctions,
  Sandbox,
  sandboxActivity,
  toolActivity,
  webhookActivity,
  WebhookCaller,
} from '#lib/activities';
import { type Activity, ActivityRegistry } from '#lib/activity';
import { WebhookCallBodies } from '#lib/audit';
import { EventLog } from '#lib/event-store';
import { ConversationCalls, Conversations } from '#lib/flows';
import { checkValue, schemaProblem } from '#lib/json-schema';
import { type Json, randomIds, systemClock } from '#lib/kernel';
import { CommandWriter, READ_STORE, ReadSide, WrittenPosition } from '#lib/operations';
import type { ReadStore } from '#lib/projections';
import { budgetActivity, RecoveryDesk, RunDeltas, runIndex, runRecovery, Runs } from '#lib/runs';
import {
  type LeaseHolder,
  RunCommands,
  type SchemaCheck,
  systemTime,
  WorkflowRegistry,
  WorkflowRuntime,
} from '#lib/workflow';
import { construct, factory } from './provide.js';
import { Driver, Facts, sessionRecovery } from '#lib/sessions';
import { EngineSettings } from '../settings/engine-settings.js';
import { ToolFunctions } from '#lib/tools';
import { FunctionsByName } from './functions-by-name.js';
import { runFacts } from './run-facts.js';
import { LEASES } from './leases.provider.js';
import { runOwners } from './run-owners.js';

/** Calls of one activity that a process has open at once. */
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
      { providers, secrets }: EngineSettings,
    ) => {
      const redactor = new Redactor([...providers.secrets, ...secrets]);
      const redact = (value: Json) => redactor.json(value);
      return new RunCommands({ log, workflows, activities, problemsOf, redact });
    },
  ),
  factory(
    Runs,
    [EventLog, WorkflowRegistry, ActivityRegistry, WorkflowRuntime, RunCommands, WrittenPosition],
    (
      log: EventLog,
      workflows: WorkflowRegistry,
      activities: ActivityRegistry<Activity>,
      runtime: WorkflowRuntime,
      commands: RunCommands,
      written: WrittenPosition,
    ) => new Runs({ log, workflows, activities, runtime, commands, written, now: () => new Date() }),
  ),
  factory(
    Conversations,
    [EventLog, READ_STORE, CommandWriter, WorkflowRuntime, ActivityRegistry, Runs, EngineSettings],
    (
      log: EventLog,
      store: ReadStore,
      writer: CommandWriter,
      runtime: WorkflowRuntime,
      activities: ActivityRegistry<Activity>,
      runs: Runs,
      settings: EngineSettings,
    ) => {
      const facts = runFacts(log, store, settings, activities);
      return new Conversations({ log, writer, runtime, activities, runs, facts });
    },
  ),
  factory(
    ConversationCalls,
    [EventLog, Conversations],
    (log: EventLog, conversations: Conversations) => new ConversationCalls(log, conversations),
  ),
  factory(
    RecoveryDesk,
    [EventLog, WorkflowRuntime, RunCommands, Driver],
    (log: EventLog, runs: WorkflowRuntime, commands: RunCommands, driver: Driver) =>
      new RecoveryDesk(log, [
        runRecovery(runs, commands, log, () => new Date()),
        sessionRecovery(driver, log),
      ]),
  ),
];

function activities(
  { providers, secrets }: EngineSettings,
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
  const redactor = new Redactor([...providers.secrets, ...secrets]);
  return new ActivityRegistry<Activity>([
    functionActivity(functions, redactor),
    webhookActivity(webhooks),
    llmActivity(providers, secrets),
    toolActivity({ functions: tools, webhooks, mcp, redactor }),
    budgetActivity(reads, store, systemClock),
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
  facts: Facts,
): WorkflowRuntime {
  const { recoveryIntervalMs: sweepMs } = settings;
  const logger = new Logger('Runs');
  return new WorkflowRuntime({
    log,
    workflows,
    activities,
    problemsOf,
    facts: { ...runFacts(log, store, settings, activities), ...facts.sources },
    time: systemTime,
    ids: randomIds,
    holder,
    index: runIndex(store),
    sweepMs,
    callLimit: () => MOST_CALLS,
    owners: runOwners(writer, settings),
    observer: {
      warn: (message) => logger.warn(message),
      outcomeDiscarded: (stream, { type }) =>
        logger.warn(`${type} of ${stream} was discarded: another process had closed its call`),
      delta: (start, stepId, text) => deltas.publish(start, stepId, text),
    },
  });
}

const problemsOf: SchemaCheck = (schema, value) => checkValue(schema, value).errors.map(schemaProblem);
