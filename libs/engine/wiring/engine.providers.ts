import { Logger, type Provider } from '@nestjs/common';
import { ArbiterFunctions } from '#lib/decisions/arbitration';
import { LlmProviders, WebhookCaller } from '#lib/activities';
import { ProposerFunctions } from '#lib/decisions/solicitation';
import { type Activity, ActivityRegistry } from '#lib/workflow';
import { EventLog } from '#lib/event-store';
import { Fingerprints, randomIds, systemClock } from '#lib/kernel';
import { Meters } from '#lib/decisions/metrics';
import { Prices } from '#lib/runs/calls';
import { OwnHumans, PersonAccess, PersonTokens, Reviewers } from '#lib/people';
import { ProjectionRunner, type ReadStore } from '#lib/read-models';
import { LogHold, SealedLog, Sealer, Sealing } from '#lib/seals/core';
import { TraceExport } from '#lib/telemetry';
import { type LeaseHolder, type Time, WorkflowRegistry, WorkflowRuntime } from '#lib/workflow';
import {
  Access,
  CommandWriter,
  Dispatcher,
  Moments,
  READ_STORE,
  ReadModels,
  ReadSide,
  RecordedAnswers,
  SingleFlight,
  WrittenPosition,
} from '#lib/operations';
import { MachineCatalog } from '#lib/decisions/registration';
import { FoldedRows } from '../module/folded-rows.js';
import { openFingerprints } from '../module/open-fingerprints.js';
import { runRequests } from '#lib/histories/core';
import { folded, openReadStore, projectionRunner } from '../module/open-read-side.js';
import { Authors, Facts, ProposerCheck, Proposers, SessionReader, Solicitor } from '#lib/decisions/driving';
import { EngineSettings } from '../settings/engine-settings.js';
import { registeredArbiters, registeredProposers } from '../settings/registered-functions.js';
import {
  DeclaredSpecialists,
  Registrar,
  RegistrationChecks,
  SpecialistLookup,
} from '#lib/decisions/registration';
import { openEventLog } from '../module/open-event-log.js';
import { LEASES, leasesProvider } from './leases.provider.js';
import { construct, factory } from './provide.js';
import { TIME, timeProvider } from './time.provider.js';

