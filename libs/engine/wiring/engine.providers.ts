import { Logger, type Provider } from '@nestjs/common';
import { ArbiterFunctions } from '#lib/decisions/arbitration';
import { LlmProviders, WebhookCaller } from '#lib/activities';
import { ProposerFunctions } from '#lib/decisions/solicitation';
import { EventLog } from '#lib/event-store';
import { Fingerprints, randomIds, systemClock } from '#lib/kernel';
import { Meters } from '#lib/decisions/metrics';
import { Prices } from '#lib/runs/calls';
import { OwnHumans, PersonAccess, PersonTokens, Reviewers } from '#lib/people';
import { ProjectionRunner, StoredLeases } from '#lib/read-models';
import { LogHold, SealedLog, Sealer, Sealing } from '#lib/seals/core';
import { TraceExport } from '#lib/telemetry';
import { type LeaseHolder, WorkflowRegistry, WorkflowRuntime } from '#lib/workflow';
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
import { Activities, assemble, construct, factory, LEASES, TIME, warningsOf } from './provide.js';

/** The engine's parts, each made once. `EngineSettings` comes from the module's options. */
export const engineProviders: readonly Provider[] = [
  factory(EventLog, [EngineSettings], (settings) =>
    openEventLog(settings, (notice) => new Logger('Log').log(notice)),
  ),
  // After the log: read models without a log are the sign of a lost log.
  factory(READ_STORE, [EngineSettings, EventLog], openReadStore),
  factory(Fingerprints, [EventLog, READ_STORE, EngineSettings], openFingerprints),
  factory(TIME, [EngineSettings], ({ time }) => time),
  factory(LEASES, [READ_STORE, EngineSettings], async (store, { runner }): Promise<LeaseHolder> => ({
    leases: await StoredLeases.open(store, runner.time),
    ...runner,
  })),
  factory(ProjectionRunner, [EventLog, READ_STORE, EngineSettings], (log, store, settings) =>
    projectionRunner(log, store, settings, (notice) => new Logger('Projections').error(notice)),
  ),
  factory(ProposerFunctions, [EngineSettings], ({ options }) => registeredProposers(options)),
  factory(ArbiterFunctions, [EngineSettings], ({ options }) => registeredArbiters(options)),
  factory(WebhookCaller, [EngineSettings], ({ webhooks, redactor }) => {
    return new WebhookCaller(webhooks, redactor);
  }),
  factory(LlmProviders, [EngineSettings], ({ providers }) => providers),
  factory(Prices, [EngineSettings], ({ prices }) => new Prices(prices)),
  WrittenPosition,
  factory(RecordedAnswers, [EventLog, TIME], (log, time) => new RecordedAnswers(log, time, randomIds)),
  construct(SingleFlight, [RecordedAnswers]),
  Dispatcher,
  ReadModels,
  assemble(Moments, { log: EventLog, now: ReadModels }, { models: folded, requests: runRequests }),
  factory(PersonTokens, [EngineSettings, EventLog, Fingerprints], ({ actorTokenSecret }, log, key) => {
    return new PersonTokens(actorTokenSecret ?? key.secretFor('tokens of people'), log);
  }),
  construct(OwnHumans, [EventLog]),
  factory(Access, [PersonTokens, OwnHumans, EngineSettings], (tokens, own, { apiToken }) => {
    return new PersonAccess(tokens, own, apiToken);
  }),
  construct(CommandWriter, [EventLog, TIME, WrittenPosition]),
  factory(ReadSide, [ProjectionRunner, WrittenPosition, EngineSettings], (runner, written, settings) => {
    return new ReadSide(runner, written, settings.readWaitMs);
  }),
  factory(TraceExport, [EventLog, READ_STORE, LEASES, EngineSettings], (log, store, holder, { options }) => {
    return new TraceExport({ log, store, holder, export: options.traces, warn: warningsOf('Traces') });
  }),
  construct(SealedLog, [EventLog]),
  // A history file refuses appends itself, and its file has its keys.
  factory(LogHold, [EngineSettings], ({ readOnly, historyFile }) => {
    return new LogHold(readOnly && historyFile === undefined);
  }),
  factory(Sealer, [EventLog, EngineSettings, LogHold], (log, { sealKey: key }, hold) => {
    return new Sealer({ log, key, hold, clock: systemClock, ids: randomIds });
  }),
  assemble(Sealing, { log: EventLog, holder: LEASES, sealer: Sealer }, { warn: warningsOf('Seals') }),
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
  factory(Facts, [EventLog, ReadSide, READ_STORE, EngineSettings], (log, reads, store, settings) => {
    return new Facts(log, reads, store, settings.solicitation, settings.time);
  }),
  factory(
    ProposerCheck,
    [Activities, WorkflowRegistry, EngineSettings],
    (activities, workflows, { solicitation }) => new ProposerCheck(activities, workflows, solicitation),
  ),
  construct(Solicitor, [EventLog, CommandWriter, WorkflowRuntime, ProposerCheck, Authors]),
];
