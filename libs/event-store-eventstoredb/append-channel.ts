import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { AppendCall } from './append-call.js';
import type { Connection } from './connection.js';
import { ServerSilent } from './server-errors.js';

interface SentAppend {
  readonly answer: Promise<BatchAppendResp>;
  /** To be called once the answer has come or is no longer waited for. */
  readonly forget: () => void;
}

/**
 * Sends appends, all on one call as long as it works. The protocol has no deadline for an answer that never comes, so each append has one here. After
 * it the outcome is unknown, and later appends go on a new call.
 */
export class AppendChannel {
  #current: AppendCall | undefined;

  constructor(private readonly connection: Connection) {}

  /** `answer` rejects with ServerSilent, or the failure of the call. In both cases the append may be stored or not. */
  send(id: string, request: BatchAppendReq, timeoutMs: number): SentAppend {
    const call = this.#call();
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<BatchAppendResp>((resolve, reject) => {
      timer = setTimeout(() => {
        if (this.#current === call) this.close();
        const wasSent = call.forget(id);
        reject(new ServerSilent(timeoutMs, wasSent));
        this.connection.wasSilent(timeoutMs);
      }, timeoutMs);
      call.send(id, request).then(resolve, reject);
    });
    const forget = () => {
      clearTimeout(timer);
      call.forget(id);
    };
    return { answer, forget };
  }

  /** Ends the current call once all its appends are answered. */
  close(): void {
    this.#current?.abandon();
    this.#current = undefined;
  }

  #call(): AppendCall {
    if (this.#current === undefined || this.#current.isOver) this.#current = new AppendCall(this.connection);
    return this.#current;
  }
}
