import type { EventStore } from '../../event-store.js';

/** One fresh, empty log, opened for one test. */
export interface ContractSubject {
  readonly store: EventStore;
  /** What `store` puts before the names of streams on their way to a log that is shared: its bytes count. Default: nothing. */
  readonly hiddenPrefix?: string;
  /** Opens the log anew; `store` has been closed before. Needed for the capability `reopen`. */
  readonly reopen?: () => Promise<EventStore>;
  /** Opens the same log once more beside `store`. Needed for the capability `second`. */
  readonly second?: () => Promise<EventStore>;
  /** Closes all that was opened and removes what it left. */
  readonly cleanup: () => Promise<void>;
}

/** `reopen`: the log outlives its store. `second`: several stores, as in several processes, share one log. */
export type ContractCapability = 'reopen' | 'second';

/** What a part of the suite works with: the subject of the running test. */
export type CurrentSubject = () => ContractSubject;
