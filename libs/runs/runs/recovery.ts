import type { EventLog } from '#lib/event-store';
import { type Clock, derivedId, reject, type Rejection } from '#lib/kernel';
import { type CommandContext, orRefused, refuse } from '#lib/operations/core';
import type { Failing, RunCommands, WorkflowRuntime } from '#lib/workflow';
import type { SetAsideView } from './recovery.views.js';
import { callMetadata } from './call-metadata.js';

/** Items of one kind that this process has set aside after a failure: runs of workflows, or sessions. */
export interface RecoverySource {
  /** By stream. */
  readonly setAside: readonly Failing[];
  /** Finds items that this process could not continue and has not tried, of one stream, or of all in a process that only reads. */
  lookAgain?(stream?: string): Promise<void>;
  /** Resolves once the item has failed again or is at rest. */
  retry(stream: string): Promise<void>;
  /** Ends the item as failed, and records that. */
  giveUp(stream: string, context: CommandContext): Promise<void>;
}

const LONGEST_RETRY_MS = 5_000;

const notSetAside = (stream: string): Rejection =>
  reject('unknown', 'not-set-aside', {
    what: stream.slice(0, 128),
    why: 'this process has not set it aside',
    fix: 'List the items that recovery set aside',
  });

/**
 * Work that needs an operator, because this process cannot continue it. An item stays listed until it succeeds or is given up, and blocks no other
 * work.
 */
export class RecoveryDesk {
  constructor(
    private readonly log: EventLog,
    private readonly sources: readonly RecoverySource[],
  ) {}

  /** The items, by stream. */
  async list(): Promise<readonly SetAsideView[]> {
    for (const source of this.sources) await source.lookAgain?.();
    const all = this.sources.flatMap(({ setAside }) =>
      setAside.map((item) => this.viewOf(item, 'set-aside')),
    );
    return all.toSorted((a, b) => (a.stream < b.stream ? -1 : 1));
  }

  /** Waits a few seconds. An attempt that takes longer has not failed yet. */
  async retry(stream: string): Promise<SetAsideView> {
    const { source, item } = await this.find(stream);
    await Promise.race([source.retry(stream), patience()]);
    const again = source.setAside.find(({ name }) => name === stream);
    return again ? this.viewOf(again, 'set-aside') : this.viewOf(item, 'resumed');
  }

  async giveUp(stream: string, context: CommandContext): Promise<SetAsideView> {
    const { source, item } = await this.find(stream);
    await source.giveUp(stream, context);
    return this.viewOf(item, 'given-up');
  }

  private async find(stream: string) {
    const found = this.findIn(stream);
    if (found) return found;
    // A process that has just started has not tried the item yet.
    for (const source of this.sources) await source.lookAgain?.(stream);
    return this.findIn(stream) ?? refuse(notSetAside(stream));
  }

  private findIn(stream: string) {
    for (const source of this.sources) {
      const item = source.setAside.find(({ name }) => name === stream);
      if (item) return { source, item };
    }
    return undefined;
  }

  private viewOf({ name: stream, ...item }: Failing, status: SetAsideView['status']): SetAsideView {
    const workflow = this.log.streams.parse(stream)?.category ?? '';
    return { stream, workflow, ...item, status };
  }
}

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LONGEST_RETRY_MS).unref());
}

/**
 * The runs that the runtime of this process has set aside.
 * @param readOnly whether this process continues no runs: then it finds the runs that it could not continue when they are listed
 */
export function runRecovery(
  runtime: WorkflowRuntime,
  commands: RunCommands,
  log: EventLog,
  readOnly: boolean,
  clock: Clock,
): RecoverySource {
  /** Waits for a drive that is under way before it tries the run: that drive may have read an older state, and leaves the run set aside. */
  const tried = async (stream: string) => {
    const { category: workflow = '', id: runId = '' } = log.streams.parse(stream) ?? {};
    await runtime.driveOf({ workflow, runId });
    await runtime.retry(stream);
    await runtime.driveOf({ workflow, runId });
  };
  return {
    get setAside() {
      return runtime.setAside;
    },
    async lookAgain(stream) {
      if (stream !== undefined) await runtime.unattended.examine(stream);
      else if (readOnly) await runtime.unattended.survey();
    },
    retry: tried,
    async giveUp(stream, context) {
      const runId = log.streams.parse(stream)?.id ?? '';
      const metadata = callMetadata(context, runId, clock);
      const answer = { eventId: derivedId(context.commandId, 'give-up'), metadata };
      orRefused(await commands.giveUp(stream, { reason: 'given up by an operator' }, answer));
      await tried(stream);
    },
  };
}
