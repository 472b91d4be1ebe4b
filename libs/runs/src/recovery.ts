import type { EventLog } from '#lib/event-store';
import { derivedId, isRejection, reject, type Rejection } from '#lib/kernel';
import { type CommandContext, refuse } from '#lib/operations';
import type { Failing, RunCommands, WorkflowRuntime } from '#lib/workflow';
import type { SetAsideView } from './recovery.views.js';
import { callMetadata } from './runs.js';

/** Items of one kind that this process has set aside after a failure: runs of workflows, sessions. */
export interface RecoverySource {
  /** By stream. */
  readonly setAside: readonly Failing[];
  /** Resolves once it has failed again or is at rest. */
  retry(stream: string): Promise<void>;
  /** Ends it as failed, recorded. */
  giveUp(stream: string, context: CommandContext): Promise<void>;
}

const LONGEST_RETRY_MS = 5_000;

const notSetAside = (stream: string): Rejection =>
  reject('unknown', 'not-set-aside', {
    what: stream.slice(0, 128),
    why: 'this process has not set it aside',
    fix: 'List the items that recovery set aside',
  });

/** Work that needs an operator: this process cannot continue it. An item stays listed until it succeeds or is given up, and blocks nothing else. */
export class RecoveryDesk {
  constructor(
    private readonly log: EventLog,
    private readonly sources: readonly RecoverySource[],
  ) {}

  /** By stream. */
  list(): readonly SetAsideView[] {
    const all = this.sources.flatMap(({ setAside }) =>
      setAside.map((item) => this.viewOf(item, 'set-aside')),
    );
    return all.toSorted((a, b) => (a.stream < b.stream ? -1 : 1));
  }

  /** Waits a few seconds: what takes longer has not failed yet. */
  async retry(stream: string): Promise<SetAsideView> {
    const { source, item } = this.find(stream);
    await Promise.race([source.retry(stream), patience()]);
    const again = source.setAside.find(({ name }) => name === stream);
    return again ? this.viewOf(again, 'set-aside') : this.viewOf(item, 'resumed');
  }

  async giveUp(stream: string, context: CommandContext): Promise<SetAsideView> {
    const { source, item } = this.find(stream);
    await source.giveUp(stream, context);
    return this.viewOf(item, 'given-up');
  }

  private find(stream: string) {
    for (const source of this.sources) {
      const item = source.setAside.find(({ name }) => name === stream);
      if (item) return { source, item };
    }
    return refuse(notSetAside(stream));
  }

  private viewOf(
    { name: stream, failure, attempts, since }: Failing,
    status: SetAsideView['status'],
  ): SetAsideView {
    const workflow = this.log.streams.parse(stream)?.category ?? '';
    return { stream, workflow, failure, attempts, since, status };
  }
}

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LONGEST_RETRY_MS).unref());
}

/** The runs that the runtime of this process has set aside. */
export function runRecovery(runtime: WorkflowRuntime, commands: RunCommands, log: EventLog): RecoverySource {
  return {
    get setAside() {
      return runtime.setAside;
    },
    retry: (stream) => runtime.retry(stream),
    async giveUp(stream, context) {
      const runId = log.streams.parse(stream)?.id ?? '';
      const metadata = callMetadata(context, runId);
      const answer = { eventId: derivedId(context.commandId, 'give-up'), metadata };
      const answered = await commands.giveUp(runId, 'given up by an operator', answer);
      if (isRejection(answered)) refuse(answered);
      await runtime.retry(stream);
    },
  };
}
