import type { TimelineEvent } from './timeline-event.js';

/** A specialist that is asked in a round. */
interface Ask {
  readonly specialistId: string;
  readonly roundId: string;
}

const ID_LENGTH = 36;

/** The specialist and the round of each solicitation, each arbitration and their children, by the run's id. */
export class Asks {
  readonly #byId = new Map<string, Ask>();

  /** To be called with each event of a session, in log order: the session names an ask before its stream begins. */
  note(event: TimelineEvent): void {
    const { type, data } = event;
    const ask = this.of(event);
    if (type === 'ChildStarted' && ask) this.#byId.set(data.runId, ask);
    if (type === 'ProposalSolicited') this.#byId.set(data.solicitationId, data);
    if (type !== 'ArbitrationRequested') return;
    const { arbitrationId, roundId, arbiter } = data;
    this.#byId.set(arbitrationId, { specialistId: arbiter.specialistId, roundId });
  }

  /** The ask whose stream an event is of; `undefined` for the session's own events. Names of streams end with the id. */
  of({ stream }: TimelineEvent): Ask | undefined {
    return this.#byId.get(stream.slice(-ID_LENGTH));
  }
}
