import { resultBefore03, solicitation } from '#lib/decisions/solicitation';
import type { Json, JsonObject } from '#lib/kernel';
import {
  branched,
  type ChildEnded,
  type ChildStarted,
  done,
  type Given,
  here,
  type Script,
  type Seen,
  type Steps,
} from '#lib/workflow';
import type { EvaluationInput, Sample } from './evaluation.input.js';
import { evaluationResult } from './evaluation-result.rules.js';
import { type ScoredSample, scoreSample } from './score-sample.rules.js';

/** Samples that are asked at the same time. */
const ASKED_AT_ONCE = 4;

/** Asks a specialist again about past rounds, a solicitation for each, and compares its choices with the decisions. */
export class Evaluating implements Script<Json> {
  readonly input: EvaluationInput;
  /** In the order the answers arrived. */
  readonly scored: ScoredSample[] = [];
  #opened: readonly Seen[] = [];

  constructor({ start }: Given) {
    this.input = start.data.input as JsonObject & EvaluationInput;
  }

  /** The requested solicitations, by sample. */
  get asked(): ReadonlyMap<string, string> {
    const children = this.#opened as readonly Seen<ChildStarted>[];
    return new Map(children.map(({ data: { stepId, runId } }) => [stepId, runId]));
  }

  *[Symbol.iterator](): Steps<Json> {
    const { samples } = this.input;
    this.#opened = (yield* here()).opened;
    const scripts = samples.map((sample) => ({ script: this.#asked(sample) }));
    yield* branched({ path: 'samples', scripts, until: 'all', atMost: ASKED_AT_ONCE });
    return { ...evaluationResult(samples, this.scored) };
  }

  /** The specialist gets the context of a proposer in that round. The run has the id of the evaluation in place of a session's. */
  *#asked(sample: Sample): Steps<void> {
    const { evaluationId, specialistId, specialistVersion, specialistMachine, machineName } = this.input;
    const { sampleId: id, sessionId, roundId, revision } = sample;
    const asking = {
      sessionId: evaluationId,
      roundId,
      specialistId,
      specialistVersion,
      machineName,
      specialistMachine,
    };
    const context = { stream: `session-${sessionId}`, revision };
    const { event } = yield* done({ do: 'child', id, workflow: solicitation.name, input: asking, context });
    const { stepId: _, runId, ...end } = event.data as ChildEnded['data'];
    this.scored.push(scoreSample(sample, runId, resultBefore03(end)));
  }
}
