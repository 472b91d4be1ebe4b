export { evaluation } from './evaluations/evaluation.workflow.js';
export { evaluationsModel } from './evaluations/evaluations.read-model.js';
export { batchRun } from './experiments/batch-run.js';
export { experimentBatch } from './experiments/batch.workflow.js';
export { isCompletedBy } from './experiments/completed-by.js';
export { asksOf } from './experiments/experiment.decider.js';
export {
  type ExperimentBatchEnded,
  experimentEventDefinitions,
  type ExperimentStarted,
} from './experiments/experiment.events.js';
export { Experiments } from './experiments/experiments.js';
export { experimentsModel } from './experiments/experiments.read-model.js';
export { Variants } from './experiments/variants.js';
export { callTry } from './tries/try.workflow.js';
export { Tries } from './tries/tries.js';
export { EvaluationUnfinished, Evaluations } from './evaluations/evaluations.js';
export { verifyEvaluation } from './evaluations/verify-evaluation.js';
export type { ExperimentReplayReport } from './experiments/experiments.views.js';
export { verifyExperiment } from './experiments/verify-experiment.js';
export { CASSETTE_MODES, cassetteCalls, type CassetteMode } from './cassette/cassette.js';
export {
  CassetteExhausted,
  CassetteMiss,
  CassetteMissing,
  CassetteNotWritten,
  CassetteUnreadable,
} from './cassette/cassette-errors.js';
export { datasets } from './exports/datasets.js';
export { HistoryBroken } from './file/history-broken.js';
export { HistoryIsReadOnly } from './file/history-is-read-only.js';
export type { Redaction } from './file/history-lines.js';
export {
  findRoot,
  type FoundRoot,
  HistoryTooLarge,
  planHistory,
  refuseUnknownRoot,
  rootsOf,
} from './file/history-plan.js';
export { keysOfHistory } from './file/keys-of-history.js';
export { type HistoryReport, type RootInLog, verifyHistory, verifyRoot } from './file/verify-history.js';
export { shownChange } from './shown-apart.js';
export { NoHistory, type OpenedHistory, openHistory, unreadableHistory } from './file/open-history.js';
export { type Change } from './regress/changes.js';
export { regress } from './regress/regress.js';
export { type GivenFunctions, Today } from './regress/today.js';
export { type JudgedHistory, type Regression, type Verdict, VERDICTS } from './regress/verdict.js';
export { readHistory } from './file/read-history.js';
export { HistoryNotWritten, writeHistory } from './file/write-history.js';
export { writeWhole } from './file/write-whole.js';
export { shareOf } from './experiments/statistics.js';
export { diffOf } from './why/diff.rules.js';
export { whyLines, whyOf } from './why/why.js';
export type { Diff } from './why/why.views.js';
export { targetOf } from './why/why-target.js';
export { runRequests, runsOfRoots } from './asked-runs.js';
export { ProofTooLarge, sealOfHistory } from './file/proof-of-history.js';
export { verifySealOf } from './file/verify-seal.js';
