import { createServer } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { answerClientErrors } from './problems/answer-client-errors.js';
import { nameOtherMethods } from './problems/other-methods.js';
import { oneAtATime } from './requests/one-at-a-time.js';

/** Express on a socket that refuses with problem documents. A missing Host is refused by this server, not by Node's empty 400. */
export class HttpAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    this.httpServer = createServer({ requireHostHeader: false }, oneAtATime(this.getInstance()));
    answerClientErrors(this.httpServer);
  }

  override setNotFoundHandler(...given: Parameters<ExpressAdapter['setNotFoundHandler']>): unknown {
    this.use(nameOtherMethods);
    return super.setNotFoundHandler(...given) as unknown;
  }
}
