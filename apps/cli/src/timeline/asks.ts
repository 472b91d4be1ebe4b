import type { TimelineEvent } from './timeline-event.js';

/** Somebody who is asked in a round. */
export interface Ask {
  readonly specialistId: string;
  readonly roundId: string;
}

const ID_LENGTH = 36;

/** The specialist and the round of each solicitation and arbitration, by its id. */
export class Asks {
  readonly #byId = new Map<string, Ask>();

  /** To be called with each event of a session, in log order: the session names an ask before its stream begins. */
  note({ type, data }: TimelineEvent): void {
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
