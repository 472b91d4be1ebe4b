import { type FSWatcher, watch } from 'node:fs';

/** The interval in which appends of other processes are seen on systems that report no file changes. */
const POLL_MS = 250;
const FIRST_LOOK_MS = 1;
const LAST_LOOK_MS = 64;

/** Notices commits of all processes to a log file. Keeps the process alive from its start to its stop. */
export class CommitWatch {
  #watcher: FSWatcher | undefined;
  #poll: NodeJS.Timeout | undefined;
  #nextLook: NodeJS.Timeout | undefined;
  #version: number;

  /**
   * @param dataVersion changes with each commit of another connection
   * @param onCommit called after such a change
   */
  constructor(
    private readonly dataVersion: () => number,
    private readonly onCommit: () => void,
  ) {
    this.#version = dataVersion();
  }

  /** @param walFile exists as long as any connection is open. Starting twice is not an error. */
  start(walFile: string): void {
    if (this.#poll) return;
    this.#poll = setInterval(() => this.check(), POLL_MS);
    try {
      this.#watcher = watch(walFile, { persistent: false }, () => this.#look(FIRST_LOOK_MS));
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // The system has too many watches, or the file system has none: the poll finds every commit, only later.
    }
  }

  /** Asks the database at once. Does nothing before `start`. */
  check(): void {
    if (!this.#poll) return;
    const version = this.dataVersion();
    if (version === this.#version) return;
    this.#version = version;
    clearTimeout(this.#nextLook);
    this.onCommit();
  }

  stop(): void {
    clearInterval(this.#poll);
    clearTimeout(this.#nextLook);
    this.#watcher?.close();
  }

  /** The file changes before its commit can be seen: the flush to the disk comes later. So it looks again, at growing intervals. */
  #look(pause: number): void {
    clearTimeout(this.#nextLook);
    if (pause <= LAST_LOOK_MS) this.#nextLook = setTimeout(() => this.#look(pause * 2), pause).unref();
    this.check();
  }
}
