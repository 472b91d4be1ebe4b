import type { EventLog, NewEvent, StreamAppend, StreamHistory } from '#lib/event-store';
import { type Clock, fold, type Json, jsonText, type RecordedEvent, RedialError, sha256 } from '#lib/kernel';
import { type CommandContext, type CommandWriter, WrittenPosition } from '#lib/operations';
import { type AskedRun, deliveryId, type EndedRun, type RunOwner, type Wanted } from '#lib/workflow';
import { toolIdsOf } from '../agent/agent-definition.js';
import type { TurnInput } from '../turn/turn.workflow.js';
import { conversationDecider } from './conversation.decider.js';
import type { ConversationEvent, TurnRequested } from './conversation.events.js';
import { turnRequests } from './turn-requests.js';

type History = readonly RecordedEvent<ConversationEvent>[];

/** A conversation does not know a turn that it is said to have asked for. A bug, or a damaged log. */
class LostTurn extends RedialError {}

/** Conversations as owners of the runs of their turns. */
export class TurnOwner implements RunOwner {
  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly clock: Clock,
  ) {}

  async lookUp({ runId, stream }: AskedRun, revision: number): Promise<Wanted> {
    const known = await this.log.loadTo<ConversationEvent>(stream, revision);
    const wanted = this.find({ runId }, known) ?? this.find({ runId }, await this.log.load(stream));
    if (wanted) return wanted;
    throw new LostTurn(
      `turn ${runId}`,
      `${stream} does not know it`,
      'Verify the log with `redial replay --all`',
    );
  }

  find({ runId }: Pick<AskedRun, 'runId'>, history: StreamHistory): Wanted | undefined {
    const { events } = history as StreamHistory<ConversationEvent>;
    const delivered = events.filter(({ metadata }) => metadata.commandId === deliveryId(runId));
    if (delivered.length > 0) return { delivered };
    const request = events.find((event) => turnRequests.askedBy(event) === runId);
    return request && { request: this.#request(request, events) };
  }

  async deliver(ended: EndedRun): Promise<readonly RecordedEvent[]> {
    const { target, command, context } = this.#closing(ended);
    return (await this.writer.send(conversationDecider, target, command, context)).events;
  }

  planDelivery(ended: EndedRun): StreamAppend<NewEvent> | undefined {
    const { target, command, context } = this.#closing(ended);
    return this.writer.plan(conversationDecider, target, command, context);
  }

  #closing({ runId: turnId, owner, end: result }: EndedRun) {
    const conversationId = this.log.streams.parse(owner.stream)?.id ?? '';
    const context: CommandContext = {
      commandId: deliveryId(turnId),
      fingerprint: sha256(jsonText(result)),
      actor: 'redial',
      keyed: false,
      written: new WrittenPosition(),
      causationId: turnId,
    };
    const command = { type: 'CloseTurn', data: { conversationId, turnId, result } } as const;
    return { target: { category: 'conversation', id: conversationId } as const, command, context };
  }

  #request(request: RecordedEvent<ConversationEvent>, history: History) {
    const { stream, revision, eventId: causationId } = request;
    const { commandId, correlationId, actor } = request.metadata;
    const occurredAt = this.clock.now().toISOString();
    return {
      input: turnInput(request, history),
      owner: { stream },
      context: { stream, revision },
      metadata: { occurredAt, commandId, correlationId, causationId, actor },
    };
  }
}

/** The input of the run that a request asks for. */
function turnInput({ data, revision }: RecordedEvent<ConversationEvent>, history: History): Json {
  const state = fold(conversationDecider, history.slice(0, revision));
  const { text, context } = data as TurnRequested['data'];
  const input: TurnInput = {
    conversationId: state?.conversationId ?? '',
    text,
    ...(context && { context }),
    model: state?.agent.model ?? '',
    tools: state ? toolIdsOf(state.agent) : [],
    ...(state?.agent.backupModels && { backupModels: state.agent.backupModels }),
  };
  return input as object as Json;
}
