import type { ArbitrationActivities } from '#lib/activities';
import { arbiterCallee, type ArbitrationEvent, type ArbitrationState } from '#lib/arbitration';
import type { EventLog } from '#lib/event-store';
import type { Clock, IdSource } from '#lib/kernel';
import type { ArbiterRef, ArbitrationRequested } from '#lib/session';
import type { WorkflowRunner } from '#lib/legacy-workflow';
import { type CommandWriter, RejectionError } from '#lib/operations';
import { type Closing, SessionWorkflows } from '../workflows/session-workflows.js';
import { arbitrationKind } from './arbitration-kind.js';
import type { Facts } from '../solicitations/facts.js';
import type { ArbitrationSettings } from './arbitration-settings.js';

/** Asks arbiters that are functions or webhooks. */
export class Arbitrator {
  private readonly workflows: SessionWorkflows<ArbitrationState, ArbitrationEvent, ArbitrationRequested>;

  constructor(
    log: EventLog,
    writer: CommandWriter,
    runner: WorkflowRunner,
    private readonly activities: ArbitrationActivities,
    settings: ArbitrationSettings,
    facts: Pick<Facts, 'ofArbitration'>,
    clock: Clock,
    ids: IdSource,
  ) {
    const kind = arbitrationKind(activities, settings, facts);
    this.workflows = new SessionWorkflows(kind, log, writer, runner, clock, ids);
  }

  /**
   * What can be known to fail is found before anything is written; there is nothing to prepare for one that is begun.
   * @throws RejectionError when this process could not ask this arbiter @throws StoreUnavailable | RunnerStopped
   */
  async prepare(sessionId: string, arbitrationId: string, arbiter: ArbiterRef): Promise<void> {
    if (await this.workflows.isBegun(sessionId, arbitrationId)) return;
    this.check(arbiter);
    await this.workflows.claim(arbitrationId);
  }

  /** @throws RejectionError when this process could not ask this arbiter */
  check(arbiter: ArbiterRef): void {
    const refusal = this.activities.preflightArbiter(arbiterCallee(arbiter));
    if (refusal) throw new RejectionError(refusal);
  }

  /**
   * Brings an arbitration that its session knows to its end, waiting for whoever runs it.
   * @returns what that wrote into the session: ConsensusReached and TransitionExecuted, ConsensusNotReached, VerdictSetAside
   * or ArbitrationFailed
   */
  finish(sessionId: string, arbitrationId: string): Promise<Closing> {
    return this.workflows.finish(sessionId, arbitrationId);
  }

  /** As `finish`, for one that nobody seems to run; `false` when somebody does. */
  async recover(sessionId: string, arbitrationId: string): Promise<boolean> {
    return (await this.workflows.recover(sessionId, arbitrationId)) !== undefined;
  }
}
