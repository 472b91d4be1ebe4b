import {
  resultBefore03,
  solicitation,
  type SolicitationChoice,
  type SolicitationLoss,
} from '#lib/decisions/solicitation';
import { type CloseSolicitation, spendingOf } from '#lib/decisions/session';
import { type Json, type JsonObject, jsonText } from '#lib/kernel';
import {
  branched,
  type ChildEnded,
  type ChildStarted,
  done,
  type Given,
  here,
  type Script,
  type Seen,
  type Steps,
} from '#lib/workflow';
import type { Ask, BatchInput } from './batch.input.js';
import { addSpent, capReached, NOTHING_SPENT } from './experiment.decider.js';
import type { BatchStop, ExperimentAnswer, ExperimentSpent } from './experiment.events.js';

/** The limit of a batch's answers, in bytes of JSON text. Only the last answer may exceed it. */
const MOST_BYTES = 16 * 1024 * 1024;

/** An answer, with the calls and the cost of its solicitation. */
export interface AskedAnswer {
  readonly ask: Ask;
  /** The id of the solicitation. */
  readonly runId: string;
  readonly answer: ExperimentAnswer;
  readonly spent: ExperimentSpent;
  readonly result: CloseSolicitation['data']['result'];
  /** The ids of the steps of its calls. */
  readonly calls: readonly string[];
}

/** Asks variants about decided rounds, a solicitation for each ask, until a limit is reached. */
export class Batch implements Script<Json> {
  readonly input: BatchInput;
  /** By the ids of the asks, in the order the answers arrived. */
  readonly answers = new Map<string, AskedAnswer>();
  #spent = NOTHING_SPENT;
  /** Asks without an answer: each makes at least one call. */
  #open = 0;
  #bytes = 0;
  #stoppedBy: BatchStop | undefined;
  #opened: readonly Seen[] = [];

  constructor({ start }: Given) {
    this.input = start.data.input as JsonObject & BatchInput;
  }

  get spent(): ExperimentSpent {
    return this.#spent;
  }

  /** The requested solicitations, by the ids of the asks. */
  get asked(): ReadonlyMap<string, string> {
    const children = this.#opened as readonly Seen<ChildStarted>[];
    return new Map(children.map(({ data: { stepId, runId } }) => [stepId, runId]));
  }

  *[Symbol.iterator](): Steps<Json> {
    const { asks, concurrency } = this.input;
    this.#opened = (yield* here()).opened;
    const scripts = asks.map((ask) => ({ script: this.#asked(ask) }));
    yield* branched({ path: 'asks', scripts, until: 'all', atMost: concurrency });
    const answers = asks.flatMap(({ id }) => this.answers.get(id)?.answer ?? []);
    const stoppedBy = answers.length < asks.length && this.#stoppedBy;
    return { answers, spent: this.#spent, ...(stoppedBy && { stoppedBy }) } as object as Json;
  }

  /** Limits are tested before each ask. Open asks then end, so the overrun is at most the calls in flight. */
  *#asked(ask: Ask): Steps<void> {
    this.#stoppedBy ??= this.#reached();
    if (this.#stoppedBy) return;
    this.#open += 1;
    const { sessionId, roundId, revision, id } = ask;
    const context = { stream: `session-${sessionId}`, revision };
    const input = this.#question(ask, roundId);
    const { event } = yield* done({ do: 'child', id, workflow: solicitation.name, input, context });
    this.#open -= 1;
    this.#take(ask, event.data as ChildEnded['data']);
  }

  #reached(): BatchStop | undefined {
    const { calls, costUSD } = this.#spent;
    if (this.#bytes >= MOST_BYTES) return 'size';
    return capReached(this.input, { calls: calls + this.#open, costUSD });
  }

  /** The run has the id of the experiment in place of a session's. */
  #question({ variant }: Ask, roundId: string): JsonObject {
    const { experimentId: sessionId, machineName, variants } = this.input;
    const { overrides: experiment, ...asked } = variants[variant] ?? { overrides: {} };
    return { sessionId, roundId, machineName, ...asked, experiment } as object as JsonObject;
  }

  #take(ask: Ask, { stepId: _, runId, ...end }: ChildEnded['data']): void {
    this.#bytes += jsonText(end).length;
    const given = (end.result ?? {}) as JsonObject & Partial<SolicitationChoice & SolicitationLoss>;
    const { calls = [], numInputTokens = 0, numOutputTokens = 0 } = given;
    // A cancelled solicitation may have an answer.
    const hasChoice = end.status !== 'failed' && given.transitionName !== undefined;
    const result = resultBefore03(hasChoice ? { ...end, status: 'completed' } : end);
    const { costUSD } = 'choice' in result ? result.choice : result;
    const spent = {
      calls: calls.length,
      inputTokens: numInputTokens,
      outputTokens: numOutputTokens,
      costUSD: costUSD ?? 0,
    };
    this.#spent = addSpent(this.#spent, spent);
    this.answers.set(ask.id, { ask, runId, spent, calls, result, answer: answerOf(result) });
  }
}

function answerOf(result: AskedAnswer['result']): ExperimentAnswer {
  if ('failure' in result) {
    const { failure, costUSD } = result;
    return { failure: failure.kind, ...(costUSD !== undefined && { costUSD }) };
  }
  const { transitionName, toState } = result.choice;
  return { transitionName, toState, ...spendingOf(result.choice) };
}
