/** No answer came within the time limit. */
export class ServerSilent extends Error {
  constructor(
    afterMs: number,
    /** Whether the request went out at all. */
    readonly wasSent: boolean,
  ) {
    super(`no answer within ${afterMs} ms`);
  }
}
