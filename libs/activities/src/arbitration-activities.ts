import {
  type ArbiterCallCompleted,
  type ArbiterCallee,
  type ArbiterCallFailed,
  type ArbiterCallRequested,
  type ArbitrationEvent,
  type ArbitrationStarted,
  toldArbiter,
} from '#lib/arbitration';
import type { Rejection } from '#lib/kernel';
import type { Activities } from '#lib/legacy-workflow';
import type { ArbiterFunctions } from './functions/arbiter-functions.js';
import { callFunction, type FunctionOutcome } from './functions/function-calls.js';
import { plainJson } from './functions/plain-json.js';
import { notRegistered, unregistered } from './functions/unregistered-function.js';
import { Redactor } from './redaction/redactor.js';
import { waitBeforeCall } from './wait-before-call.js';
import type { WebhookCaller, WebhookOutcome } from './webhooks/webhook-caller.js';

type Start = ArbitrationStarted['data'];

/** Performs what arbitrations request, in this process, with the functions registered in it. */
export class ArbitrationActivities {
  private readonly redactor: Redactor;

  /** @param secrets known secrets, to be kept out of every outcome of a function; `webhooks` keeps its own */
  constructor(
    private readonly functions: ArbiterFunctions,
    private readonly webhooks: WebhookCaller,
    secrets: readonly string[] = [],
  ) {
    this.redactor = new Redactor(secrets);
  }

  /**
   * Whether this process could perform everything that an arbitration by this arbiter may request. Asked before anything of it
   * is recorded, and before an arbitration that another process began is taken over.
   */
  preflightArbiter(arbiter: ArbiterCallee): Rejection | undefined {
    if (arbiter.kind === 'webhook' || this.functions.arbiter(arbiter.strategyFnName)) return undefined;
    return notRegistered('arbiter', arbiter.strategyFnName, this.functions.arbiterNames);
  }

  /** What the arbitration with this start event needs; functions get the context that stands in it. */
  forArbitration({ data }: ArbitrationStarted): Activities<ArbitrationEvent> {
    return {
      preflight: () => this.preflightArbiter(data.arbiter),
      perform: (request, signal) => {
        if (request.type !== 'ArbiterCallRequested') throw new TypeError(`A ${request.type} is no request.`);
        return this.perform(request.data, data, signal);
      },
    };
  }

  private async perform(
    request: ArbiterCallRequested['data'],
    start: Start,
    signal: AbortSignal,
  ): Promise<ArbiterCallCompleted | ArbiterCallFailed> {
    const { callId } = request;
    const outcome = await ('url' in request
      ? this.webhookOutcome(request, start, signal)
      : this.functionOutcome(request, start, signal));
    if ('failure' in outcome) {
      const { failure } = outcome;
      const received = 'received' in outcome ? { received: outcome.received } : {};
      return { type: 'ArbiterCallFailed', data: { callId, failure, ...received } };
    }
    const answer = 'reply' in outcome ? outcome.reply : outcome;
    return { type: 'ArbiterCallCompleted', data: { callId, ...answer } };
  }

  private webhookOutcome(
    { url, requestBody, delayMs, timeoutMs }: Extract<ArbiterCallRequested['data'], { url: string }>,
    { arbiter, machineName }: Start,
    signal: AbortSignal,
  ): Promise<WebhookOutcome> {
    const webhookTokenName = arbiter.kind === 'webhook' ? arbiter.tokenName : '';
    const call = { url, machineName, webhookTokenName, body: requestBody, delayMs, timeoutMs };
    return this.webhooks.call(call, signal);
  }

  private async functionOutcome(
    { strategyFnName, delayMs, timeoutMs }: Extract<ArbiterCallRequested['data'], { strategyFnName: string }>,
    start: Start,
    signal: AbortSignal,
  ): Promise<FunctionOutcome<ReturnType<typeof plainJson>>> {
    const arbiter = this.functions.arbiter(strategyFnName) ?? unregistered(strategyFnName);
    await waitBeforeCall(delayMs, signal);
    const call = () => arbiter(structuredClone(toldArbiter(start)));
    return callFunction(call, plainJson, this.redactor, { signal, timeoutMs });
  }
}
