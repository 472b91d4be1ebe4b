/** A mutex for the writers of one stream, which would conflict with each other. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Does the work once what came before it has ended, well or not. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
