/** The subject that a call is about, once that is known: the answer of a keyed call is recorded under its key. */
export class CallSubject {
  #subject: string | undefined;

  get name(): string | undefined {
    return this.#subject;
  }

  note(subject: string | undefined): void {
    this.#subject ??= subject;
  }
}
