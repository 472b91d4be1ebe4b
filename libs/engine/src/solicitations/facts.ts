import type { ArbitrationInput } from '#lib/arbitration';
import type { Clock } from '#lib/kernel';
import type { ReadSide } from '#lib/operations';
import {
  contextExemplars,
  type ExemplarQuestion,
  priceInForce,
  type PriceTable,
  type ReadStore,
} from '#lib/projections';
import { proposerContext, type Session } from '#lib/session';
import type { ProposerExecution } from '#lib/specialist';
import { splitModelId } from '#lib/solicitation';
import type { StartFacts } from './solicitation-input.js';

/** Where the facts come from that start events record: the price in force, and what people decided before. */
export class Facts {
  constructor(
    private readonly reads: ReadSide,
    private readonly store: ReadStore,
    private readonly prices: PriceTable,
    private readonly clock: Clock,
  ) {}

  /** @param isPast the round is decided: what was decided in its session is no example for it */
  async ofSolicitation(
    session: Session,
    roundId: string,
    execution: ProposerExecution,
    isPast = false,
  ): Promise<StartFacts> {
    const { machineName, sessionId } = session;
    const { currentState } = proposerContext(session, roundId);
    const price = this.priceOf(execution);
    const exemplars = await this.exemplars({
      machineName,
      state: currentState,
      ...(isPast && { exceptSessionId: sessionId }),
    });
    return { ...(price && { price }), ...(exemplars.length > 0 && { exemplars }) };
  }

  async ofArbitration({
    machineName,
    currentState: state,
  }: Session): Promise<Pick<ArbitrationInput, 'humanGoldExamples'>> {
    const humanGoldExamples = await this.exemplars({ machineName, state });
    return humanGoldExamples.length > 0 ? { humanGoldExamples } : {};
  }

  private priceOf(execution: ProposerExecution) {
    if (!('modelId' in execution)) return undefined;
    const { modelId } = splitModelId(execution.modelId);
    return priceInForce(this.prices, modelId, this.clock.now().toISOString());
  }

  private async exemplars(question: ExemplarQuestion) {
    await this.reads.reachedChanges(['exemplars']);
    return contextExemplars(this.store.db, question);
  }
}
