import type { Provider } from '@nestjs/common';
import { EventLog } from '#lib/event-store';
import { CommandWriter, READ_STORE, ReadModels, ReadSide, Subjects } from '#lib/operations';
import { ProjectionRunner, SubjectKeys } from '#lib/read-models';
import { Erasing } from '#lib/subjects/core';
import { RunCommands, WorkflowRuntime } from '#lib/workflow';
import { openSubjectKeys } from '../module/open-subject-keys.js';
import { EngineSettings } from '../settings/engine-settings.js';
import { assemble, construct, factory, LEASES, TIME, warningsOf } from './provide.js';

export const subjectProviders: readonly Provider[] = [
  factory(SubjectKeys, [EventLog, READ_STORE, EngineSettings], openSubjectKeys),
  construct(Subjects, [EventLog, SubjectKeys, ReadModels, ReadSide]),
  assemble(
    Erasing,
    {
      log: EventLog,
      keys: SubjectKeys,
      rows: READ_STORE,
      projections: ProjectionRunner,
      writer: CommandWriter,
      commands: RunCommands,
      runtime: WorkflowRuntime,
      clock: TIME,
      holder: LEASES,
    },
    { warn: warningsOf('Erasures') },
  ),
];
