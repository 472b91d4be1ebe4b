import type { Activity, ActivityRegistry } from '#lib/workflow';
import { type EventLog, ownEvents, StreamHistory } from '#lib/event-store';
import { derivedId, type JsonObject, keyedId, labelsOf, type RecordedEvent } from '#lib/kernel';
import {
  checkKeyIn,
  type CommandContext,
  type CommandWriter,
  type Moment,
  type Moments,
  noteSubject,
  type PastMoment,
  refuse,
  refuseErasedStream,
  RejectionError,
} from '#lib/operations/core';
import type { InputOf } from '#lib/operations';
import { isOutage, type PeopleGate, type Runs, Unfinished } from '#lib/runs/runs/core';
import {
  type AskedRun,
  askedRun,
  type FactSources,
  type SignalInput,
  WaitsForPerson,
  type WorkflowRuntime,
} from '#lib/workflow';
import type { Directive } from '../agent/directive-definition.js';
import { agentDecider, agentVersion, unknownAgent } from '../agent/agents.decider.js';
import { conversationDecider } from './conversation.decider.js';
import { noOpenTurn, noTurn, unknownConversation, unknownRevision } from './conversation.rejections.js';
import type { ConversationEvent } from './conversation.events.js';
import { conversationView, turnOf, turnViews } from './conversation-view.rules.js';
import { notTaken } from './not-taken.js';
import { refuseMissing } from './refuse-missing.js';
import type { StartConversation } from './start-conversation.js';
import type { ConversationView, TurnView } from './conversations.views.js';
import { turnRequests } from './turn-run.js';

type History = readonly RecordedEvent<ConversationEvent>[];

/** The target of a signal: a turn, and its await if exactly one fits. */
type TurnAwait = { readonly turnId: string; readonly awaitId?: string };

/** A turn has begun, and this process could not finish it. */
export class TurnUnfinished extends Unfinished {}

interface ConversationsParts {
  readonly log: EventLog;
  readonly writer: CommandWriter;
  readonly runtime: WorkflowRuntime;
  readonly activities: ActivityRegistry<Activity>;
  readonly runs: Runs;
  /** The sources of facts for the starts of runs. */
  readonly facts: FactSources;
  readonly moments: Moments;
}

/** Conversations, for the handlers of operations. Rejections are thrown as `RejectionError`. */
export class Conversations {
  constructor(private readonly parts: ConversationsParts) {}

