/** A value, or a schema for it, is too large to check. It never leaves this lib. */
export class BudgetExceeded extends Error {}

/**
 * The steps that a check may take: about one for each keyword that is applied, each member that is visited, and each instruction of a
 * pattern at each character. Steps, unlike time, are the same at every replay.
 */
export class Budget {
  constructor(private left: number) {}

  /** @throws BudgetExceeded once more is spent than there was. */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new BudgetExceeded();
  }
}
