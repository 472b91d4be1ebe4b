import { Logger, type Provider } from '@nestjs/common';
import { ActivityRegistry } from '#lib/workflow';
import { EventLog } from '#lib/event-store';
import { type LeaseHolder, RunCommands, type Time, waitTaskId, WorkflowRuntime } from '#lib/workflow';
import { type Clock, randomIds, systemClock } from '#lib/kernel';
import { Evaluations, Experiments, Tries, Variants } from '#lib/histories';
import { GateCatalog, Invocations } from '#lib/decisions/gates';
import { MachineCatalog } from '#lib/decisions/registration';
import { CommandWriter, READ_STORE, ReadModels, ReadSide, Subjects, WrittenPosition } from '#lib/operations';
import { DeclaredSpecialists, SpecialistLookup } from '#lib/decisions/registration';
import {
  Arbitrations,
  CallableModels,
  Clocks,
  DecisionTasks,
  Driver,
  Facts,
  Forks,
  OpenSessions,
  Participants,
  Preflight,
  ProposerCheck,
  Proposers,
  ReinstatementRule,
  SessionLoop,
  SessionReader,
  Solicitor,
  Ticker,
} from '#lib/decisions/driving';
import { PersonTokens } from '#lib/people/core';
import { PeopleGate, Runs } from '#lib/runs/runs';
import { Conversations } from '#lib/flows';
import { RunningClocks, RunTasks, Tasks } from '#lib/tasks/core';
import { assemble, construct, factory } from './provide.js';
import { EngineSettings } from '../settings/engine-settings.js';
import { LEASES } from './leases.provider.js';
import { TIME } from './time.provider.js';

/** The providers that drive sessions. */
export const processManagerProviders: readonly Provider[] = [
  construct(Participants, [ReadSide, READ_STORE]),
  construct(Arbitrations, [EventLog, CommandWriter, WorkflowRuntime, ActivityRegistry]),
  construct(CallableModels, [Facts, ProposerCheck]),
  construct(Forks, [
    EventLog,
    CommandWriter,
    MachineCatalog,
    Participants,
    SessionReader,
    Solicitor,
    Arbitrations,
    Subjects,
    CallableModels,
  ]),
  construct(ReinstatementRule, [CommandWriter]),
  construct(RunningClocks, [EventLog, RunCommands, TIME]),
  construct(Clocks, [CommandWriter, RunningClocks]),
  construct(DecisionTasks, [EventLog, Participants, Arbitrations, ReinstatementRule, SessionReader, Clocks]),
  factory(
    Tasks,
    [EventLog, CommandWriter, PersonTokens, DecisionTasks, RunTasks, TIME],
    (
      log: EventLog,
      writer: CommandWriter,
      people: PersonTokens,
      decisions: DecisionTasks,
      waits: RunTasks,
      time: Time,
    ) => new Tasks(log, writer, people, [decisions, waits], time),
  ),
  construct(RunTasks, [Runs, Conversations, RunningClocks]),
  factory(PeopleGate, [Tasks, RunTasks], (tasks: Tasks, waits: RunTasks): PeopleGate => ({
    admit: async (wait, context) => {
      const owner = { ...wait, taskId: waitTaskId(wait.runId, wait.stepId) };
      const { person, ...admitted } = await tasks.admit(owner, context);
      return { ...admitted, ...(person && { person: await waits.answering(owner, person) }) };
    },
  })),
  construct(OpenSessions, [ReadSide, READ_STORE]),
  construct(SessionLoop, [
    EventLog,
    CommandWriter,
    Participants,
    Proposers,
    Solicitor,
    Arbitrations,
    ReinstatementRule,
  ]),
  construct(Ticker, [SessionLoop, Solicitor, Arbitrations]),
  factory(
    Driver,
    [OpenSessions, Ticker, SessionLoop, LEASES, EngineSettings],
    (
      sessions: OpenSessions,
      ticker: Ticker,
      loop: SessionLoop,
      holder: LeaseHolder,
      { driver }: EngineSettings,
    ) => {
      const logger = new Logger('Driver');
      return new Driver(sessions, ticker, loop, holder, driver, systemClock, randomIds, (id, why) =>
        logger.warn(`session ${id} is not driven on: ${why}`),
      );
    },
  ),
];

/** The providers that create and invoke gates. */
export const gateProviders: readonly Provider[] = [
  construct(GateCatalog, [EventLog, CommandWriter, MachineCatalog, DeclaredSpecialists]),
  construct(Preflight, [Participants, Proposers, ProposerCheck, Arbitrations]),
  construct(Invocations, [
    EventLog,
    CommandWriter,
    GateCatalog,
    MachineCatalog,
    Preflight,
    SessionLoop,
    LEASES,
  ]),
];

/** The providers for evaluations, experiments and tries. */
export const evaluationProviders: readonly Provider[] = [
  factory(
    Variants,
    [CommandWriter, SpecialistLookup, ProposerCheck, EngineSettings],
    (
      writer: CommandWriter,
      specialists: SpecialistLookup,
      proposers: ProposerCheck,
      { models }: EngineSettings,
    ) => new Variants(writer, specialists, proposers, models),
  ),
  assemble(Experiments, {
    log: EventLog,
    writer: CommandWriter,
    reads: ReadSide,
    store: READ_STORE,
    variants: Variants,
    runtime: WorkflowRuntime,
  }),
  factory(
    Tries,
    [EventLog, WrittenPosition, ReadModels, WorkflowRuntime, EngineSettings, TIME],
    (
      log: EventLog,
      written: WrittenPosition,
      reads: ReadModels,
      runtime: WorkflowRuntime,
      { models }: EngineSettings,
      clock: Clock,
    ) => new Tries({ log, written, reads, runtime, models, clock }),
  ),
  assemble(Evaluations, {
    log: EventLog,
    writer: CommandWriter,
    written: WrittenPosition,
    reads: ReadSide,
    store: READ_STORE,
    proposers: ProposerCheck,
    specialists: SpecialistLookup,
    experiments: Experiments,
    runtime: WorkflowRuntime,
  }),
];