/** The engine's parts, each made once. `EngineSettings` comes from the module's options. */
export const engineProviders: readonly Provider[] = [
  factory(EventLog, [EngineSettings], (settings: EngineSettings) =>
    openEventLog(settings, (notice) => new Logger('Log').log(notice)),
  ),
  // After the log: read models without a log are the sign of a lost log.
  factory(READ_STORE, [EngineSettings, EventLog], openReadStore),
  factory(Fingerprints, [EventLog, READ_STORE, EngineSettings], openFingerprints),
  timeProvider,
  leasesProvider,
  factory(
    ProjectionRunner,
    [EventLog, READ_STORE, EngineSettings],
    (log: EventLog, store: ReadStore, settings: EngineSettings) =>
      projectionRunner(log, store, settings, (notice) => new Logger('Projections').error(notice)),
  ),
  factory(ProposerFunctions, [EngineSettings], ({ options }: EngineSettings) => registeredProposers(options)),
  factory(ArbiterFunctions, [EngineSettings], ({ options }: EngineSettings) => registeredArbiters(options)),
  factory(WebhookCaller, [EngineSettings], ({ webhooks, redactor }: EngineSettings) => {
    return new WebhookCaller(webhooks, redactor);
  }),
  factory(LlmProviders, [EngineSettings], ({ providers }: EngineSettings) => providers),
  factory(Prices, [EngineSettings], ({ prices }: EngineSettings) => new Prices(prices)),
  WrittenPosition,
  factory(
    RecordedAnswers,
    [EventLog, TIME],
    (log: EventLog, time: Time) => new RecordedAnswers(log, time, randomIds),
  ),
  construct(SingleFlight, [RecordedAnswers]),
  Dispatcher,
  ReadModels,
  factory(
    Moments,
    [EventLog, ReadModels],
    (log: EventLog, now: ReadModels) => new Moments({ log, now, models: folded, requests: runRequests }),
  ),
  factory(
    PersonTokens,
    [EngineSettings, EventLog, Fingerprints],
    ({ actorTokenSecret }: EngineSettings, log: EventLog, key: Fingerprints) =>
      new PersonTokens(actorTokenSecret ?? key.secretFor('tokens of people'), log),
  ),
  construct(OwnHumans, [EventLog]),
  factory(
    Access,
    [PersonTokens, OwnHumans, EngineSettings],
    (tokens: PersonTokens, own: OwnHumans, { apiToken }: EngineSettings) =>
      new PersonAccess(tokens, own, apiToken),
  ),
  construct(CommandWriter, [EventLog, TIME, WrittenPosition]),
  factory(
    ReadSide,
    [ProjectionRunner, WrittenPosition, EngineSettings],
    (runner: ProjectionRunner, written: WrittenPosition, { readWaitMs }: EngineSettings) => {
      return new ReadSide(runner, written, readWaitMs);
    },
  ),
  factory(
    TraceExport,
    [EventLog, READ_STORE, LEASES, EngineSettings],
    (log: EventLog, store: ReadStore, holder: LeaseHolder, { options }: EngineSettings) => {
      const logger = new Logger('Traces');
      const warn = (message: string) => logger.warn(message);
      return new TraceExport({ log, store, holder, export: options.traces, warn });
    },
  ),
  construct(SealedLog, [EventLog]),
  factory(
    LogHold,
    [EngineSettings],
    // A history file refuses appends itself, and its file has its keys.
    ({ readOnly, historyFile }: EngineSettings) => new LogHold(readOnly && historyFile === undefined),
  ),
  factory(
    Sealer,
    [EventLog, EngineSettings, LogHold],
    (log: EventLog, { sealKey: key }: EngineSettings, hold: LogHold) =>
      new Sealer({ log, key, hold, clock: systemClock, ids: randomIds }),
  ),
  factory(Sealing, [EventLog, LEASES, Sealer], (log: EventLog, holder: LeaseHolder, sealer: Sealer) => {
    const logger = new Logger('Seals');
    return new Sealing({ log, holder, sealer, warn: (message) => logger.warn(message) });
  }),
  construct(FoldedRows, [ReadSide, READ_STORE]),
  construct(Meters, [READ_STORE, ReadSide, WorkflowRegistry]),
  construct(Reviewers, [CommandWriter, PersonTokens]),
  construct(SessionReader, [EventLog]),
  construct(SpecialistLookup, [ReadSide, READ_STORE]),
  construct(RegistrationChecks, [ProposerFunctions, ArbiterFunctions, WorkflowRegistry]),
  construct(Registrar, [Dispatcher, ProposerFunctions, ArbiterFunctions]),
  construct(DeclaredSpecialists, [CommandWriter, RegistrationChecks, Reviewers, PersonTokens]),
  construct(MachineCatalog, [CommandWriter, DeclaredSpecialists]),
  construct(Proposers, [EventLog]),
  construct(Authors, [PersonTokens]),
  factory(
    Facts,
    [EventLog, ReadSide, READ_STORE, EngineSettings],
    (log: EventLog, reads: ReadSide, store: ReadStore, { solicitation, time }: EngineSettings) =>
      new Facts(log, reads, store, solicitation, time),
  ),
  factory(
    ProposerCheck,
    [ActivityRegistry, WorkflowRegistry, EngineSettings],
    (activities: ActivityRegistry<Activity>, workflows: WorkflowRegistry, { solicitation }: EngineSettings) =>
      new ProposerCheck(activities, workflows, solicitation),
  ),
  construct(Solicitor, [EventLog, CommandWriter, WorkflowRuntime, ProposerCheck, Authors]),
];
