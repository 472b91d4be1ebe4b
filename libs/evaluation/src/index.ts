export type {
  CloseSample,
  EvaluationCommand,
  SolicitSample,
  StartEvaluation,
} from './evaluation.commands.js';
export { evaluationDecider } from './evaluation.decider.js';
export {
  type EvaluationCompleted,
  type EvaluationEvent,
  evaluationEventDefinitions,
  type EvaluationStarted,
  type SampleJudged,
  type SampleSolicited,
} from './evaluation.events.js';
export {
  cannotBeAsked,
  evaluationExists,
  unknownEvaluation,
  unknownSample,
} from './evaluation.rejections.js';
export type { Against, Evaluation, EvaluationState, PastRound, Sample } from './evaluation.state.js';
export type { EvaluationResult } from './evaluation-result.js';
export {
  type EvaluationSummary,
  type EvaluationView,
  evaluationView,
  type SampleView,
} from './evaluation-view.js';
export { sampleRequests } from './sample-requests.js';
