import type { Provider } from '@nestjs/common';
import { EventLog } from '#lib/event-store';
import { CommandWriter, ReadSide, READ_STORE, WrittenPosition } from '#lib/operations';
import type { ReadStore } from '#lib/projections';
import { SpecialistLookup } from '#lib/specialists';
import { WorkflowRuntime } from '#lib/workflow';
import { factory } from './provide.js';
import { ProposerCheck } from '#lib/sessions';
import { Evaluations } from '#lib/evaluations';

/** The providers that evaluate specialists. */
export const evaluationProviders: readonly Provider[] = [
  factory(
    Evaluations,
    [
      EventLog,
      CommandWriter,
      WrittenPosition,
      ReadSide,
      READ_STORE,
      ProposerCheck,
      SpecialistLookup,
      WorkflowRuntime,
    ],
    (
      log: EventLog,
      writer: CommandWriter,
      written: WrittenPosition,
      reads: ReadSide,
      store: ReadStore,
      proposers: ProposerCheck,
      specialists: SpecialistLookup,
      runtime: WorkflowRuntime,
    ) => new Evaluations({ log, writer, written, reads, store, proposers, specialists, runtime }),
  ),
];
