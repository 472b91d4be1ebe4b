import { Injectable } from '@nestjs/common';
import { EventLog } from '#lib/event-store';
import { systemClock } from '#lib/kernel';
import { CommandWriter } from '#lib/operations';
import type { RunOwner } from '#lib/workflow';
import { arbitrationRun } from '../arbitrations/arbitration-run.js';
import { EngineSettings } from '../settings/engine-settings.js';
import { Facts } from '../solicitations/facts.js';
import { SessionRunOwner } from './session-run-owner.js';

/** The capabilities whose streams ask for runs. */
@Injectable()
export class SessionOwners {
  readonly byWorkflow: ReadonlyMap<string, RunOwner>;

  constructor(log: EventLog, writer: CommandWriter, facts: Facts, { arbitration }: EngineSettings) {
    const kinds = [arbitrationRun(arbitration, facts)];
    this.byWorkflow = new Map(
      kinds.map((kind) => [kind.requests.workflow, new SessionRunOwner(kind, log, writer, systemClock)]),
    );
  }
}
