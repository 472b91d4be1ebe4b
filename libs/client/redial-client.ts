import { type ClientCallOptions, type ClientOptions, callOverHttp } from './call-over-http.js';
import { type ClientMethods, ROUTES } from './redial-client.generated.js';

abstract class Base {}

/** A method for each operation of a Redial server. It only needs `fetch`. */
export class RedialClient extends (Base as abstract new () => ClientMethods) {
  constructor(private readonly server: ClientOptions) {
    super();
  }

  static {
    for (const [id, route] of Object.entries(ROUTES)) {
      Object.defineProperty(this.prototype, id, {
        configurable: true,
        writable: true,
        value(this: RedialClient, input: object = {}, options?: ClientCallOptions) {
          return callOverHttp(this.server, route, input, options);
        },
      });
    }
  }
}
