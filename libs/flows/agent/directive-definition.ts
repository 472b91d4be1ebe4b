import type { JsonObject } from '#lib/kernel';

export type GoTo = {
  /** A flow, by id or title. */
  readonly flow: string;
  readonly step?: string;
  readonly data?: JsonObject;
  readonly reason?: string;
  /** `reset`: the data become `initialData`. */
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

/** A directive changes the course of a conversation. It has at most one of the first five members. */
export type Directive = {
  readonly goTo?: string | GoTo;
  readonly goToStep?: string | GoToStep;
  readonly complete?: true | Complete;
  readonly abort?: string | Abort;
  readonly reset?: true | Reset;
  /** The message in place of the model's. */
  readonly reply?: string;
  readonly dataUpdate?: JsonObject;
  readonly contextUpdate?: JsonObject;
  /** Before the model: added to its instructions in this turn. */
  readonly appendPrompt?: readonly string[];
  /** Before the model: also offered in this turn. */
  readonly injectTools?: readonly string[];
  /** Before the model: the turn ends without a call of it. */
  readonly halt?: boolean;
  /** The reason, for readers only. */
  readonly reason?: string;
};
