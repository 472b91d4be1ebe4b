import type { Option } from 'commander';
import type { Io } from '../io.js';

/** A command that is not a declared operation. */
export interface HandWritten {
  /** The last names the command, those before it groups. */
  readonly words: string;
  readonly summary: string;
  /** `<needed>` or `[optional]`, and what it is. */
  readonly args?: Readonly<Record<string, string>>;
  readonly options?: readonly Option[];
  readonly more?: string;
  /** Loads the function of the command when the command runs. Its options hold those that every command has. */
  load(): Promise<(options: never, io: Io, ...args: never[]) => Promise<void>>;
}
