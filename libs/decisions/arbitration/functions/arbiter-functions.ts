import { type ArbiterContext, builtInArbiters, type Verdict } from '#lib/decisions/session';
import { DuplicateFunction } from '#lib/activities';

/** An arbiter's verdict. Must be plain JSON; the arbitration checks it. */
export type ArbiterResult = Pick<Verdict, 'consensusReached' | 'winningProposalId'> &
  Partial<Pick<Verdict, 'reasoning'>>;

/** Judges a round: the same context must always give the same verdict. The context is a copy for the function. */
export type ArbiterFn = (context: ArbiterContext) => ArbiterResult | Promise<ArbiterResult>;

/** The arbiters of the application in this process, by name. The built-in ones are not functions but rules of sessions. */
export class ArbiterFunctions {
  private readonly arbiters = new Map<string, ArbiterFn>();

  /** @throws DuplicateFunction also for the name of a built-in arbiter. */
  registerArbiter(name: string, arbiter: ArbiterFn): this {
    if (this.arbiterNames.includes(name)) throw new DuplicateFunction('arbiter', name);
    this.arbiters.set(name, arbiter);
    return this;
  }

  /** Removes a registration. */
  unregister(name: string): void {
    this.arbiters.delete(name);
  }

  /** `undefined` for built-in ones. */
  arbiter(name: string): ArbiterFn | undefined {
    return this.arbiters.get(name);
  }

  /** The names of all arbiters: built-in ones first, then registered ones in order. */
  get arbiterNames(): readonly string[] {
    return [...Object.keys(builtInArbiters), ...this.arbiters.keys()];
  }
}
