import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Connection } from './connection.js';
import { GRPC, type GrpcFailure } from './grpc-failure.js';
import type { BatchAppendCall } from './node-connection.js';

interface Waiting {
  readonly resolve: (response: BatchAppendResp) => void;
  readonly reject: (error: unknown) => void;
}

const ENDED: GrpcFailure = { code: GRPC.unavailable, details: 'The server ended the call.' };

/** One call that carries many appends at a time. Answers find their appends by correlation id. */
export class AppendCall {
  readonly #waiting = new Map<string, Waiting>();
  readonly #unsent = new Map<string, BatchAppendReq>();
  #call: BatchAppendCall | undefined;
  #error: unknown;
  #abandoned = false;

  constructor(connection: Connection) {
    connection
      .batchAppend((call) => this.#attend(call))
      .then(
        () => this.#end(ENDED),
        (error: unknown) => this.#end(error),
      );
  }

  /** A call that is over takes no more appends. */
  get isOver(): boolean {
    return this.#error !== undefined;
  }

  /** Rejects with the error that ended the call: then the append may be stored or not. */
  send(id: string, request: BatchAppendReq): Promise<BatchAppendResp> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      if (this.#call) this.#call.write(request);
      else this.#unsent.set(id, request);
    });
  }

  /** Drops an append, unless it was sent. @returns whether it was sent */
  forget(id: string): boolean {
    this.#waiting.delete(id);
    this.#tidy();
    return !this.#unsent.delete(id);
  }

  /** Sends no further append. The call is cancelled once no append waits for its answer. */
  abandon(): void {
    this.#abandoned = true;
    this.#tidy();
  }

  #attend(call: BatchAppendCall): Promise<void> {
    this.#call = call;
    for (const request of this.#unsent.values()) call.write(request);
    this.#unsent.clear();
    this.#tidy();
    return new Promise((resolve, reject) => {
      call.on('data', (response: BatchAppendResp) => this.#answer(response));
      call.on('end', resolve);
      call.on('error', reject);
    });
  }

  #answer(response: BatchAppendResp): void {
    const id = response.getCorrelationId()?.getString() ?? '';
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.resolve(response);
    this.#tidy();
  }

  #tidy(): void {
    if (this.#abandoned && this.#waiting.size === 0) this.#call?.cancel();
  }

  #end(error: unknown): void {
    this.#error = error;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}
