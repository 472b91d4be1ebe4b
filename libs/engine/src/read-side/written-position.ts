/** How far this process has written: what its callers were told is in the log. */
export class WrittenPosition {
  private last: string | undefined;

  note(position: string | undefined): void {
    if (position !== undefined && (this.last === undefined || position > this.last)) this.last = position;
  }

  get latest(): string | undefined {
    return this.last;
  }
}
