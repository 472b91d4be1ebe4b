import type { Provider } from '@nestjs/common';
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
import { WebhookCallBodies } from '#lib/runs/calls';
import { EventLog } from '#lib/event-store';
import { ConversationCalls, ConversationEvents, ConversationForks, Conversations, turnRun } from '#lib/flows';
import { batchRun } from '#lib/histories/core';
import { checkValue, schemaProblem } from '#lib/json-schema';
import { type Command, type Event, type Json, randomIds } from '#lib/kernel';
import { CommandWriter, Moments, READ_STORE, ReadSide, WrittenPosition } from '#lib/operations';
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
  type Activity,
  ActivityRegistry,
  RunCommands,
  type RunOwner,
  type SchemaCheck,
  WorkflowRegistry,
  WorkflowRuntime,
} from '#lib/workflow';
import { Activities, assemble, construct, factory, LEASES, RUN_FACTS, TIME, warningsOf } from './provide.js';
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
import { runFacts } from './run-facts.js';

/** The most calls of one activity that a process has open at once. */
const MOST_CALLS = 64;

export const runProviders: readonly Provider[] = [
  factory(RunDeltas, [], () => new RunDeltas(warningsOf('Runs'))),
  factory(
    FunctionsByName,
    [EngineSettings, ModulesContainer],
    ({ options }, modules) => new FunctionsByName(options.functions ?? {}, modules),
  ),
  factory(
    ToolFunctions,
    [FunctionsByName, ModulesContainer],
    ({ all }, modules) => new ToolFunctions(all, modules),
  ),
  Sandbox,
  factory(McpServers, [EngineSettings], ({ mcpServers }) => new McpServers(mcpServers)),
  factory(WorkflowRegistry, [EngineSettings], ({ workflows }) => workflows),
  construct(WebhookCallBodies, [EventLog, WorkflowRegistry]),
  factory(
    Activities,
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
    (
      { providers, redactor, time },
      proposers,
      arbiters,
      webhooks,
      named,
      tools,
      mcp,
      sandbox,
      reads,
      store,
    ) => {
      const functions = registeredFunctions(named.all, proposers, arbiters);
      return new ActivityRegistry<Activity>([
        functionActivity(functions, redactor),
        webhookActivity(webhooks),
        llmActivity(providers, redactor),
        toolActivity({ functions: tools, webhooks, mcp, redactor }),
        budgetActivity(reads, store, time),
        sandboxActivity(sandbox),
      ]);
    },
  ),
  factory(
    WorkflowRuntime,
    [
      EventLog,
      READ_STORE,
      LEASES,
      WorkflowRegistry,
      Activities,
      EngineSettings,
      RunDeltas,
      CommandWriter,
      Facts,
      RUN_FACTS,
    ],
    (log, store, holder, workflows, activities, settings, deltas, writer, { sources }, facts) => {
      const warn = warningsOf('Runs');
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
          warn,
          outcomeDiscarded: (stream, { type }) =>
            warn(`${type} of ${stream} was discarded: another process had closed its call`),
          delta: (start, stepId, text) => deltas.publish(start, stepId, text),
        },
      });
    },
  ),
  factory(
    RunCommands,
    [EventLog, WorkflowRegistry, Activities, EngineSettings],
    (log, workflows, activities, { redactor }) => {
      const redact = <Value extends Json>(value: Value) => redactor.json(value);
      return new RunCommands({ log, workflows, activities, problemsOf, redact });
    },
  ),
  factory(RUN_FACTS, [EventLog, READ_STORE, EngineSettings, Activities], runFacts),
  assemble(Runs, {
    log: EventLog,
    workflows: WorkflowRegistry,
    activities: Activities,
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
    activities: Activities,
    runs: Runs,
    facts: RUN_FACTS,
    moments: Moments,
  }),
  assemble(ConversationForks, {
    log: EventLog,
    writer: CommandWriter,
    facts: RUN_FACTS,
    activities: Activities,
  }),
  construct(ConversationCalls, [EventLog, Conversations]),
  construct(ConversationEvents, [EventLog, Conversations]),
  factory(
    RecoveryDesk,
    [EventLog, WorkflowRuntime, RunCommands, Driver, EngineSettings],
    (log, runs, commands, driver, { readOnly, time }) => {
      const ofRuns = runRecovery(runs, commands, log, readOnly, time);
      return new RecoveryDesk(log, [ofRuns, sessionRecovery(driver, log)]);
    },
  ),
];

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
