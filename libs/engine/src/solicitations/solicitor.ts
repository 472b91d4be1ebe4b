import type { SolicitationActivities } from '#lib/activities';
import type { EventLog } from '#lib/event-store';
import { type Clock, derivedId, type IdSource, type RecordedEvent } from '#lib/kernel';
import {
  type CallerGiven,
  type ProposalFailed,
  type ProposalSetAside,
  type ProposalSolicited,
  type ProposalSubmitted,
} from '#lib/session';
import type { SolicitationEvent, SolicitationState } from '#lib/solicitation';
import type { ProposerExecution } from '#lib/specialist';
import type { WorkflowRunner } from '#lib/legacy-workflow';
import { type Call, type CommandWriter, RejectionError } from '#lib/operations';
import { isOutage } from '../workflows/is-outage.js';
import { type Closing, SessionWorkflows } from '../workflows/session-workflows.js';
import { sessionRulesFor } from '../write-side/session-rules.js';
import type { Facts } from './facts.js';
import { solicitationKind } from './solicitation-kind.js';
import { SolicitationUnfinished } from './solicitation-unfinished.js';
import { proposerMode, type SolicitationSettings } from './start-event.js';

/** What closed a solicitation: exactly one of these. */
export type ClosingEvent = RecordedEvent<ProposalSubmitted | ProposalSetAside | ProposalFailed>;

/** Whom to ask, for what. */
export interface Wish {
  readonly sessionId: string;
  readonly roundId?: string;
  readonly specialistId: string;
  readonly specialistVersion: number;
  readonly execution: ProposerExecution;
  readonly given: CallerGiven;
  /** Refused where the proposer was asked in this round before. */
  readonly unlessAsked?: boolean;
}

/** Asks proposers. */
export class Solicitor {
  private readonly workflows: SessionWorkflows<SolicitationState, SolicitationEvent, ProposalSolicited>;

  constructor(
    log: EventLog,
    private readonly writer: CommandWriter,
    runner: WorkflowRunner,
    private readonly activities: SolicitationActivities,
    private readonly settings: SolicitationSettings,
    facts: Facts,
    clock: Clock,
    ids: IdSource,
  ) {
    const kind = solicitationKind(writer, activities, settings, facts);
    this.workflows = new SessionWorkflows(kind, log, writer, runner, clock, ids);
  }

  /**
   * @throws RejectionError before anything is written when this process could not ask this proposer
   * @throws SolicitationUnfinished when it was begun, and the store or the process failed before its end
   */
  async solicit({ execution, ...wish }: Wish, call: Call): Promise<ClosingEvent> {
    const solicitationId = derivedId(call.commandId, 'solicitation');
    // Without a key this call is the first, and nobody has begun what it asks for.
    if (!call.keyed || !(await this.workflows.isBegun(wish.sessionId, solicitationId)))
      await this.prepare(solicitationId, execution);
    const target = { category: 'session', id: wish.sessionId } as const;
    const command = { type: 'SolicitProposal', data: { ...wish, solicitationId } } as const;
    const { position } = await this.writer.send(sessionRulesFor(call), target, command, call);
    try {
      return await this.finish(wish.sessionId, solicitationId);
    } catch (error) {
      throw isOutage(error) ? new SolicitationUnfinished(solicitationId, position, error) : error;
    }
  }

  /** Brings a solicitation that its session knows to its end, waiting for whoever runs it. */
  async finish(sessionId: string, solicitationId: string): Promise<ClosingEvent> {
    return closingEvent(await this.workflows.finish(sessionId, solicitationId));
  }

  /** As `finish`, for one that nobody seems to run; `false` when somebody does. */
  async recover(sessionId: string, solicitationId: string): Promise<boolean> {
    return (await this.workflows.recover(sessionId, solicitationId)) !== undefined;
  }

  /** @throws RejectionError when this process could not ask such a proposer */
  check(execution: ProposerExecution): void {
    const refusal = this.activities.preflightProposer(proposerMode(execution, this.settings.baseUrl));
    if (refusal) throw new RejectionError(refusal);
  }

  /** What can be known to fail is found before anything is written. */
  private async prepare(solicitationId: string, execution: ProposerExecution): Promise<void> {
    this.check(execution);
    await this.workflows.claim(solicitationId);
  }
}

function closingEvent({ events: [event] }: Closing): ClosingEvent {
  return event as ClosingEvent;
}
