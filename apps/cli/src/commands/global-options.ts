/** The options that are allowed before and after every command. */
export interface GlobalOptions {
  readonly dataDir?: string;
  readonly json?: true;
}
