import { Command, Query } from '@nestjs/cqrs';
import type { GateInput } from './definition/gate-definition.js';
import { unknownGate } from './gate.rejections.js';
import { Prices } from '#lib/runs/calls';
import {
  answered,
  answeredBy,
  currentContext,
  input,
  is,
  Operation,
  page,
  pageMembers,
  readMembers,
  ReadModels,
  readsRows,
  readsRowsOf,
} from '#lib/operations';
import { getGate, listGates } from './gates.read-model.js';
import { gateStatus, meanAmounts } from './gate-status.js';
import { type Page, summarizeLlmCalls } from '#lib/read-models';
import { SESSION_ROWS, sessionWithWaits } from '#lib/decisions/driving/core';
import { sessionRejections } from '#lib/decisions/session';
import { GateCatalog } from './definition/gate-catalog.js';
import { CreatedGate, Gate, GateDefinition, GateResult, GateStatus } from './gates.views.js';
import { Invocations } from './invocation/invocations.js';
import { InvokeGate } from './invocation/invoke-gate.js';

export { InvokeGate };

const READ_FOR_STATUS = ['gates', 'sessions', 'exemplars', 'alignment', 'specialists', 'llm_calls'] as const;

@Operation({
  summary: 'Create a gate, or its next version, and register the specialists it declares',
  http: 'POST /v1/gates',
  cli: 'gates create <gate>',
  access: 'operator',
  answers: { 200: CreatedGate, 201: CreatedGate },
})
export class CreateGate extends input(Command<CreatedGate>, {
  gate: is.definition<GateInput>(GateDefinition).about('A gate definition'),
}) {}

export const CreateGateHandler = answeredBy(CreateGate, [GateCatalog], async ({ gate }, gates) =>
  answered(await gates.create(gate, currentContext())),
);

@Operation({
  summary: 'Gates, by id',
  http: 'GET /v1/gates',
  cli: 'gates list',
  access: 'viewer',
  answers: { 200: page(Gate) },
})
export class ListGates extends input(Query<Page<Gate>>, pageMembers) {}

export const ListGatesHandler = readsRows(ListGates, ['gates'], listGates);

@Operation({
  summary: 'A gate in its current version',
  http: 'GET /v1/gates/:gateId',
  cli: 'gates show <gateId>',
  access: 'viewer',
  answers: { 200: Gate },
})
export class GetGate extends input(Query<Gate>, { gateId: is.nameOf(unknownGate), ...readMembers }) {}

export const GetGateHandler = readsRowsOf(
  GetGate,
  ({ gateId }) => ['gate', gateId],
  ['gates'],
  async (db, { gateId }) => (await getGate(db, gateId)) ?? unknownGate(gateId),
);

@Operation({
  summary: "A gate's progress towards deciding without people: collapse, champion, alignment, costs",
  http: 'GET /v1/gates/:gateId/status',
  cli: 'gates status <gateId>',
  access: 'viewer',
  answers: { 200: GateStatus },
})
export class GetGateStatus extends input(Query<GateStatus>, {
  gateId: is.nameOf(unknownGate),
  ...readMembers,
}) {}

export const GetGateStatusHandler = answeredBy(
  GetGateStatus,
  [ReadModels, Prices],
  ({ gateId }, reads, prices) =>
    reads.askOf(['gate', gateId], READ_FOR_STATUS, async (db) => {
      if (!(await getGate(db, gateId))) return unknownGate(gateId);
      const status = await gateStatus(db, gateId);
      const calls = { machineName: gateId, origins: ['live'] } as const;
      const models = await summarizeLlmCalls(db, { ...calls, prices: prices.table });
      const costs = models.flatMap((model) => model.costs);
      return { ...status, meanCosts: meanAmounts(costs, status.invocationCount) };
    }),
);

@Operation({
  summary: 'Delete a gate: it can no longer be listed or invoked; its decisions stay',
  http: 'DELETE /v1/gates/:gateId',
  cli: 'gates delete <gateId>',
  access: 'operator',
  answers: { 200: Gate },
  destructive: true,
})
export class DeleteGate extends input(Command<Gate>, { gateId: is.nameOf(unknownGate) }) {}

export const DeleteGateHandler = answeredBy(DeleteGate, [GateCatalog], async ({ gateId }, gates) =>
  answered(await gates.delete(gateId, currentContext())),
);

export const InvokeGateHandler = answeredBy(InvokeGate, [Invocations], async (command, invocations) =>
  answered(await invocations.invoke(command, currentContext())),
);

@Operation({
  summary: 'The result of an invocation so far, also of a deleted gate',
  http: 'GET /v1/gates/:gateId/invocations/:sessionId',
  cli: 'gates result <gateId> <sessionId>',
  access: 'viewer',
  answers: { 200: GateResult },
})
export class GetInvocation extends input(Query<GateResult>, {
  gateId: is.nameOf(unknownGate),
  sessionId: is.idOf(sessionRejections.unknownSession),
  ...readMembers,
}) {}

export const GetInvocationHandler = answeredBy(
  GetInvocation,
  [Invocations, ReadModels],
  async ({ gateId, sessionId }, invocations, reads) => {
    const session = await reads.askOf(['session', sessionId], SESSION_ROWS, async (db) => ({
      status: (await sessionWithWaits(db, sessionId, 'none'))?.status,
    }));
    return invocations.get(gateId, sessionId, session.status === 'needs_human');
  },
);
