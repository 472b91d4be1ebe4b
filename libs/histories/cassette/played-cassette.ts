import type { LlmOutcome, ModelCalls, ModelRequest } from '#lib/activities';
import { completionIn } from '#lib/call-rules';
import { firstDifference, isJsonObject, jsonText, type RedialError } from '#lib/kernel';
import { shownApart } from '../shown-apart.js';
import { CassetteExhausted, CassetteMiss } from './cassette-errors.js';
import { type AskedModel, type Exchange, keyOf } from './recorded-exchanges.js';

/** Answers each request with the recorded answer to the same request. Each recorded call is used once. */
export class PlayedCassette implements ModelCalls {
  readonly #left: Exchange[];
  readonly #known: ReadonlySet<string>;

  constructor(
    private readonly file: string,
    exchanges: readonly Exchange[],
  ) {
    this.#left = [...exchanges];
    this.#known = new Set(exchanges.map(({ asked }) => keyOf(asked)));
  }

  async perform(
    { requestBody: body, labels: role = {} }: ModelRequest,
    _signal: AbortSignal,
    emit: (text: string) => void = () => undefined,
  ): Promise<LlmOutcome> {
    const asked = { body, role };
    const key = keyOf(asked);
    const at = this.#left.findIndex((exchange) => keyOf(exchange.asked) === key);
    if (at < 0) return failedCall(this.#known.has(key) ? this.#exhausted(asked) : this.#miss(asked));
    const [{ outcome }] = this.#left.splice(at, 1) as [Exchange];
    if (body['stream'] === true) emit(textOf(outcome));
    return outcome;
  }

  #exhausted({ role }: AskedModel): RedialError {
    return new CassetteExhausted(
      `the request ${jsonText(role)} to ${this.file}`,
      'the cassette has it, and all recorded calls of it are used',
      'Record the cassette again if the model is asked more often now',
    );
  }

  #miss(asked: AskedModel): RedialError {
    return new CassetteMiss(
      `the request ${jsonText(asked.role)} to ${this.file}`,
      this.#difference(asked),
      'Correct the change of the request, or record the cassette again if the change is intended',
    );
  }

  /** The first difference to the next unused call: of the same role, if there is one. */
  #difference(asked: AskedModel): string {
    const { role } = asked;
    const next =
      this.#left.find((exchange) => jsonText(exchange.asked.role) === jsonText(role)) ?? this.#left[0];
    if (!next) return 'the cassette has no such request, and all its recorded calls are used';
    const difference = firstDifference(next.asked, asked);
    if (!difference) return 'the cassette has no such request';
    const [recorded, now] = shownApart(difference.recorded, difference.replayed);
    return `the cassette has no such request; the next recorded one differs at ${difference.pointer}: recorded ${recorded}, asked ${now}`;
  }
}

/** The error as a failure of the model: the call of the test fails with it. */
export function failedCall({ message }: RedialError): LlmOutcome {
  return { failed: { failure: { kind: 'cassette', message, retryable: false, durationMs: 0 } } };
}

function textOf(outcome: LlmOutcome): string {
  const choices = 'completed' in outcome ? completionIn(outcome.completed.body)?.['choices'] : undefined;
  const [choice] = Array.isArray(choices) ? choices : [];
  const message = isJsonObject(choice) ? choice['message'] : undefined;
  const content = isJsonObject(message) ? message['content'] : undefined;
  return typeof content === 'string' ? content : '';
}
