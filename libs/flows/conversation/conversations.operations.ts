import { Query } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import {
  answeredBy,
  currentContext,
  eventsMembers,
  input,
  is,
  labelledPageMembers,
  markCreated,
  Operation,
  page,
  pastMembers,
  readMembers,
  readsRows,
  RecordedEventView,
  Subjects,
} from '#lib/operations';
import type { Page } from '#lib/read-models';
import type { Summarized } from '#lib/summaries';
import { ConversationEvents, type ConversationLogEvent } from './conversation-events.js';
import { unknownConversation } from './conversation.rejections.js';
import { Conversations } from './conversations.js';
import { listConversations } from './conversations.read-model.js';
import {
  CONVERSATION_STATUSES,
  ConversationReplayReport,
  ConversationSummary,
  ConversationView,
} from './conversations.views.js';
import { verifyConversation } from './verify-conversation.js';
import { StartConversation } from './start-conversation.js';

export { StartConversation };

export const StartConversationHandler = answeredBy(
  StartConversation,
  [Conversations, Subjects],
  async (command, conversations, subjects) => {
    const context = currentContext();
    await subjects.begin(command.subject, context);
    const { view, isNew } = await conversations.start(Object.assign({}, command), context);
    markCreated(isNew);
    return view;
  },
);

@Operation({
  summary: 'Conversations, newest first',
  http: 'GET /v1/conversations',
  cli: 'conversations list',
  access: 'viewer',
  answers: { 200: page(ConversationSummary) },
})
export class ListConversations extends input(Query<Page<ConversationSummary>>, {
  agentName: is.name.optional.about('Only with this agent'),
  status: is.oneOf(CONVERSATION_STATUSES).optional.about('How the last turn ended'),
  forkedFrom: is.id.optional.about('Only forks of this conversation'),
  ...labelledPageMembers,
}) {}

export const ListConversationsHandler = readsRows(
  ListConversations,
  ['conversations', 'labels'],
  (db, query) => listConversations(db, query, query),
);

@Operation({
  summary: 'A conversation: its data, current flow and step, and history',
  http: 'GET /v1/conversations/:conversationId',
  cli: 'conversations show <conversationId>',
  access: 'viewer',
  answers: { 200: ConversationView },
})
export class GetConversation extends input(Query<ConversationView>, {
  conversationId: is.idOf(unknownConversation),
  ...pastMembers,
}) {}

export const GetConversationHandler = answeredBy(
  GetConversation,
  [Conversations],
  async ({ conversationId, at }, conversations) =>
    (await conversations.at(conversationId, at)).view(conversationId),
);

@Operation({
  summary: 'The conversation after one of its events',
  http: 'GET /v1/conversations/:conversationId/at/:revision',
  cli: 'conversations at <conversationId> <revision>',
  access: 'viewer',
  answers: { 200: ConversationView },
})
export class GetConversationAt extends input(Query<ConversationView>, {
  conversationId: is.idOf(unknownConversation),
  revision: is.whole().about('The revision of the event; the first has 0'),
  ...readMembers,
}) {}

export const GetConversationAtHandler = answeredBy(
  GetConversationAt,
  [Conversations],
  ({ conversationId, revision }, conversations) => conversations.view(conversationId, revision),
);

@Operation({
  summary: 'The events of a conversation and of its turns, in log order',
  http: 'GET /v1/conversations/:conversationId/events',
  cli: 'conversations events <conversationId>',
  access: 'viewer',
  answers: { 200: page(RecordedEventView) },
})
export class ListConversationEvents extends input(Query<Page<Summarized<ConversationLogEvent>>>, {
  conversationId: is.idOf(unknownConversation),
  ...eventsMembers,
}) {}

export const ListConversationEventsHandler = answeredBy(
  ListConversationEvents,
  [ConversationEvents],
  async ({ conversationId, at, ...request }, events) =>
    (await events.at(conversationId, at)).page(conversationId, request),
);

@Operation({
  summary: 'Derive a conversation and its turns again from their events, and compare; nothing is written',
  http: 'POST /v1/conversations/:conversationId/replay',
  cli: 'conversations replay <conversationId>',
  access: 'viewer',
  answers: { 200: ConversationReplayReport },
})
export class ReplayConversation extends input(Query<ConversationReplayReport>, {
  conversationId: is.idOf(unknownConversation),
}) {}

export const ReplayConversationHandler = answeredBy(
  ReplayConversation,
  [EventLog],
  async ({ conversationId }, log) =>
    (await verifyConversation(log, conversationId)) ?? unknownConversation(conversationId),
);
