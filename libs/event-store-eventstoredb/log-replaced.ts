import { StoreUnavailable } from '#lib/event-store';

/** The server has another log than the one that was opened. Each new connection is looked at again. */
export class LogReplaced extends StoreUnavailable {
  constructor(server: string, why: string) {
    super(
      `cannot use the event log in EventStoreDB at ${server}`,
      `it was replaced while this process ran: ${why}`,
      'Restore the log there, or stop this process and start it on the log that is there',
    );
  }
}
