import { type AnsweringPerson, type Escalated, notAPerson, withEscalated } from '#lib/candidates';
import type { Problem } from '#lib/kernel';
import {
  authorOf,
  checkKeyIn,
  childContext,
  type CommandContext,
  OPERATOR,
  personOf,
  RejectionError,
} from '#lib/operations/core';
import type { Runs } from '#lib/runs/runs/core';
import { StreamHistory } from '#lib/event-store';
import { creatorsIn, whyNotAnsweringWait } from '#lib/workflow';
import { clockAfter, escalationsIn } from './due-times/clock-events.js';
import type { Moved } from './due-times/clock.rules.js';
import type { RunningClocks } from './due-times/running-clocks.js';
import { clocksOfWait, nextClockOf, openingIn, runTask } from './run-task.rules.js';
import type {
  AnsweredOwner,
  TakenAnswer,
  TaskFamily,
  TaskPerson,
  WaitingThing,
  WaitOwner,
} from './task.family.js';
import { invalidAnswer, taskAnswered, taskGone } from './task.rejections.js';
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
    private readonly clocks: RunningClocks,
  ) {}

  streamOf({ runId }: WaitOwner): Promise<string> {
    return this.runs.streamOf(runId);
  }

  async taskOf(owner: WaitOwner) {
    const history = await this.runs.history(owner.runId);
    const found = runTask(owner, history);
    if (!found) return undefined;
    const task = { ...found, about: { ...found.about, ...(await this.runs.labels(owner.runId)) } };
    const clocks = clocksOfWait(owner, history);
    const last = clocks.at(-1);
    if (!last) return task;
    const runs = await this.clocks.events(clocks.map(({ clockId }) => clockId));
    const times = last.hasFailed || !last.clock ? escalationsIn(runs) : clockAfter(last.clock, runs);
    return { ...task, times, candidates: candidatesAfter(task.candidates, times.escalated) };
  }

  async whyNot(owner: WaitOwner, person: TaskPerson | undefined, assignee: string | undefined) {
    const history = await this.runs.history(owner.runId);
    const { people: policy } = openingIn(history, owner)?.data ?? {};
    const facts = { creators: creatorsIn(history), ...(assignee !== undefined && { assignee }) };
    const { escalated } = await this.clocks.escalated(await this.clocksOf(owner));
    if (!person && escalated?.isInstead) return notAPerson();
    const asked = person && { ...person, ...(escalated && { escalated }) };
    return whyNotAnsweringWait({ ...(policy && { policy }) }, asked, facts);
  }

  /** The person, with the candidates that escalations have named. */
  async answering(owner: WaitOwner, person: TaskPerson): Promise<AnsweringPerson> {
    return { ...person, ...(await this.clocks.escalated(await this.clocksOf(owner))) };
  }

  async clocksOf(owner: WaitOwner): Promise<readonly string[]> {
    const clocks = clocksOfWait(owner, await this.runs.history(owner.runId));
    return clocks.map(({ clockId }) => clockId);
  }

  /**
   * A wait without a clock gets one first. One that has a time-out beside its clock, as in a fork, asks for a clock, too: the time-out ends.
   * @throws RejectionError if the wait is over @throws ClockNotRunning
   */
  async move(owner: WaitOwner, moved: Moved, context: CommandContext): Promise<void> {
    const history = await this.runs.history(owner.runId);
    const clocks = clocksOfWait(owner, history);
    const ids = clocks.map(({ clockId }) => clockId);
    if (await this.clocks.hasTaken(ids, context)) return;
    const last = clocks.at(-1);
    const nextId = nextClockOf(owner, history);
    await this.#request(owner, nextId, context);
    return this.clocks.move(last && !last.hasFailed ? last.clockId : nextId, moved, context);
  }

  /** Changes nothing for a wait that only a clock ends. */
  async #request(owner: WaitOwner, clockId: string, context: CommandContext): Promise<void> {
    const { runId, stepId } = owner;
    const asked = { stepId, by: authorOf(context) };
    try {
      await this.runs.answerOwned(
        runId,
        (commands, answer) => commands.requestClock(runId, asked, answer),
        childContext(context, `clock ${clockId}`),
      );
    } catch (error) {
      throw await this.#refused(error, owner);
    }
  }

  async isRepeat({ runId }: WaitOwner, context: CommandContext): Promise<boolean> {
    return context.keyed && checkKeyIn(new StreamHistory(await this.runs.history(runId)), context).length > 0;
  }

  async answer({ owner, body, person, assignee }: TakenAnswer<WaitOwner>, context: CommandContext) {
    const { runId, stepId: awaitId } = owner;
    const awaited = openingIn(await this.runs.history(runId), owner)?.data;
    if (!awaited) throw new TypeError(`run ${runId} has not waited at ${awaitId}`);
    const author = {
      by: personOf(context) ?? OPERATOR,
      ...(person && { person: await this.answering(owner, person) }),
    };
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

  /** A rejection of a run in the terms of tasks. */
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

/** Without named candidates every reviewer and operator answers, until an escalation names others in their place. */
function candidatesAfter(before: WaitingThing['candidates'], escalated: Escalated | undefined) {
  const isNamed = before.people.length > 0 || before.groups.length > 0;
  return !isNamed && !escalated?.isInstead ? before : withEscalated(before, escalated);
}

/** The members of an approval stand in the body, those of an answer in its payload. */
function inBody({ kind }: WaitOwner): (problem: Problem) => Problem {
  return ({ path, message }) => ({
    path: kind === 'approval' ? path.replace('/payload', '') : path,
    message,
  });
}
