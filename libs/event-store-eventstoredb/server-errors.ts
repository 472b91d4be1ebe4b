import { StoreUnavailable } from '#lib/event-store';

/** No answer came within the time limit. */
export class ServerSilent extends Error {
  constructor(
    afterMs: number,
    readonly wasSent: boolean,
  ) {
    super(`no answer within ${afterMs} ms`);
  }
}

/** The server has another log than the one that was opened. Each new connection is checked again. */
export class LogReplaced extends StoreUnavailable {
  constructor(server: string, why: string) {
    super(
      `cannot use the event log in EventStoreDB at ${server}`,
      `it was replaced while this process ran: ${why}`,
      'Restore the log there, or stop this process and start it on the log that is there',
    );
  }
}
