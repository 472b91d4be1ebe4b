import {
  Command,
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  Query,
  QueryHandler,
} from '@nestjs/cqrs';
import { IsBoolean, IsIn, IsObject, IsString, Length } from 'class-validator';
import { EventLog } from '#lib/event-store';
import type { JsonObject, RecordedEvent } from '#lib/kernel';
import {
  currentContext,
  Describe,
  Fits,
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
import { type Page, pageOf } from '#lib/projections';
import type { Directive } from '../agent/agent-definition.js';
import { directiveMembers } from '../agent/agent-schema.js';
import { unknownAgent } from '../agent/agents.decider.js';
import { unknownConversation } from './conversation.decider.js';
import { turnViews } from './conversation-view.rules.js';
import { Conversations } from './conversations.js';
import { listConversations } from './conversations.read-model.js';
import {
  CONVERSATION_STATUSES,
  ConversationReplayReport,
  type ConversationStatus,
  ConversationSummary,
  ConversationView,
  TurnView,
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

  @Describe('What templates and predicates see besides the data')
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
  summary: 'A conversation: its data, where it stands, what was said',
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
export class ListConversationEvents extends PageQuery<Page<RecordedEvent>> {
  @IsId(unknownConversation)
  conversationId!: string;
}

@QueryHandler(ListConversationEvents)
export class ListConversationEventsHandler implements IQueryHandler<ListConversationEvents> {
  constructor(private readonly conversations: Conversations) {}

  async execute({ conversationId, ...request }: ListConversationEvents): Promise<Page<RecordedEvent>> {
    const events = await this.conversations.events(conversationId);
    return pageOrThrow(
      await pageOf(request, {
        list: `events of conversation ${conversationId}`,
        read: (after, limit) => {
          const from = after === undefined ? 0 : Number(after) + 1;
          return Promise.resolve(events.slice(from, from + limit));
        },
        keyOf: ({ revision }) => String(revision),
        toItems: (items) => items,
      }),
    );
  }
}

@Operation({
  summary: 'Say something to an agent, and get its answer',
  http: 'POST /v1/conversations/:conversationId/messages',
  cli: 'conversation say <conversationId> <text>',
  mcp: true,
  access: 'operator',
  answers: { 200: TurnView },
  problems: [502, 503],
})
export class SendMessage extends Command<TurnView> {
  @IsId(unknownConversation)
  conversationId!: string;

  @Describe('What the user says')
  @IsString()
  @Length(1, 65_536)
  text!: string;

  @Describe('In this turn, over the context of the conversation')
  @Optional()
  @IsObject()
  context?: JsonObject;
}

@CommandHandler(SendMessage)
export class SendMessageHandler implements ICommandHandler<SendMessage> {
  constructor(private readonly conversations: Conversations) {}

  execute(command: SendMessage): Promise<TurnView> {
    return this.conversations.send(Object.assign({}, command), currentContext());
  }
}

@Operation({
  summary: 'Give a directive that is applied first in the next turn',
  http: 'POST /v1/conversations/:conversationId/directives',
  cli: 'conversation direct <conversationId>',
  mcp: true,
  access: 'operator',
  answers: { 200: ConversationView },
})
export class DispatchDirective extends Command<ConversationView> implements Directive {
  @IsId(unknownConversation)
  conversationId!: string;

  @Describe('A flow, by id or title')
  @Optional()
  @Fits(directiveMembers.goTo)
  goTo?: Directive['goTo'];

  @Describe('A step of the current flow, or of the flow that it names')
  @Optional()
  @Fits(directiveMembers.goToStep)
  goToStep?: Directive['goToStep'];

  @Describe('The current flow is complete')
  @Optional()
  @Fits(directiveMembers.complete)
  complete?: Directive['complete'];

  @Describe('Why the conversation ends')
  @Optional()
  @Fits(directiveMembers.abort)
  abort?: Directive['abort'];

  @Describe('The current flow begins again')
  @Optional()
  @Fits(directiveMembers.reset)
  reset?: Directive['reset'];

  @Describe('Said in place of what the model would say')
  @Optional()
  @IsString()
  reply?: string;

  @Optional()
  @IsObject()
  dataUpdate?: JsonObject;

  @Optional()
  @IsObject()
  contextUpdate?: JsonObject;

  @Describe('No effect here: it is for the model of a turn that runs')
  @Optional()
  @Fits(directiveMembers.appendPrompt)
  appendPrompt?: readonly string[];

  @Describe('No effect here: it is for the model of a turn that runs')
  @Optional()
  @Fits(directiveMembers.injectTools)
  injectTools?: readonly string[];

  @Describe('No effect here: it is for the model of a turn that runs')
  @Optional()
  @IsBoolean()
  halt?: boolean;
}

@CommandHandler(DispatchDirective)
export class DispatchDirectiveHandler implements ICommandHandler<DispatchDirective> {
  constructor(private readonly conversations: Conversations) {}

  execute({ conversationId, ...directive }: DispatchDirective): Promise<ConversationView> {
    return this.conversations.dispatch(conversationId, directive, currentContext());
  }
}

@Operation({
  summary: 'The turns of a conversation, oldest first',
  http: 'GET /v1/conversations/:conversationId/turns',
  cli: 'conversation turns <conversationId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(TurnView) },
})
export class ListTurns extends PageQuery<Page<TurnView>> {
  @IsId(unknownConversation)
  conversationId!: string;
}

@QueryHandler(ListTurns)
export class ListTurnsHandler implements IQueryHandler<ListTurns> {
  constructor(private readonly conversations: Conversations) {}

  async execute({ conversationId, ...request }: ListTurns): Promise<Page<TurnView>> {
    const turns = turnViews(await this.conversations.events(conversationId));
    return pageOrThrow(
      await pageOf(request, {
        list: `turns of conversation ${conversationId}`,
        read: (after, limit) => {
          const from = after === undefined ? 0 : turns.findIndex(({ turnId }) => turnId === after) + 1;
          return Promise.resolve(turns.slice(from, from + limit));
        },
        keyOf: ({ turnId }) => turnId,
        toItems: (items) => items,
      }),
    );
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
    const totals = await verifyConversation(this.log, conversationId);
    if (!totals) return refuse(unknownConversation(conversationId));
    const divergences = totals.divergences as ConversationReplayReport['divergences'];
    return { conversationId, ...totals, divergences };
  }
}
