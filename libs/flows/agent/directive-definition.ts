import type { JsonObject } from '#lib/kernel';

export type GoTo = {
  /** Id or title. */
  readonly flow: string;
  readonly step?: string;
  readonly data?: JsonObject;
  readonly reason?: string;
  /** `reset`: the data begin again from `initialData`. */
  readonly carry?: 'preserve' | 'reset';
};
export type GoToStep = {
  readonly step: string;
  readonly flow?: string;
  readonly data?: JsonObject;
  readonly reason?: string;
};
type Complete = { readonly next?: Directive; readonly reason?: string };
type Abort = { readonly reason: string; readonly clearSession?: boolean };
type Reset = { readonly step?: string; readonly clearData?: boolean; readonly reason?: string };

/** A change of course: at most one of the first five members. */
export type Directive = {
  readonly goTo?: string | GoTo;
  readonly goToStep?: string | GoToStep;
  readonly complete?: true | Complete;
  readonly abort?: string | Abort;
  readonly reset?: true | Reset;
  /** Said in place of what the model would say. */
  readonly reply?: string;
  readonly dataUpdate?: JsonObject;
  readonly contextUpdate?: JsonObject;
  /** Before the model: added to its instructions in this turn. */
  readonly appendPrompt?: readonly string[];
  /** Before the model: offered in this turn besides. */
  readonly injectTools?: readonly string[];
  /** Before the model: the turn ends without it. */
  readonly halt?: boolean;
  /** For readers: why. */
  readonly reason?: string;
};
