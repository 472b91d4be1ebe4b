import { type DynamicModule, Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import { Access, Dispatcher, handlersIn } from '#lib/operations';
import { ProjectionRunner } from '#lib/projections';
import { RunDeltas, Runs } from '#lib/runs';
import { CreateSessionHandler } from '../commands/create-session.handler.js';
import { ExecuteTransitionHandler } from '../commands/execute-transition.handler.js';
import { RunSessionHandler } from '../commands/run-session.handler.js';
import { SubmitArbitrationHandler } from '../commands/submit-arbitration.handler.js';
import { SubmitProposalHandler } from '../commands/submit-proposal.handler.js';
import { TickAllHandler } from '../commands/tick-all.handler.js';
import { TickSessionHandler } from '../commands/tick-session.handler.js';
import { ConsensusHandler } from '../queries/consensus.handler.js';
import { ProjectionStatusesHandler } from '../queries/projection-statuses.handler.js';
import { ReadModelsHandler } from '../queries/read-models.handler.js';
import { SessionAtHandler } from '../queries/session-at.handler.js';
import { SessionEventsHandler } from '../queries/session-events.handler.js';
import { VerifySessionHandler } from '../queries/verify-session.handler.js';
import { evaluationProviders } from '../evaluations/evaluations.providers.js';
import { gateProviders } from '../gates/gates.providers.js';
import { processManagerProviders } from '../process-manager/process-manager.providers.js';
import { capabilities } from '../declared-operations.js';
import { WorkflowRuntime } from '#lib/workflow';
import { Redial } from '../redial.js';
import { EngineSettings } from '../settings/engine-settings.js';
import type { RedialOptions } from '../settings/redial-options.js';
import { DeclaredSpecialists } from '../specialists/declared-specialists.js';
import { EngineLifecycle } from './engine-lifecycle.js';
import { runProviders } from '../runs/runs.providers.js';
import { engineProviders } from './engine.providers.js';

/** Options that are made while the application starts, from what is injected. */
export interface RedialAsyncOptions extends Pick<ModuleMetadata, 'imports'> {
  // Nest's own type of these two members says no more than this.
  readonly inject?: readonly (string | symbol | (abstract new (...args: never[]) => unknown))[];
  readonly useFactory: (...args: never[]) => RedialOptions | Promise<RedialOptions>;
}

const handlers = [
  ...capabilities.flatMap(handlersIn),
  CreateSessionHandler,
  ExecuteTransitionHandler,
  SubmitProposalHandler,
  SubmitArbitrationHandler,
  TickSessionHandler,
  TickAllHandler,
  RunSessionHandler,
  ConsensusHandler,
  ProjectionStatusesHandler,
  ReadModelsHandler,
  SessionAtHandler,
  SessionEventsHandler,
  VerifySessionHandler,
];

/**
 * Redial in a Nest application. Import it once; inject `Redial` anywhere. It is ready once the application has bootstrapped,
 * and stops with it: call `app.enableShutdownHooks()` so that signals are heard.
 */
@Module({})
export class RedialModule {
  static forRoot(options: RedialOptions = {}): DynamicModule {
    return moduleWith({ provide: EngineSettings, useFactory: () => new EngineSettings(options) });
  }

  static forRootAsync({ imports = [], inject = [], useFactory }: RedialAsyncOptions): DynamicModule {
    const make = useFactory as (...args: unknown[]) => RedialOptions | Promise<RedialOptions>;
    return moduleWith(
      {
        provide: EngineSettings,
        inject: [...inject],
        useFactory: async (...args: unknown[]) => new EngineSettings(await make(...args)),
      },
      imports,
    );
  }
}

function moduleWith(settings: Provider, imports: ModuleMetadata['imports'] = []): DynamicModule {
  return {
    module: RedialModule,
    global: true,
    imports: [...imports, CqrsModule.forRoot()],
    providers: [
      settings,
      ...engineProviders,
      ...runProviders,
      ...processManagerProviders,
      ...gateProviders,
      ...evaluationProviders,
      ...handlers,
      EngineLifecycle,
      Redial,
    ],
    exports: [
      Redial,
      Dispatcher,
      Access,
      EventLog,
      ProjectionRunner,
      DeclaredSpecialists,
      Runs,
      RunDeltas,
      WorkflowRuntime,
    ],
  };
}
