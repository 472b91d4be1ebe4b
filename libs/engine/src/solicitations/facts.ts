import type { ArbitrationInput } from '#lib/arbitration';
import type { ReadSide } from '#lib/operations';
import { contextExemplars, type ExemplarQuestion, type ReadStore } from '#lib/projections';
import { proposerContext, type Session } from '#lib/session';
import type { StartFacts } from './solicitation-input.js';

/** Where the facts come from that start events record: what people decided before. */
export class Facts {
  constructor(
    private readonly reads: ReadSide,
    private readonly store: ReadStore,
  ) {}

  /** @param isPast the round is decided: what was decided in its session is no example for it */
  async ofSolicitation(session: Session, roundId: string, isPast = false): Promise<StartFacts> {
    const { machineName, sessionId } = session;
    const { currentState } = proposerContext(session, roundId);
    const exemplars = await this.exemplars({
      machineName,
      state: currentState,
      ...(isPast && { exceptSessionId: sessionId }),
    });
    return exemplars.length > 0 ? { exemplars } : {};
  }

  async ofArbitration({
    machineName,
    currentState: state,
  }: Session): Promise<Pick<ArbitrationInput, 'humanGoldExamples'>> {
    const humanGoldExamples = await this.exemplars({ machineName, state });
    return humanGoldExamples.length > 0 ? { humanGoldExamples } : {};
  }

  private async exemplars(question: ExemplarQuestion) {
    await this.reads.reachedChanges(['exemplars']);
    return contextExemplars(this.store.db, question);
  }
}
