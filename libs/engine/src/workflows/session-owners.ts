import { Injectable } from '@nestjs/common';
import { EventLog } from '#lib/event-store';
import { TurnOwner } from '#lib/flows';
import { systemClock } from '#lib/kernel';
import { CommandWriter } from '#lib/operations';
import type { RunOwner } from '#lib/workflow';
import { arbitrationRun } from '../arbitrations/arbitration-run.js';
import { SampleRunOwner } from '../evaluations/sample-run-owner.js';
import { EngineSettings } from '../settings/engine-settings.js';
import { solicitationRun } from '../solicitations/solicitation-run.js';
import { OwnersByCategory } from './owners-by-category.js';
import { type SessionRunKind, SessionRunOwner } from './session-run-owner.js';

/** The capabilities whose streams ask for runs. */
@Injectable()
export class SessionOwners {
  readonly byWorkflow: ReadonlyMap<string, RunOwner>;

  constructor(log: EventLog, writer: CommandWriter, { arbitration }: EngineSettings) {
    const ofSessions = (kind: SessionRunKind) => new SessionRunOwner(kind, log, writer, systemClock);
    const solicitations = new OwnersByCategory(log, {
      session: ofSessions(solicitationRun),
      evaluation: new SampleRunOwner(log, writer, systemClock),
    });
    this.byWorkflow = new Map<string, RunOwner>([
      ['solicitation', solicitations],
      ['arbitration', ofSessions(arbitrationRun(arbitration))],
      ['turn', new TurnOwner(log, writer, systemClock)],
    ]);
  }
}
