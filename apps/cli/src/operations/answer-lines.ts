import type { Redial } from '#lib/engine';
import { alignmentLines } from '../format/alignment-lines.js';
import { decisionLines } from '../format/decision-lines.js';
import {
  definedMachineLines,
  machineFileLines,
  machineTable,
  warningLines,
} from '../format/machine-lines.js';
import { arbitrationLines } from '../format/arbitration-lines.js';
import { callPageLines } from '../format/call-page-lines.js';
import { consensusLines } from '../format/consensus-lines.js';
import { llmCallLines } from '../format/llm-call-lines.js';
import { proposalLines, sessionTable } from '../format/session-lines.js';
import { evaluationLines } from '../format/evaluation-lines.js';
import { gateLines, gateResultLines, gateTable } from '../format/gate-lines.js';
import { metricsLines } from '../format/metrics-lines.js';
import { modelLines } from '../format/model-lines.js';
import type { Paint } from '../format/paint.js';
import { plainLines } from '../format/plain-lines.js';
import { specialistLines, specialistVersionLines } from '../format/specialist-lines.js';
import { inboxLines } from '../format/waiting-lines.js';

/** The methods of the facade that are operations: what each answers. */
type AnswerOf<Id extends keyof Redial> = Redial[Id] extends (...args: never[]) => Promise<infer Answer>
  ? Answer
  : never;

type Lines = {
  readonly [Id in keyof Redial]?: (
    answer: AnswerOf<Id>,
    paint: Paint,
    dataDir: string | undefined,
  ) => readonly string[];
};

/** For people. An operation that is not here has its answer shown as a table. */
const LINES: Lines = {
  listSessions: ({ items }) => sessionTable(items),
  listProposals: ({ items }) => proposalLines(items),
  submitProposal: (one) => proposalLines([one]),
  submitArbitration: arbitrationLines,
  evaluateConsensus: consensusLines,
  listLlmCalls: ({ items }) => llmCallLines(items),
  listLlmCallsOfSession: ({ items }) => llmCallLines(items),
  listLlmCallsOfRun: ({ items }) => llmCallLines(items),
  getLlmCall: callPageLines,
  createGate: (one, paint) => [...gateLines(one, paint), ...warningLines(one.warnings, paint)],
  getGate: gateLines,
  listGates: ({ items }) => gateTable(items),
  deleteGate: ({ gateId }) => [`gate ${gateId} is deleted; what it decided stays`],
  invokeGate: gateResultLines,
  getInvocation: gateResultLines,
  registerSpecialist: (one, paint) => [...specialistLines([one]), ...warningLines(one.warnings, paint)],
  enableSpecialist: (one) => specialistLines([one]),
  disableSpecialist: (one) => specialistLines([one]),
  getSpecialist: (one) => specialistLines([one]),
  listSpecialists: ({ items }) => specialistLines(items),
  listSpecialistVersions: ({ items }) => specialistVersionLines(items),
  evaluateSpecialist: evaluationLines,
  getEvaluation: evaluationLines,
  defineMachine: definedMachineLines,
  listMachines: ({ items }) => machineTable(items),
  getMachine: machineFileLines,
  getCollapseMetrics: metricsLines,
  getDecisionLog: ({ items }) => decisionLines(items),
  getAlignment: alignmentLines,
  getInbox: inboxLines,
  getModelStatistics: ({ items }) => modelLines(items),
};

/** The answer of an operation, for people. */
export function linesOf(
  id: string,
  answer: unknown,
  paint: Paint,
  dataDir: string | undefined,
): readonly string[] {
  const lines = (LINES as Readonly<Record<string, unknown>>)[id] as
    ((answer: unknown, paint: Paint, dataDir: string | undefined) => readonly string[]) | undefined;
  return lines ? lines(answer, paint, dataDir) : plainLines(answer);
}
