import { Injectable } from '@nestjs/common';
import { EventLog } from '#lib/event-store';
import { TurnOwner } from '#lib/flows';
import { systemClock } from '#lib/kernel';
import { CommandWriter } from '#lib/operations';
import type { RunOwner } from '#lib/workflow';
import { arbitrationRun } from '../arbitrations/arbitration-run.js';
import { EngineSettings } from '../settings/engine-settings.js';
import { solicitationRun } from '../solicitations/solicitation-run.js';
import { type SessionRunKind, SessionRunOwner } from './session-run-owner.js';

/** The capabilities whose streams ask for runs. */
@Injectable()
export class SessionOwners {
  readonly byWorkflow: ReadonlyMap<string, RunOwner>;

  constructor(log: EventLog, writer: CommandWriter, { arbitration }: EngineSettings) {
    const ofSessions = (kind: SessionRunKind) => new SessionRunOwner(kind, log, writer, systemClock);
    this.byWorkflow = new Map<string, RunOwner>([
      ['solicitation', ofSessions(solicitationRun)],
      ['arbitration', ofSessions(arbitrationRun(arbitration))],
      ['turn', new TurnOwner(log, writer, systemClock)],
    ]);
  }
}
