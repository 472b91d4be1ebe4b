import {
  type ActivityFailure,
  type Attempted,
  attempts,
  type Closed,
  done,
  type FailingAttempt,
  here,
  isForked,
  NotDerived,
  opened,
  type Pause,
  type Seen,
  spreadDelay,
  type Steps,
  type Tried,
} from '#lib/workflow';
import type { BudgetChecked, BudgetCheckRequested } from '../budget-check.rules.js';
import type {
  LlmCallCompleted,
  LlmCallFailed,
  LlmCallInput,
  LlmCallRequested,
} from '../llm/llm-call.events.js';
import { type Completion, readReply } from '../read-reply.js';
import { budgetCheck, type BudgetOfCalls, budgetRefusal } from './budget.rules.js';
import { correctionOf, knownRefusal, withoutMember } from './corrections.rules.js';
import type { ModelFallback } from './model-call.events.js';
import {
  classifyFailure,
  classifyReply,
  LONGEST_WAIT_MS,
  type ModelFailure,
  type NotAnswered,
} from './model-outcome.rules.js';
import type { ModelParameters } from '../model-parameters.js';
import { parametersIn, routesIn } from './forked-routes.rules.js';
import type { ModelRoute } from './model-route.js';
import { addSpent, isSpent, type ModelAsk, NOTHING_SPENT, type Spent, spentOn } from './spent.js';
import { type JsonObject, present } from '#lib/kernel';

/** A model's completion, and the reply that holds it. */
export interface Answered {
  readonly completion: Completion;
  readonly reply: LlmCallCompleted['data'];
}

/** The outcome of a request to a model and its backups. */
export type AskedModel = Tried<Answered, ModelFailure> & {
  /** The model that was asked last, then its backups. */
  readonly routes: readonly ModelRoute[];
  readonly spent: Spent;
  /** The steps of the calls that were made. */
  readonly calls: readonly string[];
};

/** Makes the request to a model from its route, and the parameters of the ask or of the fork. */
type Request = (route: ModelRoute, parameters: ModelParameters | undefined) => ModelRequest;

/**
 * Asks a model until there is a completion: attempts, the waits between them, then its backups. The calling script makes the body, and reads the
 * completion.
 * @param request gives the request for a model
 */
export function* askedModel(ask: ModelAsk, request: Request): Steps<AskedModel> {
  const asking = new Asking(ask, request);
  const answer = yield* asking.answer();
  const { routes, spent, calls } = asking;
  return { ...answer, routes, spent, calls };
}

/** A failure, and whether another call may succeed. */
interface Failed extends FailingAttempt, NotAnswered {}

class Asking {
  routes: readonly ModelRoute[];
  spent = NOTHING_SPENT;
  readonly calls: string[] = [];
  /** The number of budget checks. */
  #checks = 0;

  constructor(
    private readonly ask: ModelAsk,
    private readonly request: Request,
  ) {
    this.routes = ask.routes;
  }

  *answer(): Steps<Tried<Answered, ModelFailure>> {
    for (let first = 1; ;) {
      const { attempt, ...tried } = yield* attempts<Answered, Failed>({
        first,
        call: (number) => this.#attempt(number),
        pauses: {
          after: (failures, failed, number) => this.#pause(failures, failed, number),
          id: (number) => `${this.ask.callId}-retry#${number}`,
        },
      });
      if ('value' in tried) return tried;
      const { failure, retry } = tried.failed;
      const [, backup] = this.routes;
      if (retry === 'never' || retry === 'unknown' || !backup) return { failed: failure };
      yield* this.#elsewhere(backup, failure);
      first = attempt + 1;
    }
  }

