import { engineMemberRefusal } from '#lib/call-rules';
import { copiesOf, type EventLog, StreamHistory } from '#lib/event-store';
import { derivedId, type RecordedEvent, type Rejection } from '#lib/kernel';
import { authorOf, type CommandContext, type CommandWriter, refuse, refusingAt } from '#lib/operations/core';
import type { Activity, ActivityRegistry, FactSources } from '#lib/workflow';
import type { Agent } from '../agent/agent-definition.js';
import { conversationDecider } from './conversation.decider.js';
import type { ConversationEvent, ConversationForked } from './conversation.events.js';
import { turnIsOpen, unknownConversation, unknownTurn } from './conversation.rejections.js';
import { conversationView } from './conversation-view.rules.js';
import type { ConversationView } from './conversations.views.js';
import { agentAfter } from './fork.rules.js';
import { refuseModels } from './refuse-missing.js';
import { turnRequests } from './turn-run.js';

interface ConversationForkRequest {
  readonly conversationId: string;
  readonly atTurn: string;
  readonly overrides?: Omit<ConversationForked['data'], 'effects'>;
  readonly effects?: ConversationForked['data']['effects'];
  readonly reason?: string;
}

interface ForkParts {
  readonly log: EventLog;
  readonly writer: CommandWriter;
  readonly facts: FactSources;
  readonly activities: ActivityRegistry<Activity>;
}

type History = readonly RecordedEvent<ConversationEvent>[];

/** Forks conversations. Their parents are only read. */
export class ConversationForks {
  constructor(private readonly parts: ForkParts) {}

  /** Writes the fork in one append. @throws RejectionError @throws AppendTooLarge */
  async fork(request: ConversationForkRequest, context: CommandContext): Promise<ConversationView> {
    const { log, writer } = this.parts;
    const { atTurn: turnId, effects = 'hold', reason, overrides = {} } = request;
    const conversationId = derivedId(context.commandId, 'conversation');
    const target = { category: 'conversation', id: conversationId } as const;
    const made = await writer.forkedBefore(target, context);
    if (made !== undefined) return this.#view(conversationId, made);
    const stream = log.streams.of('conversation', conversationId);
    const parent = log.streams.of('conversation', request.conversationId);
    const events = upToTurn((await log.load<ConversationEvent>(parent)).events, request);
    const by = { by: authorOf(context), ...(reason !== undefined && { reason }) };
    const copies = copiesOf<ConversationEvent>(
      events,
      log.streams.withoutPrefix(parent),
      { id: conversationId, stream, turnId, ...by },
      (data) => ({ ...data, conversationId }),
    );
    const refusal = engineMemberRefusal('/overrides/modelParameters', overrides.modelParameters);
    if (refusal) refuse(refusal);
    if (overrides.model !== undefined)
      await this.#refuseModel({ ...agentAfter(copies), model: overrides.model });
    const revision = await writer.fork(
      conversationDecider,
      target,
      new StreamHistory(copies),
      { type: 'ForkConversation', data: { conversationId, effects, ...overrides } },
      context,
    );
    return this.#view(conversationId, revision);
  }

  #refuseModel(agent: Agent): Promise<void> {
    return refusingAt('/overrides/model', () => refuseModels(agent, this.parts));
  }

  async #view(conversationId: string, revision: number): Promise<ConversationView> {
    const { log } = this.parts;
    const history = await log.load<ConversationEvent>(log.streams.of('conversation', conversationId));
    return conversationView(history.upTo(revision)) ?? refuse(unknownConversation(conversationId));
  }
}

/** The events up to the last one of the command that ended the turn. */
function upToTurn(events: History, { conversationId, atTurn }: ConversationForkRequest): History {
  if (events.length === 0) refuse(unknownConversation(conversationId));
  if (!events.some((event) => turnRequests.askedBy(event) === atTurn))
    refuse(unknownTurn(conversationId, atTurn));
  const end: RecordedEvent | Rejection =
    events.find((event) => turnRequests.takenBy(event) === atTurn) ?? turnIsOpen(atTurn);
  if ('rejected' in end) return refuse(end);
  const { commandId } = end.metadata;
  const last = events.findLast(({ metadata }) => metadata.commandId === commandId) ?? end;
  return events.slice(0, last.revision + 1);
}
