import { evaluationDecider, type EvaluationStarted, type Sample, sampleRequests } from '#lib/evaluation';
import { derivedId, jsonText, type RecordedEvent, sha256 } from '#lib/kernel';
import { type CommandContext, type CommandWriter, WrittenPosition } from '#lib/operations';
import type { WorkflowRuntime } from '#lib/workflow';
import type { Turns } from './turns.js';

/** A sample of an evaluation that is begun. */
export interface SampleOf {
  readonly started: RecordedEvent<EvaluationStarted>;
  readonly sample: Sample;
  /** Of those who write to this evaluation. */
  readonly turns: Turns;
}

/**
 * Asks a specialist about past rounds, one solicitation for each. Order: SampleSolicited, the run, SampleJudged. Each step finds
 * what is there already, so that a repeat, a second process or recovery goes on where it stopped.
 */
export class Samples {
  constructor(
    private readonly writer: CommandWriter,
    private readonly runtime: WorkflowRuntime,
  ) {}

  /** Waits until a sample is judged, by this process or another. @throws RuntimeStopped | StoreUnavailable */
  async judge({ started, sample: { sampleId }, turns }: SampleOf): Promise<void> {
    const { evaluationId } = started.data;
    const solicitationId = derivedId(sampleId, 'solicitation');
    const data = { evaluationId, sampleId, solicitationId };
    const context: CommandContext = {
      commandId: derivedId(sampleId, 'SolicitSample'),
      fingerprint: sha256(jsonText(data)),
      actor: started.metadata.actor,
      keyed: false,
      written: new WrittenPosition(),
      causationId: started.eventId,
    };
    const target = { category: 'evaluation', id: evaluationId } as const;
    const command = { type: 'SolicitSample', data } as const;
    await turns.take(() => this.writer.send(evaluationDecider, target, command, context));
    const { workflow } = sampleRequests;
    await this.runtime.finish({ workflow, runId: solicitationId, stream: started.stream });
  }
}
