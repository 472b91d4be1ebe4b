import {
  resultBefore03,
  solicitation,
  type SolicitationChoice,
  type SolicitationLoss,
} from '#lib/decisions/solicitation';
import { type Json, type JsonObject, jsonText } from '#lib/kernel';
import { branched, type ChildEnded, done, type Given, type Script, type Steps } from '#lib/workflow';
import type { Ask, BatchInput } from './batch.input.js';
import { addSpent, capReached, NOTHING_SPENT } from './experiment.decider.js';
import type { BatchStop, ExperimentAnswer, ExperimentSpent } from './experiment.events.js';

/** The answers of a batch take no more than this, as JSON text; the last one may exceed it. */
const MOST_BYTES = 16 * 1024 * 1024;

/** An answer with what its solicitation recorded. */
export interface AskedAnswer {
  readonly ask: Ask;
  /** The solicitation. */
  readonly runId: string;
  readonly answer: ExperimentAnswer;
  readonly spent: ExperimentSpent;
  readonly toState?: string;
  readonly metaJson?: JsonObject;
  readonly message?: string;
  /** The steps of its calls. */
  readonly calls: readonly string[];
}

/** Asks variants about decided rounds, a solicitation for each ask, until a limit is reached. */
export class Batch implements Script<Json> {
  readonly input: BatchInput;
  /** In the order they came, by the ids of the asks. */
  readonly answers = new Map<string, AskedAnswer>();
  #spent = NOTHING_SPENT;
  /** Asks that have begun and not ended: each makes a call at least. */
  #open = 0;
  #bytes = 0;
  #stoppedBy: BatchStop | undefined;

  constructor({ start }: Given) {
    this.input = start.data.input as JsonObject & BatchInput;
  }

  get spent(): ExperimentSpent {
    return this.#spent;
  }

  *[Symbol.iterator](): Steps<Json> {
    const { asks, concurrency } = this.input;
    const scripts = asks.map((ask) => ({ script: this.#asked(ask) }));
    yield* branched({ path: 'asks', scripts, until: 'all', atMost: concurrency });
    const answers = asks.flatMap(({ id }) => this.answers.get(id)?.answer ?? []);
    const stoppedBy = answers.length < asks.length && this.#stoppedBy;
    return { answers, spent: this.#spent, ...(stoppedBy && { stoppedBy }) } as object as Json;
  }

  /** A limit is tested before each ask: those that are open then end, so no more is spent than what is in flight. */
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

  /** In place of the id of a session the run has that of the experiment. */
  #question({ variant }: Ask, roundId: string): JsonObject {
    const { experimentId: sessionId, machineName, variants } = this.input;
    const { overrides: experiment, ...asked } = variants[variant] ?? { overrides: {} };
    return { sessionId, roundId, machineName, ...asked, experiment } as object as JsonObject;
  }

  #take(ask: Ask, { stepId: _, runId, ...end }: ChildEnded['data']): void {
    this.#bytes += jsonText(end).length;
    const given = (end.result ?? {}) as JsonObject & Partial<SolicitationChoice & SolicitationLoss>;
    const { calls = [], numInputTokens = 0, numOutputTokens = 0 } = given;
    // A cancelled run may have its answer all the same.
    const hasChoice = end.status !== 'failed' && given.transitionName !== undefined;
    const result = resultBefore03(hasChoice ? { ...end, status: 'completed' } : end);
    const { costUSD } = 'choice' in result ? result.choice : result;
    const cost = costUSD !== undefined && { costUSD };
    const spent = {
      calls: calls.length,
      inputTokens: numInputTokens,
      outputTokens: numOutputTokens,
      costUSD: costUSD ?? 0,
    };
    this.#spent = addSpent(this.#spent, spent);
    const about = { ask, runId, spent, calls };
    if ('failure' in result) {
      const { kind, message } = result.failure;
      this.answers.set(ask.id, { ...about, answer: { failure: kind, ...cost }, message });
      return;
    }
    const { transitionName, toState, latencyMsec, metaJson } = result.choice;
    const latency = latencyMsec !== undefined && { latencyMsec };
    const answer = { transitionName, ...cost, ...latency };
    this.answers.set(ask.id, { ...about, answer, toState, ...(metaJson && { metaJson }) });
  }
}
