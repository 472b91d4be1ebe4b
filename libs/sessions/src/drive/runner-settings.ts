/** Which process this is, and how long it may be silent. */
export interface RunnerSettings {
  /** Names this process among those that share the leases. */
  readonly owner: string;
  /** After this many milliseconds without renewal another process may take a run over. */
  readonly leaseTtlMs: number;
}
