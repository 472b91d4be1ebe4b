import { whyLines } from '#lib/histories/core';
import { callPageLines, tryLines } from './calls.js';
import { experimentLines } from './experiments.js';
import { gateLines, gateResultLines, warningLines } from './definitions.js';
import { conversationLines, turnLines } from './conversations.js';
import { listLines, SPECIALISTS } from './lists.js';
import { alignmentLines, evaluationLines, metricsLines } from './monitoring.js';
import { arbitrationLines, consensusLines, sessionLines } from './sessions.js';
import { answeredLines, taskLines } from './tasks.js';
import { registeredHookLines } from './reactions.js';
import { replayLines } from './replay-lines.js';
import { plainLines, table } from './table.js';
import { problemLine } from '../input/read-machine-file.js';
import { inboxLines } from './waiting.js';
import type { Paint } from '../io.js';
import type { AnswerOf, OperationId } from '../operations/call-operation.js';

type Lines = {
  readonly [Id in OperationId]?: (
    answer: AnswerOf<Id>,
    paint: Paint,
    dataDir: string | undefined,
  ) => readonly string[];
};

/** For people. The answer of an operation that is neither here nor in `lists.ts` is shown whole, as a table. */
const LINES: Lines = {
  closeSession: sessionLines,
  forkSession: sessionLines,
  forkHistory: sessionLines,
  forkConversation: conversationLines,
  submitArbitration: arbitrationLines,
  evaluateConsensus: consensusLines,
  getLlmCall: callPageLines,
  tryCall: tryLines,
  createGate: (one, paint) => [...gateLines(one, paint), ...warningLines(one.warnings, paint)],
  getGate: gateLines,
  deleteGate: ({ gateId }) => [`gate ${gateId} is deleted; its decisions stay`],
  invokeGate: gateResultLines,
  getInvocation: gateResultLines,
  registerHook: registeredHookLines,
  registerSpecialist: (one, paint) => [...table(SPECIALISTS, [one]), ...warningLines(one.warnings, paint)],
  evaluateSpecialist: evaluationLines,
  getEvaluation: evaluationLines,
  getExperiment: experimentLines,
  cancelExperiment: experimentLines,
  defineMachine: ({ machineName, version, warnings }, paint) => [
    `machine ${machineName} version ${version}`,
    ...warningLines(warnings, paint),
  ],
  getMachine: ({ definition }) => JSON.stringify(definition, undefined, 2).split('\n'),
  getCollapseMetrics: metricsLines,
  getAlignment: alignmentLines,
  replayEvaluation: replayLines,
  replayRun: replayLines,
  replayConversation: replayLines,
  whyRun: whyLines,
  whyConversation: whyLines,
  defineAgent: ({ agentName, version, warnings }, paint) => [
    `agent ${agentName} version ${version}`,
    ...warningLines(warnings, paint),
  ],
  getAgent: ({ definition }) => JSON.stringify(definition, undefined, 2).split('\n'),
  validateAgent: ({ valid, errors, warnings }, paint) => [
    ...(valid ? [paint('green', 'valid')] : errors.map(problemLine)),
    ...warningLines(warnings, paint),
  ],
  sendMessage: turnLines,
  signalTurn: turnLines,
  cancelTurn: turnLines,
  deletePerson: () => ['the person is deleted, and their tokens have ended'],
  getInbox: inboxLines,
  getTask: taskLines,
  assignTask: taskLines,
  claimTask: taskLines,
  commentTask: taskLines,
  extendTask: taskLines,
  releaseTask: taskLines,
  answerTask: answeredLines,
};

/** The answer of an operation, for people. */
export function linesOf(
  id: string,
  answer: unknown,
  paint: Paint,
  dataDir: string | undefined,
): readonly string[] {
  const lines = (LINES as Readonly<Record<string, unknown>>)[id] as
    | ((answer: unknown, paint: Paint, dataDir: string | undefined) => readonly string[])
    | undefined;
  return lines ? lines(answer, paint, dataDir) : (listLines(id, answer) ?? plainLines(answer));
}
