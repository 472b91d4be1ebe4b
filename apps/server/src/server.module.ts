import { type DynamicModule, Module } from '@nestjs/common';
import { Environment, operations, RedialModule, type RedialOptions } from '#lib/engine';
import { Reads } from './answers/reads.js';
import { RunEventsController } from './events/run-events.controller.js';
import { SessionEventsController } from './events/session-events.controller.js';
import { SessionTail } from './events/session-tail.js';
import { StreamLimit } from './events/stream-limit.js';
import { HealthController } from './health/health.controller.js';
import { LogCheck } from './health/log-check.js';
import { Readiness } from './health/readiness.js';
import { Stopping } from './lifecycle/stopping.js';
import { LlmCallsController } from './llm-calls/llm-calls.controller.js';
import { operationsController } from './operations/operations.controller.js';
import { Metrics } from './metrics/metrics.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { ProjectionsController } from './projections/projections.controller.js';
import { TicksController } from './process-manager/ticks.controller.js';
import { Calls } from './requests/calls.js';
import { ArbitrationsController } from './sessions/arbitrations.controller.js';
import { ProposalsController } from './sessions/proposals.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';

const controllers = [
  operationsController(operations),
  SessionsController,
  ProposalsController,
  ArbitrationsController,
  TicksController,
  SessionEventsController,
  RunEventsController,
  LlmCallsController,
  ProjectionsController,
  HealthController,
  MetricsController,
];

/** The HTTP contract over the engine. */
@Module({})
export class ServerModule {
  static with(environment: Environment, options: RedialOptions): DynamicModule {
    return {
      module: ServerModule,
      imports: [RedialModule.forRoot(options)],
      controllers,
      providers: [
        { provide: Environment, useValue: environment },
        Calls,
        LogCheck,
        Metrics,
        Readiness,
        Reads,
        SessionTail,
        StreamLimit,
        Stopping,
      ],
    };
  }
}
