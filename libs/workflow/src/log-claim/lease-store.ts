/** The lease store of an engine. */
export interface LeaseStore {
  /** The same for all who share it, and no other has it. */
  readonly id: string;
  /** In words, without secrets: a file on a machine, a database on a server. */
  readonly name: string;
}
