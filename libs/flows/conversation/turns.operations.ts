import { Command } from '@nestjs/cqrs';
import { IsBoolean, IsObject, IsString, Length } from 'class-validator';
import type { Json, JsonObject } from '#lib/kernel';
import {
  answeredBy,
  currentContext,
  Describe,
  Fits,
  IsId,
  IsJson,
  markCreated,
  markFleeting,
  Operation,
  Optional,
  page,
  PastPageQuery,
  StandIn,
} from '#lib/operations';
import { type Page, pageOfList } from '#lib/read-models';
import { PeopleGate, signalOf } from '#lib/runs/runs';
import type { Directive } from '../agent/directive-definition.js';
import { directiveMembers } from '../agent/agent-schema.js';
import { unknownConversation } from './conversation.rejections.js';
import { Conversations } from './conversations.js';
import { ConversationView, TurnView } from './conversations.views.js';

@Operation({
  summary: 'Send a message to an agent, and get its answer',
  http: 'POST /v1/conversations/:conversationId/messages',
  cli: 'conversations say <conversationId> <text>',
  access: 'operator',
  answers: { 200: TurnView, 202: TurnView },
  problems: [502, 503],
})
export class SendMessage extends Command<TurnView> {
  @IsId(unknownConversation) conversationId!: string;

  @Describe("The user's message")
  @IsString()
  @Length(1, 65_536)
  text!: string;

  @Describe('In this turn, over the context of the conversation')
  @Optional()
  @IsObject()
  context?: JsonObject;
}

export const SendMessageHandler = answeredBy(SendMessage, [Conversations], async (command, conversations) =>
  accepted(await conversations.send(Object.assign({}, command), currentContext())),
);

/** A turn that waits is not the whole answer, and no event holds what it waits for now. */
function accepted(turn: TurnView): TurnView {
  const isWaiting = turn.status === 'waiting';
  markCreated(isWaiting);
  markFleeting(isWaiting);
  return turn;
}

@Operation({
  summary: 'Send a signal that a turn waits for, such as an approval',
  http: 'POST /v1/conversations/:conversationId/signals/:name',
  cli: 'conversations signal <conversationId> <name>',
  access: 'reviewer',
  answers: { 200: TurnView, 202: TurnView },
  problems: [502, 503],
  destructive: true,
  answer: 'payload',
})
export class SignalTurn extends Command<TurnView> {
  @IsId(unknownConversation) conversationId!: string;

  @Describe('The name of the signal')
  @IsString()
  @Length(1, 128)
  name!: string;

  @Describe('Names one await if several wait for the same signal')
  @Optional()
  @IsString()
  awaitId?: string;

  @Describe('As the schema of the await wants it')
  @IsJson()
  payload!: Json;

  @StandIn() actAs?: string;
}

export const SignalTurnHandler = answeredBy(
  SignalTurn,
  [Conversations, PeopleGate],
  async ({ conversationId, name, ...given }, conversations, gate) => {
    const context = currentContext();
    const signal = signalOf(name, given, context);
    return accepted(await conversations.signal(conversationId, signal, context, gate));
  },
);

@Operation({
  summary: 'End the open turn: its calls are aborted, and the conversation is as it was before',
  http: 'POST /v1/conversations/:conversationId/cancel',
  cli: 'conversations cancel <conversationId>',
  access: 'operator',
  answers: { 200: TurnView },
  destructive: true,
})
export class CancelTurn extends Command<TurnView> {
  @IsId(unknownConversation) conversationId!: string;

  @Describe('Recorded with the cancellation')
  @Optional()
  @IsString()
  @Length(1, 1_024)
  reason?: string;
}

export const CancelTurnHandler = answeredBy(CancelTurn, [Conversations], (command, conversations) =>
  conversations.cancel(Object.assign({}, command), currentContext()),
);

@Operation({
  summary: 'Give a directive that is applied first in the next turn',
  http: 'POST /v1/conversations/:conversationId/directives',
  cli: 'conversations direct <conversationId>',
  access: 'operator',
  answers: { 200: ConversationView },
})
export class DispatchDirective extends Command<ConversationView> implements Directive {
  @IsId(unknownConversation) conversationId!: string;

  @Describe('A flow, by id or title')
  @Optional()
  @Fits(directiveMembers.goTo)
  goTo?: Required<Directive>['goTo'];

  @Describe('A step of the current flow, or of the flow that it names')
  @Optional()
  @Fits(directiveMembers.goToStep)
  goToStep?: Required<Directive>['goToStep'];

  @Describe('The current flow is complete')
  @Optional()
  @Fits(directiveMembers.complete)
  complete?: Required<Directive>['complete'];

  @Describe('Why the conversation ends')
  @Optional()
  @Fits(directiveMembers.abort)
  abort?: Required<Directive>['abort'];

  @Describe('The current flow begins again')
  @Optional()
  @Fits(directiveMembers.reset)
  reset?: Required<Directive>['reset'];

  @Describe("Said in place of the model's message")
  @Optional()
  @IsString()
  reply?: string;

  @Describe('Merged into the data')
  @Optional()
  @IsObject()
  dataUpdate?: JsonObject;

  @Describe('Merged into the context')
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

  @Describe('For readers: why')
  @Optional()
  @IsString()
  reason?: string;
}

export const DispatchDirectiveHandler = answeredBy(
  DispatchDirective,
  [Conversations],
  ({ conversationId, ...directive }, conversations) =>
    conversations.dispatch(conversationId, directive, currentContext()),
);

@Operation({
  summary: 'The turns of a conversation, oldest first',
  http: 'GET /v1/conversations/:conversationId/turns',
  cli: 'conversations turns <conversationId>',
  access: 'viewer',
  answers: { 200: page(TurnView) },
})
export class ListTurns extends PastPageQuery<Page<TurnView>> {
  @IsId(unknownConversation) conversationId!: string;
}

export const ListTurnsHandler = answeredBy(
  ListTurns,
  [Conversations],
  async ({ conversationId, at, ...request }, now) => {
    const conversations = await now.at(conversationId, at);
    const turns = await conversations.turns(conversationId, currentContext());
    return pageOfList(request, `turns of conversation ${conversationId}`, turns);
  },
);
