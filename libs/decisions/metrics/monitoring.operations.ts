import { IsIn, IsString } from 'class-validator';
import { EventLog } from '#lib/event-store';
import { isRejection, type Rejection } from '#lib/kernel';
import { unknownMachine } from '#lib/decisions/machines';
import {
  answeredBy,
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
} from '#lib/operations';
import {
  alignmentUnder,
  collapseMetrics,
  isKnownMachine,
  listDecisions,
  listExemplars,
  listModelCapabilities,
  type Page,
  type Rows,
  summarizeLlmCalls,
  unknownPriceVersion,
} from '#lib/read-models';
import { DECIDING_RULE, parseScoringRule, scoringRuleText } from '#lib/decisions/specialists';
import { WorkflowRegistry } from '#lib/workflow';
import { INBOX_ROWS, listInboxWithPeople } from './inbox-with-people.js';
import { withContexts } from './exemplar-contexts.js';
import { AwaitedItem, Decision, Exemplar, HOW, InboxItem } from './decisions.views.js';
import { CollapseMetrics, MachineAlignment, ModelCapability, ModelSummary } from './monitoring.views.js';
import { Prices } from '#lib/runs/calls';

const MACHINE = 'its name; of a gate, the name of the gate';

@Operation({
  summary: "A machine's progress towards deciding without people, with signals to watch",
  http: 'GET /v1/machines/:machineName/metrics',
  cli: 'metrics <machineName>',
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
  ['machines', 'sessions', 'alignment', 'specialists'],
  ofKnownMachine((db, { machineName }: GetCollapseMetrics): Promise<CollapseMetrics> =>
    collapseMetrics(db, machineName),
  ),
);

@Operation({
  summary: 'The decisions, newest first: how each was reached, its maker, and all proposals',
  http: 'GET /v1/machines/:machineName/decisions',
  cli: 'decisions <machineName> --limit <limit=50>',
  access: 'viewer',
  answers: { 200: page(Decision) },
})
export class GetDecisionLog extends PageQuery<Page<Decision>> {
  @Describe(MACHINE)
  @IsName(unknownMachine)
  machineName!: string;

  @Describe('Only in this session')
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
  ['machines', 'sessions'],
  ofKnownMachine((db, query: GetDecisionLog) => listDecisions(db, query, query)),
);

@Operation({
  summary: "The agreement of a machine's proposers with people; sessions use the default rule",
  http: 'GET /v1/machines/:machineName/alignment',
  cli: 'alignment <machineName>',
  access: 'viewer',
  answers: { 200: MachineAlignment },
})
export class GetAlignment extends ReadQuery<MachineAlignment> {
  @Describe(MACHINE)
  @IsName(unknownMachine)
  machineName!: string;

  @Describe('`wilson` or `ratio`, with `;halfLife=<comparisons>` so that older comparisons count less', {
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
  access: 'viewer',
  answers: { 200: page(Exemplar) },
})
export class ListExemplars extends PageQuery<Page<Exemplar>> {
  @Describe(MACHINE)
  @IsName(unknownMachine)
  machineName!: string;

  @Describe('Only those decided in this state')
  @Optional()
  @IsString()
  state?: string;
}

export const ListExemplarsHandler = answeredBy(
  ListExemplars,
  [ReadModels, EventLog],
  async (query, reads, log) => {
    const read = ofKnownMachine((db: Rows<'exemplars'>) => listExemplars(db, query, query));
    const exemplars = await reads.ask(['machines', 'sessions', 'exemplars'], (db) => read(db, query));
    return withContexts(log, exemplars);
  },
);

@Operation({
  summary:
    'Everything that waits for a person, oldest first: sessions for a decision, runs for an approval or an answer',
  http: 'GET /v1/inbox',
  cli: 'inbox',
  access: 'viewer',
  answers: { 200: page(InboxItem, AwaitedItem) },
})
export class GetInbox extends PageQuery<Page<InboxItem | AwaitedItem>> {
  @Describe('Only of this machine')
  @Optional()
  @IsString()
  machineName?: string;

  @Describe('Only this session')
  @Optional()
  @IsString()
  sessionId?: string;
}

export const GetInboxHandler = answeredBy(
  GetInbox,
  [ReadModels, WorkflowRegistry],
  (query, reads, workflows) => {
    const internal = workflows.all.flatMap(({ name, internal: isInternal }) => (isInternal ? [name] : []));
    return reads.ask(INBOX_ROWS, (db) => listInboxWithPeople(db, query, query, internal));
  },
);

@Operation({
  summary: 'Members of requests that the provider of a model refused',
  http: 'GET /v1/models/capabilities',
  cli: 'capabilities',
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
  access: 'viewer',
  answers: { 200: items(ModelSummary) },
})
export class GetModelStatistics extends ReadQuery<{ readonly items: readonly ModelSummary[] }> {
  @Describe('A line for each model, or for each model and UTC day', { default: 'model' })
  @Optional()
  @IsIn(BY)
  by?: (typeof BY)[number];

  @Describe('Only in sessions of this machine')
  @Optional()
  @IsString()
  machineName?: string;

  @Describe('Only in this session, or evaluation')
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

/** Calls of forks count nowhere but in their own sessions. */
function countedIn({ sessionId }: GetModelStatistics) {
  return sessionId === undefined ? { origins: ['live', 'evaluation'] as const } : {};
}

export const GetModelStatisticsHandler = answeredBy(
  GetModelStatistics,
  [ReadModels, Prices],
  async (question, reads, { table: prices }) => {
    const unknown = unknownPriceVersion(prices, question.priceVersion);
    if (unknown) return unknown;
    const found = await reads.ask(['llm_calls'], (db) =>
      summarizeLlmCalls(db, Object.assign({ prices }, countedIn(question), question)),
    );
    return { items: found };
  },
);

/**
 * Reads about a machine that was defined, or that a session ran: one that comes along with a session is not defined.
 * Any other is refused as `unknown-machine`.
 */
function ofKnownMachine<Asked extends { readonly machineName: string }, Found, Name extends string>(
  read: (db: Rows<Name | 'machines' | 'sessions'>, asked: Asked) => Promise<Found | Rejection>,
): (db: Rows<Name | 'machines' | 'sessions'>, asked: Asked) => Promise<Found | Rejection> {
  return async (db, asked) =>
    (await isKnownMachine(db, asked.machineName)) ? read(db, asked) : unknownMachine(asked.machineName);
}
