import { LastOfTypes, later } from '#lib/event-store';

/** How far this process has written: the positions that its callers know. */
export class WrittenPosition {
  #latest: string | undefined;
  readonly #lastOfTypes = new LastOfTypes();

  /** The log as this process finds it: events of every type may be in it. */
  begin(head: string | undefined): void {
    this.#lastOfTypes.begin(head);
  }

  note(position: string | undefined, events: readonly { readonly type: string }[] = []): void {
    if (position === undefined) return;
    this.#latest = later(this.#latest, position);
    for (const { type } of events) this.#lastOfTypes.note(type, position);
  }

  get latest(): string | undefined {
    return this.#latest;
  }

  /** The last position at which an event of one of these types may be: of those that this process wrote, and of all from before its start. */
  latestOf(types: readonly string[]): string | undefined {
    return this.#lastOfTypes.of(types);
  }
}
