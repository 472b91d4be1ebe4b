import {
  Command,
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';
import { IsObject, IsString, MaxLength } from 'class-validator';
import type { GateInput } from './definition/gate-definition.js';
import { unknownGate } from './gate.rejections.js';
import type { JsonObject } from '#lib/kernel';
import { Prices } from '#lib/monitoring';
import {
  answered,
  currentContext,
  currentScope,
  Definition as IsDefinition,
  Describe,
  Fits,
  IsId,
  IsName,
  Operation,
  Optional,
  page,
  PageQuery,
  ReadModels,
  readsRows,
  ReadQuery,
  ReadSide,
  type Whole,
} from '#lib/operations';
import { getGate, listGates } from './gates.read-model.js';
import { gateStatus } from './gate-status.js';
import { type Page, summarizeLlmCalls } from '#lib/projections';
import { sessionRejections } from '#lib/session';
import { type EarlierDecision, HISTORY } from './invocation/earlier-decision.js';
import { GateCatalog } from './definition/gate-catalog.js';
import { CreatedGate, Gate, GateDefinition, GateResult, GateStatus } from './gates.views.js';
import { Invocations } from './invocation/invocations.js';
import { meanAmounts } from './mean-amounts.js';

const READ_FOR_STATUS = [
  'gates',
  'sessions',
  'exemplars',
  'decisions',
  'alignment',
  'specialists',
  'llm_calls',
] as const;

@Operation({
  summary: 'Create a gate, or its next version, and register the specialists it declares',
  http: 'POST /v1/gates',
  cli: 'gate create <gate>',
  mcp: true,
  access: 'operator',
  answers: { 200: CreatedGate, 201: CreatedGate },
})
export class CreateGate extends Command<CreatedGate> {
  @Describe('A gate definition')
  @IsDefinition(GateDefinition)
  gate!: Whole<GateInput>;
}

@CommandHandler(CreateGate)
export class CreateGateHandler implements ICommandHandler<CreateGate> {
  constructor(private readonly gates: GateCatalog) {}

  async execute({ gate }: CreateGate): Promise<CreatedGate> {
    return answered(await this.gates.create(gate, currentContext()));
  }
}

@Operation({
  summary: 'Gates, by id',
  http: 'GET /v1/gates',
  cli: 'gate list',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(Gate) },
})
export class ListGates extends PageQuery<Page<Gate>> {}

export const ListGatesHandler = readsRows(ListGates, ['gates'], (db, query) => listGates(db, query));

@Operation({
  summary: 'A gate in its current version',
  http: 'GET /v1/gates/:gateId',
  cli: 'gate show <gateId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: Gate },
})
export class GetGate extends ReadQuery<Gate> {
  @IsName(unknownGate)
  gateId!: string;
}

export const GetGateHandler = readsRows(
  GetGate,
  ['gates'],
  async (db, { gateId }) => (await getGate(db, gateId)) ?? unknownGate(gateId),
);

@Operation({
  summary: "A gate's progress towards deciding without people: collapse, champion, alignment, costs",
  http: 'GET /v1/gates/:gateId/status',
  cli: 'gate status <gateId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: GateStatus },
})
export class GetGateStatus extends ReadQuery<GateStatus> {
  @IsName(unknownGate)
  gateId!: string;
}

@QueryHandler(GetGateStatus)
export class GetGateStatusHandler implements IQueryHandler<GetGateStatus> {
  constructor(
    private readonly reads: ReadModels,
    private readonly prices: Prices,
  ) {}

  execute({ gateId }: GetGateStatus): Promise<GateStatus> {
    return this.reads.ask(READ_FOR_STATUS, async (db) => {
      if (!(await getGate(db, gateId))) return unknownGate(gateId);
      const status = await gateStatus(db, gateId);
      const calls = { machineName: gateId, evaluations: false } as const;
      const models = await summarizeLlmCalls(db, { ...calls, prices: this.prices.table });
      const costs = models.flatMap((model) => model.costs);
      return { gateId, ...status, meanCosts: meanAmounts(costs, status.invocationCount) };
    });
  }
}

@Operation({
  summary: 'Delete a gate: it is neither listed nor invoked any more; what it decided stays',
  http: 'DELETE /v1/gates/:gateId',
  cli: 'gate delete <gateId>',
  mcp: true,
  access: 'operator',
  answers: { 200: Gate },
  destructive: true,
})
export class DeleteGate extends Command<Gate> {
  @IsName(unknownGate)
  gateId!: string;
}

@CommandHandler(DeleteGate)
export class DeleteGateHandler implements ICommandHandler<DeleteGate> {
  constructor(private readonly gates: GateCatalog) {}

  async execute({ gateId }: DeleteGate): Promise<Gate> {
    return answered(await this.gates.delete(gateId, currentContext()));
  }
}

@Operation({
  summary: 'Invoke a gate: its proposers are asked at the same time, then its arbiter decides',
  http: 'POST /v1/gates/:gateId/invocations',
  cli: 'gate invoke <gateId>',
  mcp: 'propose',
  access: 'operator',
  answers: { 201: GateResult },
  problems: [503],
})
export class InvokeGate extends Command<GateResult> {
  @IsName(unknownGate)
  gateId!: string;

  @Describe('The subject of the decision: proposers see it')
  @Optional()
  @IsObject()
  metaJson?: JsonObject;

  @Describe("The question of this invocation: follows the gate's prompt after a blank line")
  @Optional()
  @IsString()
  @MaxLength(65_536)
  promptSuffix?: string;

  @Describe(
    'Earlier decisions, oldest first, such as the history of a session: proposers and arbiters see them',
  )
  @Optional()
  @Fits(HISTORY)
  history?: readonly EarlierDecision[];
}

@CommandHandler(InvokeGate)
export class InvokeGateHandler implements ICommandHandler<InvokeGate> {
  constructor(private readonly invocations: Invocations) {}

  async execute(command: InvokeGate): Promise<GateResult> {
    return answered(await this.invocations.invoke(command, currentContext()));
  }
}

@Operation({
  summary: 'The result of an invocation so far, also of a deleted gate',
  http: 'GET /v1/gates/:gateId/invocations/:sessionId',
  cli: 'gate result <gateId> <sessionId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: GateResult },
})
export class GetInvocation extends ReadQuery<GateResult> {
  @IsName(unknownGate)
  gateId!: string;

  @IsId(sessionRejections.unknownSession)
  sessionId!: string;
}

@QueryHandler(GetInvocation)
export class GetInvocationHandler implements IQueryHandler<GetInvocation> {
  constructor(
    private readonly invocations: Invocations,
    private readonly reads: ReadSide,
  ) {}

  async execute({ gateId, sessionId }: GetInvocation): Promise<GateResult> {
    await this.reads.checkPosition(currentScope().minPosition);
    return this.invocations.get(gateId, sessionId);
  }
}
