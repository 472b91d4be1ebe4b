import { type DynamicModule, Module } from '@nestjs/common';
import { operations, RedialModule, type RedialOptions } from '#lib/engine';
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

/** The HTTP contract over the engine. */
@Module({})
export class ServerModule {
  static with(options: RedialOptions): DynamicModule {
    return {
      module: ServerModule,
      imports: [RedialModule.forRoot(options)],
      controllers,
      providers: [AsyncAnswers, Metrics, OpenStreams, Readiness, StreamLimit, Stopping],
    };
  }
}
