import type { JsonObject } from '#lib/kernel';
import { resultBefore03, solicitation } from '#lib/decisions/solicitation';
import type { ChildEnded, ChildStarted, Rules, Seen, Step, Workflow } from '#lib/workflow';
import { type EvaluationInput, evaluationInput as input, type Sample } from './evaluation.input.js';
import { evaluationResult } from './evaluation-result.rules.js';
import { type ScoredSample, scoreSample } from './score-sample.rules.js';

export interface EvaluationState extends EvaluationInput {
  /** In the order they were asked about. */
  readonly asked: readonly { readonly sampleId: string; readonly solicitationId: string }[];
  /** In the order the answers came. */
  readonly scored: readonly ScoredSample[];
}

/** Rounds that a specialist is asked about at the same time. */
const ASKED_AT_ONCE = 4;

/**
 * Asks a specialist again about past rounds, a solicitation for each, and compares its choices with the decisions.
 * Version 1 since 0.2.0. A change that alters the replay of histories, the rule of its score too, is a new version here.
 */
const rules: Rules<EvaluationState, never> = {
  input,
  initialState: ({ data }) => ({ ...(data.input as JsonObject & EvaluationInput), asked: [], scored: [] }),
  evolve: (state, event) => {
    if (event.type === 'ChildStarted') return asked(state, event as Seen<ChildStarted>);
    return event.type === 'ChildEnded' ? scored(state, event as Seen<ChildEnded>) : state;
  },
  next: (state) => {
    const open = unscored(state);
    if (open.length > 0) return open.slice(0, ASKED_AT_ONCE).map((sample) => ask(state, sample));
    return [{ do: 'end', result: { ...evaluationResult(state.samples, state.scored) } }];
  },
};

export const evaluation: Workflow<EvaluationState, never> = {
  name: 'evaluation',
  internal: true,
  versions: { 1: rules },
};

function asked(state: EvaluationState, { data }: Seen<ChildStarted>): EvaluationState {
  const { stepId: sampleId, runId: solicitationId } = data;
  return { ...state, asked: [...state.asked, { sampleId, solicitationId }] };
}

/** The first answer counts. */
function scored(state: EvaluationState, { data }: Seen<ChildEnded>): EvaluationState {
  const { stepId, runId, ...end } = data;
  const sample = unscored(state).find(({ sampleId }) => sampleId === stepId);
  if (!sample) return state;
  return { ...state, scored: [...state.scored, scoreSample(sample, runId, resultBefore03(end))] };
}

function unscored({ samples, scored: all }: EvaluationState): readonly Sample[] {
  const known = new Set(all.map(({ sampleId }) => sampleId));
  return samples.filter(({ sampleId }) => !known.has(sampleId));
}

/** The specialist gets the context that a proposer had in the round. In place of the id of a session the run has the id of the evaluation. */
function ask(
  {
    evaluationId: sessionId,
    specialistId,
    specialistVersion,
    specialistMachine,
    machineName,
  }: EvaluationState,
  { sampleId: id, sessionId: session, roundId, revision }: Sample,
): Step<never> {
  const asking = { sessionId, roundId, specialistId, specialistVersion, machineName, specialistMachine };
  const context = { stream: `session-${session}`, revision };
  return { do: 'child', id, workflow: solicitation.name, input: asking, context };
}
