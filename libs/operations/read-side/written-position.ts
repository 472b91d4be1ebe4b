import { LastOfTypes, later } from '#lib/event-store';

/** The last positions that this process has written, which its callers know. */
export class WrittenPosition {
  #latest: string | undefined;
  readonly #lastOfTypes = new LastOfTypes();

  /** Notes the head of the log at the start of this process: events of every type may be before it. */
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
