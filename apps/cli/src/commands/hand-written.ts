import type { Option } from 'commander';
import type { Io } from '../io.js';

/** A command that is not a declared operation. */
export interface HandWritten {
  /** The last word names the command, the others its groups. */
  readonly words: string;
  readonly summary: string;
  /** `<needed>` or `[optional]`, and its description. */
  readonly args?: Readonly<Record<string, string>>;
  readonly options?: readonly Option[];
  readonly more?: string;
  /** Loads the function of the command when the command runs. Its options include those of every command. */
  load(): Promise<(options: never, io: Io, ...args: never[]) => Promise<void>>;
}
