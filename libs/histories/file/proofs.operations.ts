import { Query } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import { unknownConversation } from '#lib/flows/core';
import type { Rejection } from '#lib/kernel';
import { answeredBy, input, is, Operation, readMembers } from '#lib/operations';
import { sessionRejections } from '#lib/decisions/session';
import { notSealed, SealedLog, SealProofView } from '#lib/seals';
import { runRejections, WorkflowRegistry } from '#lib/workflow';
import type { HistoryRoot } from './history-lines.js';
import { findRoot, planHistory, UNKNOWN_ROOT } from './history-plan.js';
import { proofOfHistory } from './proof-of-history.js';

const PROOF = { mcp: false, access: 'viewer', answers: { 200: SealProofView }, problems: [409] } as const;

@Operation({
  summary: 'The path from each event of a session, its runs and tasks to the root of the last seal',
  http: 'GET /v1/sessions/:sessionId/proof',
  ...PROOF,
})
export class GetSessionProof extends input(Query<SealProofView>, {
  sessionId: is.idOf(sessionRejections.unknownSession),
  ...readMembers,
}) {}

@Operation({
  summary:
    'The path from each event of a run, and of the runs and tasks below it, to the root of the last seal',
  http: 'GET /v1/runs/:runId/proof',
  ...PROOF,
})
export class GetRunProof extends input(Query<SealProofView>, {
  runId: is.idOf(runRejections.unknownRun),
  ...readMembers,
}) {}

@Operation({
  summary: 'The path from each event of a conversation, its turns and tasks to the root of the last seal',
  http: 'GET /v1/conversations/:conversationId/proof',
  ...PROOF,
})
export class GetConversationProof extends input(Query<SealProofView>, {
  conversationId: is.idOf(unknownConversation),
  ...readMembers,
}) {}

const PARTS = [EventLog, WorkflowRegistry, SealedLog] as const;

export const GetSessionProofHandler = answeredBy(GetSessionProof, PARTS, ({ sessionId }, ...parts) =>
  proof('session', sessionId, ...parts),
);

export const GetRunProofHandler = answeredBy(GetRunProof, PARTS, ({ runId }, ...parts) =>
  proof('run', runId, ...parts),
);

export const GetConversationProofHandler = answeredBy(
  GetConversationProof,
  PARTS,
  ({ conversationId }, ...parts) => proof('conversation', conversationId, ...parts),
);

async function proof(
  kind: HistoryRoot['kind'],
  id: string,
  log: EventLog,
  workflows: WorkflowRegistry,
  sealed: SealedLog,
): Promise<SealProofView | Rejection> {
  const root = await findRoot(log, id, workflows, [kind]);
  if (!root) return UNKNOWN_ROOT[kind](id);
  return (await proofOfHistory(sealed, await planHistory(log, root))) ?? notSealed(`the ${kind} ${id}`);
}
