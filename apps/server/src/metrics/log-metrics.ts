import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type CallMeter, DURATION_BUCKETS_MS, type MeterReadings } from '#lib/decisions/metrics/core';

const MODEL = ['provider', 'model'] as const;

const DURATION = {
  name: 'redial_llm_call_duration_seconds',
  help: 'Time until a call of a model ended, failed ones included, in the whole log',
  labelNames: MODEL,
};

/** A histogram whose buckets the projection fills. */
class DurationHistogram extends Histogram<(typeof MODEL)[number]> {
  private calls: readonly CallMeter[] = [];

  constructor(registry: Registry) {
    super({ ...DURATION, registers: [registry] });
  }

  show(calls: readonly CallMeter[]): void {
    this.calls = calls;
  }

  /** The registry calls this. */
  getForPromString() {
    return {
      name: DURATION.name,
      help: DURATION.help,
      type: 'histogram',
      values: this.calls.flatMap(durations),
    };
  }
}

function durations({ provider, model, duration }: CallMeter) {
  const labels = { provider, model };
  const bucket = (le: number | string, value = 0) => ({
    metricName: `${DURATION.name}_bucket`,
    labels: { le, ...labels },
    value,
  });
  return [
    ...DURATION_BUCKETS_MS.map((bound, index) => bucket(bound / 1000, duration.upTo[index])),
    bucket('+Inf', duration.count),
    { metricName: `${DURATION.name}_sum`, labels, value: duration.sumMs / 1000 },
    { metricName: `${DURATION.name}_count`, labels, value: duration.count },
  ];
}

/**
 * The events of the log as counters and gauges of Prometheus. A counter is a sum over the events of all processes: it continues after a
 * restart, and every process on the log shows the same numbers.
 */
export class LogMetrics {
  private readonly sessions = this.gauge('sessions', 'Sessions by status', ['status']);
  private readonly runs = this.gauge('runs', 'Runs that have not ended, by status', ['status']);
  private readonly oldestWait = this.gauge(
    'oldest_wait_seconds',
    'How long the oldest decision or run has waited for a person; 0 where none waits',
    ['kind'],
  );
  private readonly openCalls = this.gauge('llm_calls_open', 'Calls of models without an outcome yet', MODEL);
  private readonly runsEnded = this.counter('runs_ended_total', 'Runs that ended, by workflow and status', [
    'workflow',
    'status',
  ]);
  private readonly decisions = this.counter(
    'decisions_total',
    'Decisions by how: person, agreement with a person, models alone, operator',
    ['how'],
  );
  private readonly calls = this.counter(
    'llm_calls_total',
    'Calls of models that ended: completed, or the kind of the failure',
    [...MODEL, 'outcome'],
  );
  private readonly retries = this.counter(
    'llm_retries_total',
    'Calls of models after the first attempt',
    MODEL,
  );
  private readonly fallbacks = this.counter(
    'llm_fallbacks_total',
    'Steps down a ladder, to a backup, or without a refused parameter',
    ['reason'],
  );
  private readonly tokens = this.counter(
    'llm_tokens_total',
    'Tokens that replies report: input_uncached, cache_read, cache_write, output',
    [...MODEL, 'bucket'],
  );
  private readonly reasoning = this.counter(
    'llm_reasoning_tokens_total',
    'The part of the output tokens that is reasoning',
    MODEL,
  );
  private readonly cost = this.counter(
    'llm_cost_usd_total',
    'Cost of the calls with a known price, in US dollars',
    MODEL,
  );
  private readonly refusals = this.counter('budget_refusals_total', 'Runs that a budget ended', ['workflow']);
  private readonly duration = new DurationHistogram(this.registry);

  constructor(private readonly registry: Registry) {}

  /** @param now epoch milliseconds */
  show(readings: MeterReadings, now: number): void {
    this.forget();
    for (const status of ['open', 'needs_human', 'done'])
      this.sessions.set({ status }, readings.sessions.get(status) ?? 0);
    for (const status of ['running', 'waiting'] as const) this.runs.set({ status }, readings.runs[status]);
    for (const kind of ['decision', 'run'] as const)
      this.oldestWait.set({ kind }, secondsSince(readings.waitingSince[kind], now));
    for (const { workflow, status, total } of readings.runsEnded)
      this.runsEnded.inc({ workflow, status }, total);
    for (const how of ['person', 'agreement', 'models', 'operator', 'timer'])
      this.decisions.inc({ how }, readings.decisions.get(how) ?? 0);
    for (const [reason, total] of readings.fallbacks) this.fallbacks.inc({ reason }, total);
    for (const [workflow, total] of readings.budgetRefusals) this.refusals.inc({ workflow }, total);
    for (const call of readings.calls) this.showCalls(call);
    this.duration.show(readings.calls);
  }

  /** The series of the log are absent while they are not known: a counter that begins at 0 again would be a reset. */
  forget(): void {
    const all = [this.sessions, this.runs, this.oldestWait, this.openCalls, this.runsEnded, this.decisions];
    for (const one of [...all, this.calls, this.retries, this.fallbacks, this.tokens]) one.reset();
    for (const one of [this.reasoning, this.cost, this.refusals]) one.reset();
    this.duration.show([]);
  }

  private showCalls({ provider, model, open, outcomes, retries, tokens, ...sums }: CallMeter): void {
    const labels = { provider, model };
    this.openCalls.set(labels, open);
    for (const [outcome, total] of Object.entries(outcomes)) this.calls.inc({ ...labels, outcome }, total);
    this.retries.inc(labels, retries);
    for (const [bucket, total] of Object.entries(tokens)) this.tokens.inc({ ...labels, bucket }, total);
    this.reasoning.inc(labels, sums.reasoningTokens);
    this.cost.inc(labels, sums.costUSD);
  }

  private gauge<const Label extends string>(name: string, help: string, labelNames: readonly Label[]) {
    return new Gauge({ name: `redial_${name}`, help, labelNames, registers: [this.registry] });
  }

  private counter<const Label extends string>(name: string, help: string, labelNames: readonly Label[]) {
    return new Counter({
      name: `redial_${name}`,
      help: `${help}, in the whole log`,
      labelNames,
      registers: [this.registry],
    });
  }
}

function secondsSince(time: number | undefined, now: number): number {
  return time === undefined ? 0 : Math.max(0, (now - time) / 1000);
}
