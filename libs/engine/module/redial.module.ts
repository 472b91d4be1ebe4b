import { type DynamicModule, Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import { Meters } from '#lib/decisions/metrics';
import { Access, Dispatcher, handlersIn, ReadSide } from '#lib/operations';
import { ProjectionRunner } from '#lib/read-models';
import { ConversationEvents, Conversations } from '#lib/flows';
import { RunDeltas, Runs } from '#lib/runs/runs';
import { evaluationProviders, gateProviders, processManagerProviders } from '../wiring/session.providers.js';
import { Reactions } from '#lib/reactions/core';
import { LogHold } from '#lib/seals/core';
import { capabilities } from '../declared-operations.js';
import { WorkflowRuntime } from '#lib/workflow';
import { Redial } from '../redial.js';
import { EngineSettings } from '../settings/engine-settings.js';
import type { RedialOptions } from '../settings/redial-options.js';
import { SessionEvents, SessionRun } from '#lib/decisions/driving';
import { EngineLifecycle } from './engine-lifecycle.js';
import { FoldedRows } from './folded-rows.js';
import { runProviders } from '../wiring/run.providers.js';
import { subjectProviders } from '../wiring/subject.providers.js';
import { reactionProviders } from '../wiring/reaction.providers.js';
import { engineProviders } from '../wiring/engine.providers.js';

/** Options that are made from injected providers while the application starts. */
export interface RedialAsyncOptions extends Pick<ModuleMetadata, 'imports'> {
  // Nest's own type of these two members says no more than this.
  readonly inject?: readonly (string | symbol | (abstract new (...args: never[]) => unknown))[];
  readonly useFactory: (...args: never[]) => RedialOptions | Promise<RedialOptions>;
}

/** The providers of an engine that other modules are given. */
export const engineParts = [
  Redial,
  Dispatcher,
  Access,
  EngineSettings,
  EventLog,
  FoldedRows,
  ProjectionRunner,
  Runs,
  Meters,
  ConversationEvents,
  Conversations,
  RunDeltas,
  WorkflowRuntime,
  ReadSide,
  Reactions,
  LogHold,
  SessionEvents,
] as const;

const handlers = capabilities.flatMap(handlersIn);

/**
 * Redial in a Nest application. Import it once; inject `Redial` anywhere. It is ready once the application has bootstrapped,
 * and stops with it: call `app.enableShutdownHooks()` so that signals stop the process in order.
 */
@Module({})
export class RedialModule {
  static forRoot(options: RedialOptions = {}): DynamicModule {
    return engineModule(() => new EngineSettings(options));
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

/** The module of an engine with these settings. */
export function engineModule(settings: () => EngineSettings): DynamicModule {
  return moduleWith({ provide: EngineSettings, useFactory: settings });
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
      ...subjectProviders,
      ...processManagerProviders,
      ...gateProviders,
      ...evaluationProviders,
      ...reactionProviders,
      ...handlers,
      SessionEvents,
      SessionRun,
      EngineLifecycle,
      Redial,
    ],
    exports: [...engineParts],
  };
}
