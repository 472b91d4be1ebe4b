import { Command, Query } from '@nestjs/cqrs';
import { IsString, Length } from 'class-validator';
import {
  answeredBy,
  currentContext,
  input,
  is,
  markCreated,
  markFleeting,
  Operation,
  page,
  standIn,
} from '#lib/operations';
import { type Page, pageOfList } from '#lib/read-models';
import { PeopleGate, signalOf } from '#lib/runs/runs';
import type { Directive } from '../agent/directive-definition.js';
import { directiveMembers } from '../agent/agent-schema.js';
import { unknownConversation } from './conversation.rejections.js';
import { Conversations } from './conversations.js';
import { conversationPageMembers, ConversationView, TurnView } from './conversations.views.js';

@Operation({
  summary: 'Send a message to an agent, and get its answer',
  http: 'POST /v1/conversations/:conversationId/messages',
  cli: 'conversations say <conversationId> <text>',
  access: 'operator',
  answers: { 200: TurnView, 202: TurnView },
  problems: [502, 503],
})
export class SendMessage extends input(Command<TurnView>, {
  conversationId: is.idOf(unknownConversation),
  text: is.form<string>(IsString(), Length(1, 65_536)).about("The user's message"),
  context: is.object().optional.about('Overrides the context of the conversation in this turn'),
}) {}

export const SendMessageHandler = answeredBy(SendMessage, [Conversations], async (command, conversations) =>
  accepted(await conversations.send(Object.assign({}, command), currentContext())),
);

/** An open turn is not the recorded answer: no event holds its present await. */
function accepted(turn: TurnView): TurnView {
  const isWaiting = turn.status === 'waiting';
  markCreated(isWaiting);
  markFleeting(isWaiting);
  return turn;
}

@Operation({
  summary: 'Send a signal to a waiting turn, such as an approval',
  http: 'POST /v1/conversations/:conversationId/signals/:name',
  cli: 'conversations signal <conversationId> <name>',
  access: 'reviewer',
  answers: { 200: TurnView, 202: TurnView },
  problems: [410, 502, 503],
  destructive: true,
  answer: 'payload',
})
export class SignalTurn extends input(Command<TurnView>, {
  conversationId: is.idOf(unknownConversation),
  name: is.form<string>(IsString(), Length(1, 128)).about('The name of the signal'),
  awaitId: is.text.optional.about('Names one await if several wait for the same signal'),
  payload: is.json().about('A value by the schema of the await'),
  actAs: standIn,
}) {}

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
  summary: 'Cancel the open turn: its calls are aborted, and the conversation is unchanged',
  http: 'POST /v1/conversations/:conversationId/cancel',
  cli: 'conversations cancel <conversationId>',
  access: 'operator',
  answers: { 200: TurnView },
  destructive: true,
})
export class CancelTurn extends input(Command<TurnView>, {
  conversationId: is.idOf(unknownConversation),
  reason: is.form<string>(IsString(), Length(1, 1_024)).optional.about('Recorded with the cancellation'),
}) {}

export const CancelTurnHandler = answeredBy(CancelTurn, [Conversations], (command, conversations) =>
  conversations.cancel(Object.assign({}, command), currentContext()),
);

function ofDirective<Name extends keyof typeof directiveMembers>(name: Name) {
  return is.fitting<Required<Directive>[Name]>(directiveMembers[name]).optional;
}

@Operation({
  summary: 'Set the directive that the next turn applies first',
  http: 'POST /v1/conversations/:conversationId/directives',
  cli: 'conversations direct <conversationId>',
  access: 'operator',
  answers: { 200: ConversationView },
})
export class DispatchDirective extends input(Command<ConversationView>, {
  conversationId: is.idOf(unknownConversation),
  goTo: ofDirective('goTo').about('A flow, by id or title'),
  goToStep: ofDirective('goToStep').about('A step of the current flow, or of the flow that it names'),
  complete: ofDirective('complete').about('The current flow is complete'),
  abort: ofDirective('abort').about('The reason why the conversation ends'),
  reset: ofDirective('reset').about('The current flow begins again'),
  reply: is.text.optional.about("The message in place of the model's"),
  dataUpdate: is.object().optional.about('Merged into the data'),
  contextUpdate: is.object().optional.about('Merged into the context'),
  appendPrompt: ofDirective('appendPrompt').about('No effect here: only for the model of a running turn'),
  injectTools: ofDirective('injectTools').about('No effect here: only for the model of a running turn'),
  halt: is.flag.optional.about('No effect here: only for the model of a running turn'),
  reason: is.text.optional.about('The reason, for readers only'),
}) {}

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
export class ListTurns extends input(Query<Page<TurnView>>, conversationPageMembers) {}

export const ListTurnsHandler = answeredBy(
  ListTurns,
  [Conversations],
  async ({ conversationId, at, ...request }, now) => {
    const conversations = await now.at(conversationId, at);
    const turns = await conversations.turns(conversationId, currentContext());
    return pageOfList(request, `turns of conversation ${conversationId}`, turns);
  },
);
