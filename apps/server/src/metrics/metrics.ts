import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Redial } from '#lib/engine';
import type { ProjectionStatus } from '#lib/read-models';
import { Meters } from '#lib/decisions/metrics/core';
import { WorkflowRuntime } from '#lib/workflow';
import { LogMetrics } from './log-metrics.js';

/** In the text format of Prometheus: prom-client writes `Nan` where that has `NaN`. */
export async function exposition(registry: Registry): Promise<string> {
  return (await registry.metrics()).replaceAll(/ Nan$/gm, ' NaN');
}

const STATUSES: readonly ProjectionStatus['status'][] = ['live', 'catching-up', 'rebuilding', 'stopped'];

/** The metrics of this process for Prometheus, in a registry of its own. */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'redial_http_request_duration_seconds',
    help: 'Time until an HTTP request was answered; its count is the number of requests',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [this.registry],
  });

  private readonly lag = new Gauge({
    name: 'redial_projection_lag_events',
    help: 'Events that a projection is behind the log',
    labelNames: ['projection'],
    registers: [this.registry],
  });

  private readonly status = new Gauge({
    name: 'redial_projection_status',
    help: '1 for the status that a projection has',
    labelNames: ['projection', 'status'],
    registers: [this.registry],
  });

  private readonly reactionLag = new Gauge({
    name: 'redial_reaction_lag_events',
    help: 'Events that a reaction has not delivered or looked at yet',
    labelNames: ['reaction'],
    registers: [this.registry],
  });

  private readonly parked = new Gauge({
    name: 'redial_reaction_parked',
    help: 'Events that a reaction has parked',
    labelNames: ['reaction'],
    registers: [this.registry],
  });

  private readonly setAside = new Gauge({
    name: 'redial_runs_set_aside',
    help: 'Runs that this process cannot go on with, see /v1/recovery',
    registers: [this.registry],
  });

  private readonly driven = new Gauge({
    name: 'redial_runs_driven',
    help: 'Runs that this process drives now',
    registers: [this.registry],
  });

  private readonly tasks = new Gauge({
    name: 'redial_tasks',
    help: 'Tasks that wait for people, by status',
    labelNames: ['status'],
    registers: [this.registry],
  });

  private readonly overdue = new Gauge({
    name: 'redial_tasks_overdue',
    help: 'Those that are past the time at which they are due',
    registers: [this.registry],
  });

  private readonly discarded = new Counter({
    name: 'redial_call_outcomes_discarded_total',
    help: 'Outcomes of calls that came after another process had closed the call',
    registers: [this.registry],
  });

  private readonly ofLog = new LogMetrics(this.registry);

  constructor(
    private readonly redial: Redial,
    private readonly runtime: WorkflowRuntime,
    private readonly meters: Meters,
  ) {
    collectDefaultMetrics({ register: this.registry });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  answered(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status }, seconds);
  }

  /** In the text format of Prometheus. */
  async text(minPosition?: string): Promise<string> {
    const reached = minPosition === undefined ? {} : { minPosition };
    const { items } = await this.redial.listProjections(reached);
    for (const projection of items) this.observe(projection);
    this.observeRuns();
    // A projection that fills its rows again would show only the part counted so far.
    const isFilled = (projection: string) =>
      items.some(({ name, status }) => name === projection && status !== 'rebuilding');
    if (isFilled('tasks')) this.observeTasks(await this.redial.countTasks(reached));
    else for (const gauge of [this.tasks, this.overdue]) gauge.reset();
    if (isFilled('reactions')) await this.observeReactions(reached);
    if (isFilled('meters')) this.ofLog.show(await this.meters.read(minPosition), Date.now());
    else this.ofLog.forget();
    return exposition(this.registry);
  }

  private async observeReactions(reached: { readonly minPosition?: string }): Promise<void> {
    for (const gauge of [this.reactionLag, this.parked]) gauge.reset();
    const { items } = await this.redial.listReactions({ ...reached, limit: 500 });
    for (const { name: reaction, lag, parked } of items) {
      if (lag !== null) this.reactionLag.set({ reaction }, lag);
      this.parked.set({ reaction }, parked);
    }
  }

  private observeRuns(): void {
    const { setAside, driven, discardedOutcomes } = this.runtime;
    this.setAside.set(setAside.length);
    this.driven.set(driven.length);
    this.discarded.reset();
    this.discarded.inc(discardedOutcomes);
  }

  private observeTasks({ open, claimed, overdue }: Awaited<ReturnType<Redial['countTasks']>>): void {
    this.tasks.set({ status: 'open' }, open);
    this.tasks.set({ status: 'claimed' }, claimed);
    this.overdue.set(overdue);
  }

  private observe({ name, lag, status }: ProjectionStatus): void {
    if (lag === null) this.lag.remove({ projection: name });
    else this.lag.set({ projection: name }, lag);
    for (const one of STATUSES) this.status.set({ projection: name, status: one }, one === status ? 1 : 0);
  }
}
