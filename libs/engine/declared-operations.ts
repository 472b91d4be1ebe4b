import { callsOperations, providersOperations } from '#lib/runs/calls';
import { codeOperations, transcriptOperations } from '#lib/code';
import {
  agentOperations,
  conversationCallsOperations,
  conversationOperations,
  forkConversationOperations,
  turnOperations,
} from '#lib/flows';
import { type Operation, operationsIn } from '#lib/operations';
import { machinesOperations, proveOperations } from '#lib/decisions/registration';
import {
  decisionDaysOperations,
  importOperations,
  monitoringOperations,
  projectionsOperations,
} from '#lib/decisions/metrics';
import { peopleOperations } from '#lib/people';
import { answerTaskOperations, extendOperations, taskOperations } from '#lib/tasks';
import { forkRunOperations, recoveryOperations, runOperations, runReadOperations } from '#lib/runs/runs';
import { specialistReads, specialistsOperations } from '#lib/decisions/registration';
import { toolOperations } from '#lib/runs/tools';
import {
  evaluationsOperations,
  eventOperations,
  experimentsOperations,
  contentExportOperations,
  exportOperations,
  forkHistoryOperations,
  historiesOperations,
  simulationOperations,
  triesOperations,
  proofsOperations,
  whyOperations,
} from '#lib/histories';
import { hooksOperations } from '#lib/hooks';
import { reactionsOperations } from '#lib/reactions';
import { sealsOperations } from '#lib/seals';
import { subjectsOperations } from '#lib/subjects';
import { gatesOperations } from '#lib/decisions/gates';
import { forkOperations, roundsOperations, sessionReads, sessionsOperations } from '#lib/decisions/driving';

/** The modules of operations, one for each capability. */
export const capabilities = [
  machinesOperations,
  proveOperations,
  specialistsOperations,
  specialistReads,
  gatesOperations,
  evaluationsOperations,
  experimentsOperations,
  historiesOperations,
  forkHistoryOperations,
  proofsOperations,
  sealsOperations,
  subjectsOperations,
  reactionsOperations,
  hooksOperations,
  eventOperations,
  contentExportOperations,
  exportOperations,
  whyOperations,
  simulationOperations,
  triesOperations,
  decisionDaysOperations,
  monitoringOperations,
  importOperations,
  projectionsOperations,
  sessionsOperations,
  sessionReads,
  roundsOperations,
  forkOperations,
  callsOperations,
  providersOperations,
  peopleOperations,
  taskOperations,
  extendOperations,
  answerTaskOperations,
  recoveryOperations,
  runOperations,
  runReadOperations,
  forkRunOperations,
  codeOperations,
  transcriptOperations,
  toolOperations,
  agentOperations,
  conversationOperations,
  forkConversationOperations,
  conversationCallsOperations,
  turnOperations,
] as const;

type UnionToIntersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The exports of all these modules. */
export type Declared = UnionToIntersection<(typeof capabilities)[number]>;

/** Every declared operation, for the doors. */
export const operations: readonly Operation[] = capabilities.flatMap((module) => operationsIn(module));
