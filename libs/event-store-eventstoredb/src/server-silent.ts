/** The server holds the connection and says nothing. */
export class ServerSilent extends Error {
  constructor(readonly afterMs: number) {
    super(`no answer within ${afterMs} ms`);
  }
}