  get #route(): ModelRoute {
    return this.routes[0] as ModelRoute;
  }

  /**
   * One request, after its budget check, and before that without members that are known to be refused. If it was open when the run was forked, it is
   * made again in the fork.
   */
  *#attempt(attempt: number): Steps<Attempted<Answered, Failed>> {
    const { budget, callId, limit } = this.ask;
    for (;;) {
      if (limit && isSpent(limit, this.spent))
        return { failed: overBudget('The question has spent what it may') };
      const asked = yield* this.#asked();
      const refused = budget && (yield* this.#checked(budget, asked.body));
      if (refused === 'forked') continue;
      if (refused) return { failed: refused };
      const input = callInput(this.#route, attempt, asked);
      const id = `${callId}#${attempt}`;
      const closed = yield* opened({ do: 'call', id, activity: 'llm', input });
      if (isForked(closed.event)) continue;
      this.calls.push(id);
      return yield* this.#outcome(closed);
    }
  }

  *#asked(): Steps<ModelRequest> {
    for (;;) {
      const { fork } = yield* here();
      this.routes = routesIn(fork, this.routes);
      const asked = this.request(this.#route, parametersIn(fork, this.ask.modelParameters));
      const skip = knownRefusal({ ...this.ask, routes: this.routes }, asked.body);
      if (!skip) return asked;
      yield* fallBack(skip);
      this.routes = withoutMember(this.routes, skip);
    }
  }

  /** Checks the budget. If the spending is unknown, no call is made. @returns why the call is not made */
  *#checked(budget: BudgetOfCalls, body: LlmCallInput['body']): Steps<Failed | 'forked' | undefined> {
    const input = budgetCheck(budget, this.#route, body);
    const id = `${this.ask.callId}-budget#${++this.#checks}`;
    const { opening, event } = yield* opened({ do: 'call', id, activity: 'budget', input });
    if (isForked(event)) return 'forked';
    const { failure, spent } = event.data as { failure?: ActivityFailure } & BudgetChecked['data'];
    if (failure) {
      const { kind } = failure;
      const unread = overBudget(`What was spent cannot be read: ${failure.message}`);
      return kind === 'interrupted' ? { ...unread, kind, retryable: true, isUnmade: true } : unread;
    }
    const refusal = budgetRefusal(opening?.data as BudgetCheckRequested['data'], spent);
    return refusal === undefined ? undefined : overBudget(refusal);
  }

  *#outcome({ opening, event }: Closed): Steps<Attempted<Answered, Failed>> {
    if (event.type === 'LlmCallFailed') {
      const data = event.data as LlmCallFailed['data'];
      this.#spend({ latencyMs: data.failure.durationMs, usage: {} });
      return { failed: failing(classifyFailure(data)) };
    }
    const reply = event.data as LlmCallCompleted['data'];
    const read = readReply(reply);
    if (read.kind === 'failed' && read.isOverAllowance) throw new NotDerived('reply');
    this.#spend(spentOn(reply, read, this.#route));
    const outcome = classifyReply(reply, read, event.occurredAt);
    if ('completion' in outcome) return { value: { completion: outcome.completion, reply } };
    const sent = Object.keys((opening as Seen<LlmCallRequested>).data.body);
    const correction = correctionOf({ ...this.ask, routes: this.routes }, sent, reply);
    if (!correction) return { failed: failing(outcome) };
    yield* fallBack(correction.fallback);
    this.routes = correction.routes;
    return { again: true };
  }

  #spend(spent: Spent): void {
    this.spent = addSpent(this.spent, spent);
  }

  #pause(failures: number, { retry, retryAfterMs }: Failed, attempt: number): Pause {
    if (retry !== 'same-model' || failures >= this.#route.maxAttempts) return 'never';
    const { seed, callId } = this.ask;
    const afterMs = retryAfterMs ?? spreadDelay(failures, `${seed} ${callId}#${attempt}`);
    if (afterMs > LONGEST_WAIT_MS) return 'never';
    return afterMs > 0 ? afterMs : 'at-once';
  }

  *#elsewhere(backup: ModelRoute, { kind, upstreamStatus }: ModelFailure): Steps<void> {
    yield* fallBack({
      callId: this.ask.callId,
      from: this.#route.modelId,
      to: backup.modelId,
      reason: kind,
      ...(upstreamStatus !== undefined && { upstreamStatus }),
    });
    this.routes = this.routes.slice(1);
  }
}

function* fallBack(data: ModelFallback['data']): Steps<void> {
  yield* done({ do: 'record', event: { type: 'FallbackTaken', data } });
}

function failing(outcome: NotAnswered): Failed {
  // Asking a model twice is safe.
  return { ...outcome, kind: outcome.failure.kind, retryable: true };
}

function overBudget(message: string): Failed {
  return { kind: 'budget', retryable: false, retry: 'never', failure: { kind: 'budget', message } };
}

/** The request of a workflow to a model. */
export type ModelRequest = Pick<LlmCallInput, 'body' | 'labels' | 'toolNames'>;

function callInput(
  { url, provider, timeoutMs, firstByteTimeoutMs, idleTimeoutMs, price }: ModelRoute,
  attempt: number,
  asked: ModelRequest,
): JsonObject & LlmCallInput {
  return {
    url,
    provider,
    timeoutMs,
    ...present({ firstByteTimeoutMs, idleTimeoutMs }),
    attempt,
    ...(price && { price }),
    ...asked,
  };
}
