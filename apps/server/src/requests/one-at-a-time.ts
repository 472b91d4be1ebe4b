import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of a connection that are read before the current one has its answer. */
const MOST_WAITING = 8;

/**
 * Serves the requests of a connection one after another, and other connections in between: a connection that sends many without waiting for
 * answers takes as much of the process as any other. Only a few are read ahead. So the current answer is always the one that the connection
 * sends, and it closes with the connection.
 */
export function oneAtATime(serve: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, Queue>();
  return (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket) ?? new Queue(socket);
    queues.set(socket, queue);
    queue.add((next) => {
      response.once('close', next);
      serve(request, response);
    });
  };
}

type Work = (next: () => void) => void;

class Queue {
  readonly #waiting: Work[] = [];
  #isAtWork = false;
  #isHeld = false;

  constructor(private readonly socket: Socket) {
    // Node reads on when an answer ends.
    socket.on('resume', () => this.#isHeld && socket.pause());
    socket.once('close', () => this.#waiting.splice(0));
  }

  add(work: Work): void {
    if (this.#isAtWork) this.#waiting.push(work);
    else this.#begin(work);
    if (this.#waiting.length < MOST_WAITING || this.#isHeld) return;
    this.#isHeld = true;
    this.socket.pause();
  }

  #begin(work: Work): void {
    this.#isAtWork = true;
    work(() => setImmediate(() => this.#next()));
  }

  #next(): void {
    this.#isAtWork = false;
    const next = this.#waiting.shift();
    if (next) this.#begin(next);
    if (!this.#isHeld || this.#waiting.length >= MOST_WAITING) return;
    this.#isHeld = false;
    this.socket.resume();
  }
}
