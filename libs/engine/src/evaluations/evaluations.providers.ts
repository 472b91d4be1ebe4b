import type { Provider } from '@nestjs/common';
import { EventLog } from '#lib/event-store';
import { systemClock } from '#lib/kernel';
import { type ReadStore, StoredLeases } from '#lib/projections';
import { WorkflowRuntime } from '#lib/workflow';
import { CommandWriter, ReadSide } from '#lib/operations';
import { construct, factory } from '../module/provide.js';
import { READ_STORE } from '../module/read-store.token.js';
import { EngineSettings } from '../settings/engine-settings.js';
import { Solicitor } from '../solicitations/solicitor.js';
import { SpecialistLookup } from '#lib/specialists';
import { Evaluator } from './evaluator.js';
import { Samples } from './samples.js';

/** The providers that evaluate specialists. */
export const evaluationProviders: readonly Provider[] = [
  construct(Samples, [CommandWriter, WorkflowRuntime]),
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
