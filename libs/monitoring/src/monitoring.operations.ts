import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { IsIn, IsString } from 'class-validator';
import { EventLog } from '#lib/event-store';
import { isRejection, type Rejection } from '#lib/kernel';
import { unknownMachine } from '#lib/machine';
import {
  Describe,
  IsName,
  IsTime,
  items,
  Operation,
  Optional,
  page,
  PageQuery,
  ReadModels,
  ReadQuery,
  readsRows,
  refuse,
} from '#lib/operations';
import {
  alignmentUnder,
  collapseMetrics,
  listDecisions,
  listExemplars,
  listModelCapabilities,
  type Page,
  type Rows,
  summarizeLlmCalls,
  unknownPriceVersion,
} from '#lib/projections';
import { DECIDING_RULE, parseScoringRule, scoringRuleText } from '#lib/specialist';
import { WorkflowRegistry } from '#lib/workflow';
import { INBOX_ROWS, listInboxWithPeople } from './inbox-with-people.js';
import { ofKnownMachine } from './known-machine.js';
import { withContexts } from './exemplar-contexts.js';
import { AwaitedItem, Decision, Exemplar, HOW, InboxItem } from './decisions.views.js';
import { CollapseMetrics, MachineAlignment, ModelCapability, ModelSummary } from './monitoring.views.js';
import { Prices } from './prices.js';

const MACHINE = 'its name; of a gate, the name of the gate';

@Operation({
  summary: "A machine's progress towards deciding without people, with signals to watch",
  http: 'GET /v1/machines/:machineName/metrics',
  cli: 'metrics <machineName>',
  mcp: true,
  access: 'viewer',
  answers: { 200: CollapseMetrics },
})
export class GetCollapseMetrics extends ReadQuery<CollapseMetrics> {
  @Describe(MACHINE)
  @IsName(unknownMachine)
  machineName!: string;
}

export const GetCollapseMetricsHandler = readsRows(
  GetCollapseMetrics,
  ['machines', 'sessions', 'decisions', 'alignment', 'specialists'],
  ofKnownMachine((db, { machineName }: GetCollapseMetrics): Promise<CollapseMetrics> =>
    collapseMetrics(db, machineName),
  ),
);

@Operation({
  summary: 'The decisions, newest first: how each was reached, its maker, and all proposals',
  http: 'GET /v1/machines/:machineName/decisions',
  cli: 'decisions <machineName> --limit <limit=50>',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(Decision) },
})
export class GetDecisionLog extends PageQuery<Page<Decision>> {
  @Describe(MACHINE)
  @IsName(unknownMachine)
  machineName!: string;

  @Describe('In this session alone')
  @Optional()
  @IsString()
  sessionId?: string;

  @Describe('The maker of the decision: an arbiter, a person, an operator')
  @Optional()
  @IsIn(HOW)
  how?: (typeof HOW)[number];

  @Describe('Decided at or after this time')
  @Optional()
  @IsTime()
  from?: string;

  @Describe('Decided before this time')
  @Optional()
  @IsTime()
  to?: string;
}

export const GetDecisionLogHandler = readsRows(
  GetDecisionLog,
  ['machines', 'sessions', 'decisions'],
  ofKnownMachine((db, query: GetDecisionLog) => listDecisions(db, query, query)),
);

@Operation({
  summary: "The agreement of a machine's proposers with people; sessions use the default rule",
  http: 'GET /v1/machines/:machineName/alignment',
  cli: 'alignment <machineName>',
  mcp: true,
  access: 'viewer',
  answers: { 200: MachineAlignment },
})
export class GetAlignment extends ReadQuery<MachineAlignment> {
  @Describe(MACHINE)
  @IsName(unknownMachine)
  machineName!: string;

  @Describe('`wilson` or `ratio`, with `;halfLife=<comparisons>` if the past is to fade', {
    example: 'wilson;halfLife=20',
    default: scoringRuleText(DECIDING_RULE),
  })
  @Optional()
  @IsString()
  rule?: string;
}

export const GetAlignmentHandler = readsRows(
  GetAlignment,
  ['machines', 'sessions', 'alignment'],
  async (db, query): Promise<MachineAlignment | Rejection> => {
    const rule = query.rule === undefined ? DECIDING_RULE : parseScoringRule(query.rule);
    if (isRejection(rule)) return rule;
    return ofKnownMachine((rows: typeof db, { machineName }: GetAlignment) =>
      alignmentUnder(rows, { machineName, rule }),
    )(db, query);
  },
);

