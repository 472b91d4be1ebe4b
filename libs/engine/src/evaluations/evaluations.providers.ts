import type { Provider } from '@nestjs/common';
import { SolicitationActivities } from '#lib/activities';
import { EventLog } from '#lib/event-store';
import { randomIds, systemClock } from '#lib/kernel';
import { type ReadStore, StoredLeases } from '#lib/projections';
import { WorkflowRunner } from '#lib/legacy-workflow';
import { CommandWriter, ReadSide } from '#lib/operations';
import { factory } from '../module/provide.js';
import { READ_STORE } from '../module/read-store.token.js';
import { EngineSettings } from '../settings/engine-settings.js';
import { Facts } from '../solicitations/facts.js';
import { Solicitor } from '../solicitations/solicitor.js';
import { SpecialistLookup } from '../specialists/specialist-lookup.js';
import { Evaluator } from './evaluator.js';
import { Samples } from './samples.js';

/** What evaluates specialists. */
export const evaluationProviders: readonly Provider[] = [
  factory(
    Samples,
    [EventLog, CommandWriter, WorkflowRunner, SolicitationActivities, Facts, EngineSettings],
    (
      log: EventLog,
      writer: CommandWriter,
      runner: WorkflowRunner,
      activities: SolicitationActivities,
      facts: Facts,
      { solicitation }: EngineSettings,
    ) => new Samples(log, writer, runner, activities, solicitation, facts, systemClock, randomIds),
  ),
  factory(
    Evaluator,
    [EventLog, CommandWriter, ReadSide, READ_STORE, Solicitor, SpecialistLookup, Samples, EngineSettings],
    async (
      log: EventLog,
      writer: CommandWriter,
      reads: ReadSide,
      store: ReadStore,
      solicitor: Solicitor,
      specialists: SpecialistLookup,
      samples: Samples,
      { runner }: EngineSettings,
    ) => {
      const leases = await StoredLeases.open(store, systemClock);
      return new Evaluator(log, writer, reads, store, solicitor, specialists, samples, leases, runner);
    },
  ),
];
