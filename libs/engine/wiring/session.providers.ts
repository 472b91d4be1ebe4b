import type { Provider } from '@nestjs/common';
import { EventLog } from '#lib/event-store';
import { RunCommands, waitTaskId, WorkflowRuntime } from '#lib/workflow';
import { randomIds, systemClock } from '#lib/kernel';
import { Evaluations, Experiments, Tries, Variants } from '#lib/histories';
import { GateCatalog, Invocations } from '#lib/decisions/gates';
import { DeclaredSpecialists, MachineCatalog, SpecialistLookup } from '#lib/decisions/registration';
import { CommandWriter, READ_STORE, ReadModels, ReadSide, Subjects, WrittenPosition } from '#lib/operations';
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
import { Activities, assemble, construct, factory, LEASES, TIME, warningsOf } from './provide.js';
import { EngineSettings } from '../settings/engine-settings.js';

/** The providers that drive sessions. */
export const processManagerProviders: readonly Provider[] = [
  construct(Participants, [ReadSide, READ_STORE]),
  construct(Arbitrations, [EventLog, CommandWriter, WorkflowRuntime, Activities]),
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
    (log, writer, people, decisions, waits, time) => new Tasks(log, writer, people, [decisions, waits], time),
  ),
  construct(RunTasks, [Runs, Conversations, RunningClocks]),
  factory(PeopleGate, [Tasks, RunTasks], (tasks, waits): PeopleGate => ({
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
    (sessions, ticker, loop, holder, { driver }) => {
      const warn = warningsOf('Driver');
      return new Driver(sessions, ticker, loop, holder, driver, systemClock, randomIds, (id, why) =>
        warn(`session ${id} is not driven on: ${why}`),
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
    (writer, specialists, proposers, { models }) => new Variants(writer, specialists, proposers, models),
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
    (log, written, reads, runtime, { models }, clock) =>
      new Tries({ log, written, reads, runtime, models, clock }),
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