  /** A conversation at a moment. @throws RejectionError */
  moment(conversationId: string, at: string | undefined): Promise<Moment | PastMoment> {
    const unknown = unknownConversation(conversationId);
    return this.parts.moments.of({ ...this.#target(conversationId), unknown }, at);
  }

  /** The conversations of a moment. @throws RejectionError */
  async at(conversationId: string, at: string | undefined): Promise<Conversations> {
    return at === undefined ? this : this.over((await this.moment(conversationId, at)).log);
  }

  /** The same conversations as recorded in this log. */
  over(log: EventLog): Conversations {
    return new Conversations({ ...this.parts, log, runs: this.parts.runs.over(log) });
  }

  /** @throws RejectionError `key-taken` */
  async start(
    input: InputOf<typeof StartConversation>,
    context: CommandContext,
  ): Promise<{ readonly view: ConversationView; readonly isNew: boolean }> {
    const { agentName, agentVersion: version, initialData = {}, key } = input;
    const { writer } = this.parts;
    const conversationId =
      key === undefined
        ? derivedId(context.commandId, 'conversation')
        : keyedId('conversation', agentName, key);
    if (key !== undefined) await writer.bindKey(this.#target(conversationId), context);
    const agents = await writer.state(agentDecider, { category: 'agent', id: agentName });
    const found = agentVersion(agents, version) ?? refuse(unknownAgent(agentName, version));
    const data = {
      conversationId,
      agentName,
      agentVersion: found.version,
      agentHash: found.hash,
      agent: found.definition,
      initialData,
      ...(input.context && { context: input.context }),
      ...labelsOf(input),
      ...(key !== undefined && version !== undefined && { askedVersion: version }),
    };
    const command = { type: 'StartConversation', data } as const;
    const { events } = await writer.send(conversationDecider, this.#target(conversationId), command, context);
    const isNew = events.length > 0;
    const { history } = isNew ? { history: new StreamHistory(events) } : await this.#history(conversationId);
    return { view: conversationView(history) ?? refuse(unknownConversation(conversationId)), isNew };
  }

  /**
   * Takes a turn. During another turn the message waits for its end.
   * @throws TurnNotTaken if the turn failed; TurnUnfinished if it was begun and continues later
   */
  async send(
    { conversationId, ...message }: { conversationId: string; text: string; context?: JsonObject },
    context: CommandContext,
  ): Promise<TurnView> {
    const turnId = derivedId(context.commandId, 'turn');
    const asked = this.#asked(conversationId, turnId);
    const { history, state } = await this.#commanded(conversationId, context);
    const { writer, runtime } = this.parts;
    const target = this.#target(conversationId);
    // A repeat gets its turn also in a process that could not begin it.
    if (checkKeyIn(history, context).length === 0) await refuseMissing(state.agent, this.parts);
    const command = { type: 'RequestTurn', data: { conversationId, turnId, ...message } } as const;
    await this.#betweenTurns(conversationId, () =>
      writer.send(conversationDecider, target, command, context, (append) => runtime.request(asked, append)),
    );
    return this.settled(conversationId, turnId, context);
  }

  /** Answers an await of the newest turn. */
  async signal(
    conversationId: string,
    signal: SignalInput,
    context: CommandContext,
    gate: PeopleGate,
  ): Promise<TurnView> {
    const { events } = await this.#commanded(conversationId, context);
    const newest = ownEvents(events).findLast((event) => turnRequests.askedBy(event) !== undefined);
    const { runs } = this.parts;
    const { awaitId: named } = signal;
    // The turn is bound even without an await: one may open before the signal is sent.
    const choice = async (): Promise<TurnAwait | undefined> => {
      const turnId = newest && turnRequests.askedBy(newest);
      if (turnId === undefined) return undefined;
      const awaitId = named ?? (await runs.awaited(turnId, signal))?.awaitId;
      return { turnId, ...(awaitId !== undefined && { awaitId }) };
    };
    const reached = await context.target.bind(choice, { awaitId: named });
    const { turnId, ...awaited } = reached ?? refuse(noTurn(conversationId));
    const input = { ...signal, ...awaited };
    await runs.signalOwned(turnId, input, context, gate);
    return this.settled(conversationId, turnId, context);
  }

  /** Cancels the open turn: the conversation is unchanged. @throws RejectionError `no-open-turn` */
  async cancel(
    { conversationId, reason }: { conversationId: string; reason?: string },
    context: CommandContext,
  ): Promise<TurnView> {
    const { openTurn: open } = (await this.#commanded(conversationId, context)).state;
    const reached = await context.target.bind(async () =>
      open === undefined ? undefined : { turnId: open },
    );
    const { turnId } = reached ?? refuse(noOpenTurn(conversationId));
    const { runs } = this.parts;
    await runs.answerOwned(turnId, (commands, answer) => commands.cancel(turnId, reason, answer), context);
    await this.#finish(conversationId, turnId, context);
    return turnOf((await this.#history(conversationId)).events, turnId);
  }

  /** Sets the directive that the next turn applies first. During a turn this waits for its end. */
  async dispatch(
    conversationId: string,
    directive: Directive,
    context: CommandContext,
  ): Promise<ConversationView> {
    const command = { type: 'DispatchDirective', data: { conversationId, directive } } as const;
    const { revision } = await this.#betweenTurns(conversationId, () =>
      this.parts.writer.send(conversationDecider, this.#target(conversationId), command, context),
    );
    const { history } = await this.#history(conversationId);
    return conversationView(history.upTo(revision)) ?? refuse(unknownConversation(conversationId));
  }

  /** The current view, or the view at this revision. */
  async view(conversationId: string, revision?: number): Promise<ConversationView> {
    const { history } = await this.#history(conversationId);
    if (revision !== undefined && history.revision < revision)
      refuse(unknownRevision(conversationId, revision));
    return (
      conversationView(history.upTo(revision ?? history.revision)) ??
      refuse(unknownConversation(conversationId))
    );
  }

  /** Oldest first. */
  async turns(conversationId: string, context: CommandContext): Promise<readonly TurnView[]> {
    const { events, state } = await this.#history(conversationId);
    const turns = turnViews(events);
    const open = turns.find(({ turnId }) => turnId === state.openTurn);
    if (open) await this.#addAwaiting(open, context);
    return turns;
  }

  /** @throws RejectionError `unknown-conversation` */
  async events(conversationId: string): Promise<History> {
    return (await this.#history(conversationId)).events;
  }

  /** The turn once it has ended or waits for a person. @throws TurnNotTaken */
  async settled(conversationId: string, turnId: string, context: CommandContext): Promise<TurnView> {
    try {
      await this.#finish(conversationId, turnId, context);
    } catch (error) {
      if (!(error instanceof WaitsForPerson)) throw error;
      return this.#addAwaiting(await this.#turn(conversationId, turnId), context);
    }
    return this.#turn(conversationId, turnId);
  }

  /** @throws WaitsForPerson | TurnUnfinished */
  async #finish(conversationId: string, turnId: string, { written }: CommandContext): Promise<void> {
    try {
      const closing = await this.parts.runtime.finish(this.#asked(conversationId, turnId));
      written.note(closing.at(-1)?.position);
    } catch (error) {
      if (error instanceof WaitsForPerson || !isOutage(error)) throw error;
      throw new TurnUnfinished('turn', turnId, error, written.latest);
    }
  }

  /** Adds the await of an open turn. Its run may not have begun. */
  async #addAwaiting(turn: TurnView, context: CommandContext): Promise<TurnView> {
    const run = await this.parts.runs.now(turn.turnId, context).catch((error: unknown) => {
      if (error instanceof RejectionError) return undefined;
      throw error;
    });
    if (run?.status !== 'waiting') return turn;
    return Object.assign(turn, { status: 'waiting' as const, awaiting: run.awaiting });
  }

  async #turn(conversationId: string, turnId: string): Promise<TurnView> {
    const { events } = await this.#history(conversationId);
    const turn = turnOf(events, turnId);
    if (turn.failure) throw notTaken(turnId, turn.failure, closingOf(events, turnId)?.position);
    return turn;
  }

  /** Runs an action once no turn is open. It throws at once if the open turn waits for a person. */
  async #betweenTurns<Result>(conversationId: string, work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof RejectionError) || error.rejection.code !== 'turn-open') throw error;
        await this.#openTurnEnds(conversationId, error);
      }
    }
  }

  async #openTurnEnds(conversationId: string, refused: RejectionError): Promise<void> {
    const { state } = await this.#history(conversationId);
    if (!state.openTurn) return;
    try {
      await this.parts.runtime.finish(this.#asked(conversationId, state.openTurn));
    } catch (error) {
      throw error instanceof WaitsForPerson ? refused : error;
    }
  }

  /** The history for a command. @throws RejectionError also `erased` */
  async #commanded(conversationId: string, context: CommandContext) {
    const known = await this.#history(conversationId);
    const { log } = this.parts;
    await refuseErasedStream(log, log.streams.of('conversation', conversationId), context);
    return known;
  }

  async #history(conversationId: string) {
    const { log } = this.parts;
    const history = await log.load<ConversationEvent>(log.streams.of('conversation', conversationId));
    const state = history.state(conversationDecider) ?? refuse(unknownConversation(conversationId));
    noteSubject(state.started.subject);
    return { history, events: history.events, state };
  }

  #asked(conversationId: string, runId: string): AskedRun {
    return askedRun(turnRequests, this.parts.log.streams, conversationId, runId);
  }

  #target(id: string) {
    return { category: 'conversation', id } as const;
  }
}

function closingOf(events: History, turnId: string): History[number] | undefined {
  return events.findLast(({ type, data }) => type === 'TurnFailed' && data.turnId === turnId);
}
