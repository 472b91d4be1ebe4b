import {
  evaluationDecider,
  type EvaluationEvent,
  type EvaluationStarted,
  type Sample,
  sampleRequests,
} from '#lib/evaluation';
import type { EventLog } from '#lib/event-store';
import { type Clock, type Json, jsonText, type RecordedEvent, sha256 } from '#lib/kernel';
import { type CommandContext, type CommandWriter, WrittenPosition } from '#lib/operations';
import { roundStart, type SessionEvent } from '#lib/session';
import { solicitationResult } from '#lib/solicitation';
import { type AskedRun, deliveryId, type EndedRun, type RunOwner, type Wanted } from '#lib/workflow';
import { LostRun } from '../workflows/session-run-owner.js';

type History = readonly RecordedEvent<EvaluationEvent>[];

/** Evaluations as owners of the solicitations that they ask for: a specialist is told what a proposer was told in a past round. */
export class SampleRunOwner implements RunOwner {
  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly clock: Clock,
  ) {}

  async lookUp({ runId, stream }: AskedRun): Promise<Wanted> {
    const history = await this.log.readStream<EvaluationEvent>(stream);
    const delivered = history.filter(({ metadata }) => metadata.commandId === deliveryId(runId));
    if (delivered.length > 0) return { delivered };
    return { request: await this.#request(runId, history) };
  }

  async deliver({ runId, owner, end }: EndedRun): Promise<readonly RecordedEvent[]> {
    const history = await this.log.readStream<EvaluationEvent>(owner.stream);
    const { started, sample } = sampleOf(history, runId);
    const { evaluationId } = started.data;
    const result = solicitationResult(end);
    const data = { evaluationId, sampleId: sample.sampleId, solicitationId: runId, result };
    const context: CommandContext = {
      commandId: deliveryId(runId),
      fingerprint: sha256(jsonText(data)),
      actor: started.metadata.actor,
      keyed: false,
      written: new WrittenPosition(),
      causationId: runId,
    };
    const target = { category: 'evaluation', id: evaluationId } as const;
    return (await this.writer.send(evaluationDecider, target, { type: 'CloseSample', data }, context)).events;
  }

  async #request(runId: string, history: History) {
    const { started, sample, request } = sampleOf(history, runId);
    const stream = this.log.streams.of('session', sample.sessionId);
    const session = await this.log.readStream<SessionEvent>(stream);
    const { commandId, correlationId, actor, traceparent } = request.metadata;
    const occurredAt = this.clock.now().toISOString();
    return {
      input: inputOf(started, sample),
      owner: { stream: started.stream },
      context: { stream, revision: roundStart(session, sample.roundId) },
      metadata: {
        occurredAt,
        commandId,
        correlationId,
        causationId: request.eventId,
        actor,
        ...(traceparent !== undefined && { traceparent }),
      },
    };
  }
}

function inputOf({ data }: EvaluationStarted, { roundId }: Sample): Json {
  const { evaluationId: sessionId, specialistMachine, specialistId, specialistVersion, machineName } = data;
  return { sessionId, roundId, specialistId, specialistVersion, machineName, specialistMachine };
}

/** The part of an evaluation that starts one of its solicitations. */
function sampleOf(history: History, runId: string) {
  const [started] = history;
  const request = history.find((event) => sampleRequests.askedBy(event) === runId);
  const sampleId = request?.type === 'SampleSolicited' ? request.data.sampleId : undefined;
  if (started?.type !== 'EvaluationStarted' || !request) throw lost(runId, 'no evaluation asks for it');
  const sample = started.data.samples.find((one) => one.sampleId === sampleId);
  if (!sample) throw lost(runId, 'its evaluation has no such sample');
  return { started, sample, request };
}

function lost(id: string, why: string): LostRun {
  return new LostRun(`solicitation ${id}`, why, 'Verify the log with `redial replay --all`');
}
