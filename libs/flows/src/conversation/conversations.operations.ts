import {
  Command,
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  Query,
  QueryHandler,
} from '@nestjs/cqrs';
import { IsIn, IsObject } from 'class-validator';
import { EventLog } from '#lib/event-store';
import type { JsonObject, RecordedEvent } from '#lib/kernel';
import {
  currentContext,
  Describe,
  IsId,
  IsName,
  IsWhole,
  markCreated,
  Operation,
  Optional,
  page,
  PageQuery,
  pageOrThrow,
  ReadModels,
  ReadQuery,
  RecordedEventView,
  refuse,
} from '#lib/operations';
import { type Page, pageOfList } from '#lib/projections';
import { unknownAgent } from '../agent/agents.decider.js';
import type { ConversationEvent } from './conversation.events.js';
import { unknownConversation } from './conversation.rejections.js';
import { Conversations } from './conversations.js';
import { listConversations } from './conversations.read-model.js';
import {
  CONVERSATION_STATUSES,
  ConversationReplayReport,
  type ConversationStatus,
  ConversationSummary,
  ConversationView,
} from './conversations.views.js';
import { verifyConversation } from './verify-conversation.js';

@Operation({
  summary: 'Start a conversation with an agent',
  http: 'POST /v1/conversations',
  cli: 'conversation start <agentName>',
  mcp: true,
  access: 'operator',
  answers: { 201: ConversationView },
})
export class StartConversation extends Command<ConversationView> {
  @IsName(unknownAgent)
  agentName!: string;

  @Describe('Default: the current version')
  @Optional()
  @IsWhole(1)
  agentVersion?: number;

  @Describe('Over the initial data of the agent')
  @Optional()
  @IsObject()
  initialData?: JsonObject;

  @Describe('Values that templates and predicates see besides the data')
  @Optional()
  @IsObject()
  context?: JsonObject;
}

@CommandHandler(StartConversation)
export class StartConversationHandler implements ICommandHandler<StartConversation> {
  constructor(private readonly conversations: Conversations) {}

  execute(command: StartConversation): Promise<ConversationView> {
    markCreated();
    return this.conversations.start(Object.assign({}, command), currentContext());
  }
}

@Operation({
  summary: 'Conversations, newest first',
  http: 'GET /v1/conversations',
  cli: 'conversation list',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(ConversationSummary) },
})
export class ListConversations extends PageQuery<Page<ConversationSummary>> {
  @Describe('With this agent alone')
  @Optional()
  @IsName()
  agentName?: string;

  @Describe('How the last turn ended')
  @Optional()
  @IsIn(CONVERSATION_STATUSES)
  status?: ConversationStatus;
}

@QueryHandler(ListConversations)
export class ListConversationsHandler implements IQueryHandler<ListConversations> {
  constructor(private readonly reads: ReadModels) {}

  execute(query: ListConversations): Promise<Page<ConversationSummary>> {
    return this.reads.ask(['conversations'], (db) => listConversations(db, query, query));
  }
}

@Operation({
  summary: 'A conversation: its data, current flow and step, and history',
  http: 'GET /v1/conversations/:conversationId',
  cli: 'conversation show <conversationId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: ConversationView },
})
export class GetConversation extends ReadQuery<ConversationView> {
  @IsId(unknownConversation)
  conversationId!: string;
}

@QueryHandler(GetConversation)
export class GetConversationHandler implements IQueryHandler<GetConversation> {
  constructor(private readonly conversations: Conversations) {}

  execute({ conversationId }: GetConversation): Promise<ConversationView> {
    return this.conversations.view(conversationId);
  }
}

@Operation({
  summary: 'A conversation as it was after one of its events',
  http: 'GET /v1/conversations/:conversationId/at/:revision',
  cli: 'conversation at <conversationId> <revision>',
  mcp: true,
  access: 'viewer',
  answers: { 200: ConversationView },
})
export class GetConversationAt extends ReadQuery<ConversationView> {
  @IsId(unknownConversation)
  conversationId!: string;

  @Describe('Of the event; the first has 0')
  @IsWhole()
  revision!: number;
}

@QueryHandler(GetConversationAt)
export class GetConversationAtHandler implements IQueryHandler<GetConversationAt> {
  constructor(private readonly conversations: Conversations) {}

  execute({ conversationId, revision }: GetConversationAt): Promise<ConversationView> {
    return this.conversations.view(conversationId, revision);
  }
}

@Operation({
  summary: 'The events of a conversation, in order, as they are stored',
  http: 'GET /v1/conversations/:conversationId/events',
  cli: 'conversation events <conversationId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(RecordedEventView) },
})
export class ListConversationEvents extends PageQuery<Page<RecordedEvent<ConversationEvent>>> {
  @IsId(unknownConversation)
  conversationId!: string;
}

@QueryHandler(ListConversationEvents)
export class ListConversationEventsHandler implements IQueryHandler<ListConversationEvents> {
  constructor(private readonly conversations: Conversations) {}

  async execute({
    conversationId,
    ...request
  }: ListConversationEvents): Promise<Page<RecordedEvent<ConversationEvent>>> {
    const events = await this.conversations.events(conversationId);
    return pageOrThrow(await pageOfList(request, `events of conversation ${conversationId}`, events));
  }
}

@Operation({
  summary: 'Derive a conversation and its turns again from their record, and compare; nothing is written',
  http: 'POST /v1/conversations/:conversationId/replay',
  cli: 'conversation replay <conversationId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: ConversationReplayReport },
})
export class ReplayConversation extends Query<ConversationReplayReport> {
  @IsId(unknownConversation)
  conversationId!: string;
}

@QueryHandler(ReplayConversation)
export class ReplayConversationHandler implements IQueryHandler<ReplayConversation> {
  constructor(private readonly log: EventLog) {}

  async execute({ conversationId }: ReplayConversation): Promise<ConversationReplayReport> {
    const report = await verifyConversation(this.log, conversationId);
    return report ?? refuse(unknownConversation(conversationId));
  }
}
