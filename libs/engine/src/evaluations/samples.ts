import type { SolicitationActivities } from '#lib/activities';
import {
  type EvaluationCommand,
  evaluationDecider,
  type EvaluationStarted,
  type Sample,
} from '#lib/evaluation';
import type { EventLog } from '#lib/event-store';
import {
  type Clock,
  derivedId,
  fold,
  type IdSource,
  jsonText,
  type RecordedEvent,
  sha256,
} from '#lib/kernel';
import { sessionDecider, type SessionEvent } from '#lib/session';
import {
  solicitation,
  type SolicitationEvent,
  solicitationResult,
  type SolicitationStarted,
} from '#lib/solicitation';
import type { ProposerExecution } from '#lib/specialist';
import type { WorkflowRun, WorkflowRunner } from '#lib/legacy-workflow';
import { type Call, type CommandWriter, WrittenPosition } from '#lib/operations';
import type { Facts } from '../solicitations/facts.js';
import { type SolicitationSettings, startEvent } from '../solicitations/start-event.js';
import { beginOnce } from '../workflows/begin-once.js';
import { LostWorkflow } from '../workflows/lost-workflow.js';
import type { Turns } from './turns.js';

/** A sample of an evaluation that is begun, and whom it asks. */
export interface SampleOf {
  readonly started: RecordedEvent<EvaluationStarted>;
  readonly sample: Sample;
  readonly execution: ProposerExecution;
  /** Of those who write to this evaluation. */
  readonly turns: Turns;
}

/**
 * Asks a specialist about past rounds, one solicitation for each. Order: SampleSolicited, the solicitation's own stream, its
 * end, SampleJudged. Each step finds what is there already, so that a repeat, a second process or recovery goes on where it
 * stopped. The sessions are read, and nothing else happens to them.
 */
export class Samples {
  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly runner: WorkflowRunner,
    private readonly activities: SolicitationActivities,
    private readonly settings: SolicitationSettings,
    private readonly facts: Facts,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** Brings a sample to its judgement, waiting for whoever runs its solicitation. @throws RunnerStopped | StoreUnavailable */
  async judge(of: SampleOf): Promise<void> {
    const { evaluationId } = of.started.data;
    const { sampleId } = of.sample;
    const solicitationId = derivedId(sampleId, 'solicitation');
    const asked = { evaluationId, sampleId, solicitationId };
    const stream = this.log.streams.of('solicitation', solicitationId);
    // Before anything is written: a store of leases that is down says so here, and no other process takes this one over.
    await this.runner.claim(stream);
    await this.send({ type: 'SolicitSample', data: asked }, of, of.started);
    const end = await this.runner.run(await this.run(stream, solicitationId, of));
    const result = solicitationResult(end);
    if (!result) throw lost(solicitationId, `it ended with ${end.type}`);
    await this.send({ type: 'CloseSample', data: { ...asked, result } }, of, end);
  }

  private async run(stream: string, solicitationId: string, of: SampleOf): Promise<Run> {
    const { started, sample } = of;
    const { evaluationId } = started.data;
    const commandId = commandIdOf('SolicitSample', sample.sampleId);
    const { actor } = started.metadata;
    const envelope = { commandId, correlationId: evaluationId, causationId: commandId, actor };
    const start = await beginOnce<SolicitationEvent>(this.log, stream, async () => ({
      eventId: this.ids.next(),
      event: await this.start(solicitationId, of),
      metadata: { ...envelope, occurredAt: this.clock.now().toISOString() },
    }));
    const activities = this.activities.forSolicitation(start as SolicitationStarted);
    return { workflow: solicitation, stream, activities, envelope };
  }

  /** What a proposer was told in that round, asked on behalf of the evaluation. */
  private async start(
    solicitationId: string,
    { started, sample: { sessionId, roundId }, execution }: SampleOf,
  ): Promise<SolicitationStarted> {
    const { evaluationId, specialistId, specialistVersion } = started.data;
    const history = await this.log.readStream<SessionEvent>(this.log.streams.of('session', sessionId));
    const session = fold(sessionDecider, history);
    if (!session) throw lost(solicitationId, `session ${sessionId} is not there`);
    const { type, data } = startEvent(
      session,
      { solicitationId, roundId, specialistId, specialistVersion },
      execution,
      this.settings,
      await this.facts.ofSolicitation(session, roundId, execution, true),
    );
    return { type, data: { ...data, sessionId: evaluationId } };
  }

  private async send(
    command: Exclude<EvaluationCommand, { type: 'StartEvaluation' }>,
    { started, turns }: SampleOf,
    { eventId: causationId }: RecordedEvent,
  ): Promise<void> {
    const { evaluationId, sampleId } = command.data;
    const call: Call = {
      commandId: commandIdOf(command.type, sampleId),
      fingerprint: sha256(jsonText(command.data)),
      actor: started.metadata.actor,
      keyed: false,
      written: new WrittenPosition(),
      causationId,
    };
    const target = { category: 'evaluation', id: evaluationId } as const;
    await turns.take(() => this.writer.send(evaluationDecider, target, command, call));
  }
}

type Run = WorkflowRun<ReturnType<typeof solicitation.initialState>, SolicitationEvent>;

function commandIdOf(type: EvaluationCommand['type'], sampleId: string): string {
  return derivedId(sampleId, type);
}

function lost(solicitationId: string, why: string): LostWorkflow {
  return new LostWorkflow(`solicitation ${solicitationId}`, why, 'Verify the log with `redial replay --all`');
}
