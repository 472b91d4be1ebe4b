import { Query } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import { isRejection, type Rejection } from '#lib/kernel';
import { unknownMachine } from '#lib/decisions/machines';
import {
  answeredBy,
  input,
  is,
  items,
  Operation,
  page,
  pageMembers,
  readMembers,
  ReadModels,
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
export class GetCollapseMetrics extends input(Query<CollapseMetrics>, {
  machineName: is.nameOf(unknownMachine).about(MACHINE),
  ...readMembers,
}) {}

export const GetCollapseMetricsHandler = readsRows(
  GetCollapseMetrics,
  ['machines', 'sessions', 'alignment', 'specialists'],
  ofKnownMachine((db, { machineName }: GetCollapseMetrics): Promise<CollapseMetrics> =>
    collapseMetrics(db, machineName),
  ),
);

@Operation({
  summary: 'The decisions, newest first: how each was reached, its decider, and all proposals',
  http: 'GET /v1/machines/:machineName/decisions',
  cli: 'decisions <machineName> --limit <limit=50>',
  access: 'viewer',
  answers: { 200: page(Decision) },
})
export class GetDecisionLog extends input(Query<Page<Decision>>, {
  machineName: is.nameOf(unknownMachine).about(MACHINE),
  sessionId: is.text.optional.about('Only in this session'),
  how: is.oneOf(HOW).optional.about('The kind of decider: an arbiter, a person, an operator'),
  from: is.time.optional.about('Decided at or after this time'),
  to: is.time.optional.about('Decided before this time'),
  ...pageMembers,
}) {}

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
export class GetAlignment extends input(Query<MachineAlignment>, {
  machineName: is.nameOf(unknownMachine).about(MACHINE),
  rule: is.text.optional.about(
    '`wilson` or `ratio`, with `;halfLife=<comparisons>` so that older comparisons count less',
    {
      example: 'wilson;halfLife=20',
      default: scoringRuleText(DECIDING_RULE),
    },
  ),
  ...readMembers,
}) {}

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
export class ListExemplars extends input(Query<Page<Exemplar>>, {
  machineName: is.nameOf(unknownMachine).about(MACHINE),
  state: is.text.optional.about('Only those decided in this state'),
  ...pageMembers,
}) {}

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
    'The sessions that wait for a decision of a person, and the runs that wait for an approval or an answer, oldest first',
  http: 'GET /v1/inbox',
  cli: 'inbox',
  access: 'viewer',
  answers: { 200: page(InboxItem, AwaitedItem) },
})
export class GetInbox extends input(Query<Page<InboxItem | AwaitedItem>>, {
  machineName: is.text.optional.about('Only of this machine'),
  sessionId: is.text.optional.about('Only this session'),
  ...pageMembers,
}) {}

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
export class ListModelCapabilities extends input(
  Query<{ readonly items: readonly ModelCapability[] }>,
  readMembers,
) {}

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
export class GetModelStatistics extends input(Query<{ readonly items: readonly ModelSummary[] }>, {
  by: is
    .oneOf(BY)
    .optional.about('A line for each model, or for each model and UTC day', { default: 'model' }),
  machineName: is.text.optional.about('Only in sessions of this machine'),
  sessionId: is.text.optional.about('Only in this session, or evaluation'),
  roundId: is.text.optional.about('Only in this round of the session'),
  from: is.time.optional.about('Requested at or after this time'),
  to: is.time.optional.about('Requested before this time'),
  priceVersion: is.text.optional.about(
    'Prices every call by this version; default: the one in force at the call',
  ),
  ...readMembers,
}) {}

/** Calls of forks count in statistics of their own sessions only. */
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
 * Reads about a machine that was defined, or that a session ran (one that came with a session is not defined). Any other is
 * refused as `unknown-machine`.
 */
function ofKnownMachine<Asked extends { readonly machineName: string }, Found, Name extends string>(
  read: (db: Rows<Name | 'machines' | 'sessions'>, asked: Asked) => Promise<Found | Rejection>,
): (db: Rows<Name | 'machines' | 'sessions'>, asked: Asked) => Promise<Found | Rejection> {
  return async (db, asked) =>
    (await isKnownMachine(db, asked.machineName)) ? read(db, asked) : unknownMachine(asked.machineName);
}
