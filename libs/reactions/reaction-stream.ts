import { type CommandAnswer, type EventLog, handleCommand } from '#lib/event-store';
import { type Clock, ENGINE_ACTOR, explain, type IdSource, isRejection } from '#lib/kernel';
import {
  type EndReaction,
  type ReactionCommand,
  reactionDecider,
  type ReactionState,
} from './reaction.decider.js';
import type { Place, ReactionEvent } from './reaction.events.js';
import { TakenOver } from './taken-over.js';

/** The stream of one reaction. */
export class ReactionStream {
  /** With the prefix of the log. */
  readonly stream: string;

  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    readonly name: string,
    private readonly life = 0,
  ) {
    this.stream = log.streams.of('reaction', name);
  }

  /** Its state; a new one begins after the last event of the log. @throws TakenOver if it has ended @throws StoreUnavailable */
  async begun(): Promise<ReactionState> {
    const history = await this.log.load<ReactionEvent>(this.stream);
    const state = history.state(reactionDecider);
    if (state.life >= this.life) return this.#going(state);
    const [last] = await this.log.store.readAll({ limit: 1, direction: 'backwards' });
    const after = last && placeIn(this.log, last);
    const life = this.life > 0 && { life: this.life };
    const data = { name: this.name, ...(after && { after }), ...life };
    return this.#going(await this.send({ type: 'StartReaction', data }));
  }

  #going(state: ReactionState): ReactionState {
    if (state.isStarted && state.life === this.life) return state;
    throw new TakenOver(`The reaction ${this.name} has ended.`);
  }

  /** Sends a command of the engine, none of which is refused. @throws ConflictNotSettled @throws StoreUnavailable */
  async send(command: ReactionCommand): Promise<ReactionState> {
    return (await this.#handle(command)).state;
  }

  /**
   * Ends it for good: its parked deliveries are dropped.
   * @returns the position of its end, also if it had ended; undefined if it never began @throws ConflictNotSettled @throws StoreUnavailable
   */
  async end(data: EndReaction['data']): Promise<string | undefined> {
    for (;;) {
      const { state, position } = await this.#handle({ type: 'EndReaction', data });
      if (state.isStarted && state.life <= data.life) continue;
      return position ?? (await this.log.load(this.stream)).events.at(-1)?.position;
    }
  }

  async #handle(command: ReactionCommand): Promise<CommandAnswer<ReactionState, ReactionEvent>> {
    const answer = await handleCommand(this.log, reactionDecider, this.stream, command, {
      commandId: this.ids.next(),
      correlationId: this.name,
      actor: ENGINE_ACTOR,
      occurredAt: this.clock.now().toISOString(),
    });
    if (isRejection(answer)) throw new Error(explain('Refused', command.type, answer.code, 'This is a bug'));
    return answer;
  }
}

/** The place of an event. */
export function placeIn({ streams }: Pick<EventLog, 'streams'>, { stream, revision }: Place): Place {
  return { stream: streams.withoutPrefix(stream), revision };
}