@Operation({
  summary: 'The decisions of people, newest first: examples to learn from',
  http: 'GET /v1/machines/:machineName/exemplars',
  cli: 'exemplars <machineName>',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(Exemplar) },
})
export class ListExemplars extends PageQuery<Page<Exemplar>> {
  @Describe(MACHINE)
  @IsName(unknownMachine)
  machineName!: string;

  @Describe('Decided in this state alone')
  @Optional()
  @IsString()
  state?: string;
}

@QueryHandler(ListExemplars)
export class ListExemplarsHandler implements IQueryHandler<ListExemplars> {
  constructor(
    private readonly reads: ReadModels,
    private readonly log: EventLog,
  ) {}

  async execute(query: ListExemplars): Promise<Page<Exemplar>> {
    const read = ofKnownMachine((db: Rows<'exemplars'>) => listExemplars(db, query, query));
    const exemplars = await this.reads.ask(['machines', 'sessions', 'exemplars'], (db) => read(db, query));
    return withContexts(this.log, exemplars);
  }
}

@Operation({
  summary:
    'What waits for a person, oldest first: sessions that wait for a decision, runs for an approval or an answer',
  http: 'GET /v1/inbox',
  cli: 'inbox',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(InboxItem, AwaitedItem) },
})
export class GetInbox extends PageQuery<Page<InboxItem | AwaitedItem>> {
  @Describe('Of this machine alone')
  @Optional()
  @IsString()
  machineName?: string;

  @Describe('This session alone')
  @Optional()
  @IsString()
  sessionId?: string;
}

@QueryHandler(GetInbox)
export class GetInboxHandler implements IQueryHandler<GetInbox> {
  constructor(
    private readonly reads: ReadModels,
    private readonly workflows: WorkflowRegistry,
  ) {}

  execute(query: GetInbox): Promise<Page<InboxItem | AwaitedItem>> {
    const internal = this.workflows.all.flatMap(({ name, internal: isInternal }) =>
      isInternal ? [name] : [],
    );
    return this.reads.ask(INBOX_ROWS, (db) => listInboxWithPeople(db, query, query, internal));
  }
}

@Operation({
  summary: 'Members of requests that the provider of a model refused',
  http: 'GET /v1/models/capabilities',
  cli: 'capabilities',
  mcp: true,
  access: 'viewer',
  answers: { 200: items(ModelCapability) },
})
export class ListModelCapabilities extends ReadQuery<{ readonly items: readonly ModelCapability[] }> {}

export const ListModelCapabilitiesHandler = readsRows(
  ListModelCapabilities,
  ['model_capabilities'],
  async (db) => ({ items: await listModelCapabilities(db) }),
);

const BY = ['model', 'day'] as const;

@Operation({
  summary:
    'Statistics of each model: calls, tool calls, fallbacks, bad arguments, failures, tokens, cost, latency',
  http: 'GET /v1/models',
  cli: 'models --prices <priceVersion> --session <sessionId> --round <roundId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: items(ModelSummary) },
})
export class GetModelStatistics extends ReadQuery<{ readonly items: readonly ModelSummary[] }> {
  @Describe('A line for each model, or for each model and UTC day', { default: 'model' })
  @Optional()
  @IsIn(BY)
  by?: (typeof BY)[number];

  @Describe('In sessions of this machine alone')
  @Optional()
  @IsString()
  machineName?: string;

  @Describe('In this session, or evaluation, alone')
  @Optional()
  @IsString()
  sessionId?: string;

  @Describe('For one decision of the session: in this round')
  @Optional()
  @IsString()
  roundId?: string;

  @Describe('Requested at or after this time')
  @Optional()
  @IsTime()
  from?: string;

  @Describe('Requested before this time')
  @Optional()
  @IsTime()
  to?: string;

  @Describe('Prices every call by this version; default: the one in force then')
  @Optional()
  @IsString()
  priceVersion?: string;
}

@QueryHandler(GetModelStatistics)
export class GetModelStatisticsHandler implements IQueryHandler<GetModelStatistics> {
  constructor(
    private readonly reads: ReadModels,
    private readonly prices: Prices,
  ) {}

  async execute(question: GetModelStatistics): Promise<{ readonly items: readonly ModelSummary[] }> {
    const { table: prices } = this.prices;
    const unknown = unknownPriceVersion(prices, question.priceVersion);
    if (unknown) return refuse(unknown);
    const found = await this.reads.ask(['llm_calls'], (db) =>
      summarizeLlmCalls(db, Object.assign({ prices }, question)),
    );
    return { items: found };
  }
}
