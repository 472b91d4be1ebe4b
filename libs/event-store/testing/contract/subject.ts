import type { EventStore } from '../../event-store.js';

/** One fresh, empty log, opened for one test. */
export interface ContractSubject {
  readonly store: EventStore;
  /** The prefix that `store` adds to stream names in a shared log. Its bytes count. Default: none. */
  readonly hiddenPrefix?: string;
  /** Opens the log again after `store` was closed. Needed for the capability `reopen`. */
  readonly reopen?: () => Promise<EventStore>;
  /** Opens the same log a second time, beside `store`. Needed for the capability `second`. */
  readonly second?: () => Promise<EventStore>;
  /** Closes every store that was opened and removes its files. */
  readonly cleanup: () => Promise<void>;
}

/** `reopen`: the log outlives its store. `second`: several stores, as in several processes, share one log. */
export type ContractCapability = 'reopen' | 'second';

/** Gives a part of the suite the subject of the running test. */
export type CurrentSubject = () => ContractSubject;
