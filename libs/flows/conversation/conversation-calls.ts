import { type EventLog, ownEvents } from '#lib/event-store';
import { derivedId, type RecordedEvent } from '#lib/kernel';
import { placeAfterKey } from '#lib/read-models';
import { runToolCalls } from '#lib/runs/runs/core';
import type { ToolCallView } from '#lib/runs/runs';
import type { Conversations } from './conversations.js';
import { turnRequests } from './turn-run.js';

/**
 * The calls in the turns of conversations, without copied turns of forks. The event of a turn's end lists them; for an open turn,
 * or without a list, its run is read.
 */
export class ConversationCalls {
  constructor(
    private readonly log: EventLog,
    private readonly conversations: Conversations,
  ) {}

  /** The calls as recorded in this log. */
  over(log: EventLog): ConversationCalls {
    return new ConversationCalls(log, this.conversations.over(log));
  }

  /** A conversation at a moment. @throws RejectionError */
  moment(conversationId: string, at: string | undefined): ReturnType<Conversations['moment']> {
    return this.conversations.moment(conversationId, at);
  }

  /** Ids of calls of models, oldest first. @throws RejectionError `unknown-conversation` */
  async llmCallIds(conversationId: string): Promise<readonly string[]> {
    const turns = await this.#turns(conversationId);
    const ids = turns.map(async ({ turnId, ended }) => {
      const steps = ended?.llmCalls ?? requestedSteps(await this.#run(turnId));
      return steps.map((stepId) => derivedId(turnId, stepId));
    });
    return (await Promise.all(ids)).flat();
  }

  /** @param after the key of a call: the id of its turn, and its own */
  async toolCalls(
    conversationId: string,
    after: string | undefined,
    limit: number,
  ): Promise<readonly ToolCallView[]> {
    const [afterTurn, afterCall] = after?.split('/') ?? [];
    const turns = await this.#turns(conversationId);
    const ids = turns.map(({ turnId }) => turnId);
    const from = after === undefined ? 0 : placeAfterKey(ids, afterTurn ?? '') - 1;
    const calls: ToolCallView[] = [];
    for (const { turnId, ended } of turns.slice(from)) {
      if (calls.length >= limit) break;
      if (ended && !ended.hasTools) continue;
      const ofTurn = runToolCalls(turnId, await this.#run(turnId));
      const keys = ofTurn.map(({ callId }) => callId);
      calls.push(...ofTurn.slice(placeAfterKey(keys, turnId === afterTurn ? (afterCall ?? '') : undefined)));
    }
    return calls.slice(0, limit);
  }

  async #turns(conversationId: string): Promise<readonly CallsOfTurn[]> {
    const events = ownEvents(await this.conversations.events(conversationId));
    const ended = new Map(
      events.flatMap((event) => {
        if (event.type !== 'TurnTaken' && event.type !== 'TurnFailed') return [];
        const { turnId, llmCalls } = event.data;
        const hasTools = event.type === 'TurnFailed' || event.data.toolCalls.length > 0;
        return [[turnId, { llmCalls, hasTools }] as const];
      }),
    );
    return events.flatMap((event) => {
      const turnId = turnRequests.askedBy(event);
      if (turnId === undefined) return [];
      const end = ended.get(turnId);
      return [{ turnId, ...(end && { ended: end }) }];
    });
  }

  #run(turnId: string): Promise<readonly RecordedEvent[]> {
    return this.log.readStream(this.log.streams.of(turnRequests.workflow, turnId));
  }
}

interface CallsOfTurn {
  readonly turnId: string;
  /** A turn that was given up lists no calls. */
  readonly ended?: { readonly llmCalls: readonly string[] | undefined; readonly hasTools: boolean };
}

function requestedSteps(run: readonly RecordedEvent[]): readonly string[] {
  return run.flatMap(({ type, data }) =>
    type === 'LlmCallRequested' ? [(data as { readonly stepId: string }).stepId] : [],
  );
}
