import { type DynamicModule, Module } from '@nestjs/common';
import { operations } from '#lib/engine';
import { EventStreamsController } from './events/event-streams.controller.js';
import { LogStreamController } from './events/log-stream.controller.js';
import { OpenStreams } from './events/open-streams.js';
import { StreamLimit } from './events/stream-limit.js';
import { HealthController } from './health/health.controller.js';
import { Readiness } from './health/readiness.js';
import { Stopping } from './lifecycle.js';
import { AsyncAnswers } from './operations/async-answers.js';
import { operationsController } from './operations/operations.controller.js';
import { Metrics } from './metrics/metrics.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { NotOfferedController } from './problems/not-offered.controller.js';

const controllers = [
  operationsController(operations),
  EventStreamsController,
  LogStreamController,
  HealthController,
  MetricsController,
  NotOfferedController,
];

/** The HTTP contract over an engine. */
@Module({})
export class ServerModule {
  /** @param engine a module with the parts of an engine */
  static over(engine: DynamicModule): DynamicModule {
    return {
      module: ServerModule,
      imports: [engine],
      controllers,
      providers: [AsyncAnswers, Metrics, OpenStreams, Readiness, StreamLimit, Stopping],
    };
  }
}
