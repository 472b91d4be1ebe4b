import type { Problem, RecordedEvent } from '#lib/kernel';
import { checkKeyIn, type CommandContext, OPERATOR, personOf, RejectionError } from '#lib/operations/core';
import type { Runs } from '#lib/runs/runs/core';
import { StreamHistory } from '#lib/event-store';
import { type SignalAwaited, whyNotAnsweringWait, type WorkflowStarted } from '#lib/workflow';
import { runTask } from './run-task.rules.js';
import type { AnsweredOwner, TakenAnswer, TaskFamily, TaskPerson, WaitOwner } from './task.family.js';
import { invalidAnswer, notTimed, taskAnswered, taskGone } from './task.rejections.js';
import { payloadOf } from './wait-choices.js';

/** The turns of conversations, as the answers to their tasks see them. */
export interface AnsweredTurns {
  /** The turn once it has ended or waits again. */
  settled(conversationId: string, turnId: string, context: CommandContext): Promise<object>;
}

/** Waits of runs for people, as tasks: approvals of tools, questions of scripts, signals with a prompt, messages of chats. */
export class RunTasks implements TaskFamily<WaitOwner> {
  readonly kinds = ['approval', 'answer'] as const;

  constructor(
    private readonly runs: Runs,
    private readonly turns: AnsweredTurns,
  ) {}

  async taskOf(owner: WaitOwner) {
    return runTask(owner, await this.runs.history(owner.runId));
  }

  async whyNot(owner: WaitOwner, person: TaskPerson | undefined, assignee: string | undefined) {
    const history = await this.runs.history(owner.runId);
    const [start] = history as readonly RecordedEvent<WorkflowStarted>[];
    const { people: policy } = awaitedIn(history, owner) ?? {};
    const facts = { creator: start?.data.by, ...(assignee !== undefined && { assignee }) };
    return whyNotAnsweringWait({ ...(policy && { policy }) }, person, facts);
  }

  /** Waits of runs have no clocks. */
  clocksOf(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  /** @throws RejectionError */
  move(): Promise<void> {
    return Promise.reject(new RejectionError(notTimed()));
  }

  async isRepeat({ runId }: WaitOwner, context: CommandContext): Promise<boolean> {
    return context.keyed && checkKeyIn(new StreamHistory(await this.runs.history(runId)), context).length > 0;
  }

  async answer({ owner, body, person, assignee }: TakenAnswer<WaitOwner>, context: CommandContext) {
    const { runId, stepId: awaitId } = owner;
    const awaited = awaitedIn(await this.runs.history(runId), owner);
    if (!awaited) throw new TypeError(`run ${runId} has not waited at ${awaitId}`);
    const author = { by: personOf(context) ?? OPERATOR, ...(person && { person }) };
    const assigned = assignee !== undefined && { assignee };
    const { signal, schema } = awaited;
    const input = { signal, awaitId, ...payloadOf(body, schema), ...author, ...assigned };
    try {
      await this.runs.answerOwned(
        runId,
        (commands, answer) => commands.signal(runId, input, answer),
        context,
      );
    } catch (error) {
      throw await this.#refused(error, owner);
    }
    return this.answered(owner, context);
  }

  async answered(
    { runId, conversationId, turnId }: WaitOwner,
    context: CommandContext,
  ): Promise<AnsweredOwner> {
    if (conversationId === undefined || turnId === undefined)
      return { run: await this.runs.after(context, runId) };
    return { turn: await this.turns.settled(conversationId, turnId, context) };
  }

  /** In the words of tasks. */
  async #refused(error: unknown, owner: WaitOwner): Promise<unknown> {
    if (!(error instanceof RejectionError)) return error;
    const { code, problems = [] } = error.rejection;
    if (code === 'invalid-payload') return new RejectionError(invalidAnswer(problems.map(inBody(owner))));
    if (code !== 'not-awaited') return error;
    const task = await this.taskOf(owner);
    if (task?.status === 'answered') return new RejectionError(taskAnswered(task.answer));
    return task && task.status !== 'open' ? new RejectionError(taskGone(task.status)) : error;
  }
}

/** The members of an approval stand in the body, those of an answer in its payload. */
function inBody({ kind }: WaitOwner): (problem: Problem) => Problem {
  return ({ path, message }) => ({
    path: kind === 'approval' ? path.replace('/payload', '') : path,
    message,
  });
}

function awaitedIn(
  history: readonly RecordedEvent[],
  { stepId }: WaitOwner,
): SignalAwaited['data'] | undefined {
  const opened = history.find((event) => {
    return event.type === 'SignalAwaited' && (event as RecordedEvent<SignalAwaited>).data.stepId === stepId;
  });
  return (opened as RecordedEvent<SignalAwaited> | undefined)?.data;
}
