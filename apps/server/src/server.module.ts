import { type DynamicModule, Module } from '@nestjs/common';
import { operations, RedialModule, type RedialOptions } from '#lib/engine';
import { ConversationEventsController } from './events/conversation-events.controller.js';
import { RunEventsController } from './events/run-events.controller.js';
import { SessionEventsController } from './events/session-events.controller.js';
import { SessionTail } from './events/session-tail.js';
import { StreamLimit } from './events/stream-limit.js';
import { HealthController } from './health/health.controller.js';
import { LogCheck } from './health/log-check.js';
import { Readiness } from './health/readiness.js';
import { Stopping } from './lifecycle/stopping.js';
import { AsyncAnswers } from './operations/async-answers.js';
import { operationsController } from './operations/operations.controller.js';
import { Metrics } from './metrics/metrics.js';
import { MetricsController } from './metrics/metrics.controller.js';

const controllers = [
  operationsController(operations),
  SessionEventsController,
  RunEventsController,
  ConversationEventsController,
  HealthController,
  MetricsController,
];

/** The HTTP contract over the engine. */
@Module({})
export class ServerModule {
  static with(options: RedialOptions): DynamicModule {
    return {
      module: ServerModule,
      imports: [RedialModule.forRoot(options)],
      controllers,
      providers: [AsyncAnswers, LogCheck, Metrics, Readiness, SessionTail, StreamLimit, Stopping],
    };
  }
}
