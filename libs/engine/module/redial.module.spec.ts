import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type DynamicModule, Inject, Injectable, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { temporaryFolder } from '#lib/kernel/testing';
import { DuplicateHandler } from './refuse-duplicate-handlers.js';
import { Redial } from '../redial.js';
import { RedialModule } from './redial.module.js';
import { CreateSession } from '#lib/decisions/driving';

const machine = {
  machineName: 'door',
  initialState: 'closed',
  goalState: 'open',
  states: { closed: { transitions: { push: 'open' } }, open: {} },
};

@Injectable()
class Folder {
  static path = '';
  readonly path = Folder.path;
}

@Module({ providers: [Folder], exports: [Folder] })
class FolderModule {}

@CommandHandler(CreateSession)
class OtherHandler implements ICommandHandler<CreateSession> {
  execute(): Promise<never> {
    return Promise.reject(new Error('never asked'));
  }
}

/** Calls the engine as soon as Nest lets it, and again when the application has bootstrapped. */
@Injectable()
class Early {
  @Inject(Redial) private readonly redial!: Redial;
  outcome = '';

  async onModuleInit(): Promise<void> {
    this.outcome = await this.redial.defineMachine(machine).then(
      () => 'defined',
      (error: Error) => error.message,
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.redial.defineMachine(machine);
  }
}

@Module({ providers: [Early] })
class EarlyModule {}

describe('RedialModule', () => {
  beforeEach(async () => {
    Folder.path = temporaryFolder();
  });

  const context = (module: Type | DynamicModule) =>
    NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });

  it('is set up by options that are made from what is injected', async () => {
    const module = RedialModule.forRootAsync({
      imports: [FolderModule],
      inject: [Folder],
      useFactory: ({ path }: Folder) => ({
        dataDir: path,
        strategies: { nudge: () => ({ transitionName: 'push' }) },
      }),
    });
    const app = await context(module);
    const redial = app.get(Redial);
    await redial.defineMachine(machine);
    await redial.registerProposer({ specialistId: 'p', machineName: 'door', strategyFnName: 'nudge' });
    const { sessionId } = await redial.createSession({ machineName: 'door' });
    expect(await redial.submitProposal({ sessionId, specialistId: 'p' })).toMatchObject({
      transitionName: 'push',
      toState: 'open',
    });
    await app.close();
  });

  it.each([
    [{ datadir: 'x' }, '/datadir is unknown: there is no property "datadir" here; did you mean "dataDir"?'],
    [{ llm: { apikey: 'sk-1' } }, '/llm/apikey is unknown: there is no property "apikey" here; did you mean'],
    [{ drive: { on: true } }, '/drive/on is unknown: there is no property "on" here. '],
    [{ providers: { p: { baseUrl: 'x', apiKey: 'sk-1' } } }, '/providers/p/apiKey is unknown'],
  ])('refuses the options %j, which it would not read', async (options: object, why) => {
    const started = context(RedialModule.forRoot(options));
    await expect(started).rejects.toThrow(`[InvalidSetting] the options: ${why}`);
    await expect(started).rejects.not.toThrow('sk-1');
  });

  it.each([
    [{ llm: { callTimeoutMs: Number.NaN } }, 'callTimeoutMs'],
    [{ llm: { maxAttempts: -1 } }, 'maxAttempts'],
    [{ webhooks: { timeoutMs: Infinity } }, 'timeoutMs'],
    [{ webhooks: { maxAttempts: '3' } }, 'maxAttempts'],
    [{ drive: { concurrency: 0.5 } }, 'concurrency'],
    [
      { providers: { p: { baseUrl: 'http://localhost', idleTimeoutMs: Number.NaN } } },
      'idleTimeoutMs of a provider',
    ],
    [{ providers: { p: { baseUrl: 'http://localhost', maxConcurrent: 0 } } }, 'maxConcurrent of a provider'],
  ])(
    'refuses a number that is none of a time or an amount, in the options %p',
    async (options: object, name) => {
      const started = context(RedialModule.forRoot(options));
      await expect(started).rejects.toThrow(
        `[InvalidSetting] the option ${name}: it is not a whole number from `,
      );
    },
  );

  it('refuses a price that is no amount: it would be the cost of each call', async () => {
    const models = { m: { inputPerMillion: Number.NaN, outputPerMillion: 1 } };
    const prices = [{ version: '1', from: '2026-01-01T00:00:00Z', currency: 'USD', models }];
    await expect(context(RedialModule.forRoot({ prices }))).rejects.toThrow(
      '[InvalidSetting] prices: its version 0 has no `models`, each with `inputPerMillion`',
    );
  });

  it('finds everything again after a restart', async () => {
    const options = { dataDir: Folder.path };
    const first = await context(RedialModule.forRoot(options));
    await first.get(Redial).defineMachine(machine);
    const session = await first.get(Redial).createSession({ machineName: 'door' });
    await first.close();
    const second = await context(RedialModule.forRoot(options));
    expect(await second.get(Redial).getSession({ sessionId: session.sessionId })).toEqual(session);
    await second.close();
  });

  it('X-L5: takes a proposer with a function again after a restart, as the same version', async () => {
    const registration = {
      specialistId: 'p',
      machineName: 'door',
      strategyFn: () => ({ transitionName: 'push' }),
    };
    for (const _ of [1, 2]) {
      const app = await context(RedialModule.forRoot({ dataDir: Folder.path }));
      expect(await app.get(Redial).registerProposer(registration)).toMatchObject({
        specialistId: 'p',
        strategyFnName: 'door/p',
        version: 1,
      });
      await app.close();
    }
  });

  it('refuses to start with two handlers of one command', async () => {
    @Module({ imports: [RedialModule.forRoot({ dataDir: Folder.path })], providers: [OtherHandler] })
    class Application {}
    await expect(context(Application)).rejects.toThrow(DuplicateHandler);
  });

  it('refuses calls before the application bootstraps, and says when to call; every module may call in its own hook of that', async () => {
    @Module({ imports: [EarlyModule, RedialModule.forRoot({ dataDir: Folder.path })] })
    class Application {}
    const app = await context(Application);
    expect(app.get(Early).outcome).toBe(
      '[EngineNotStarted] defineMachine: the engine has not started. Call it in onApplicationBootstrap or later, not in a constructor or in onModuleInit.',
    );
    expect(await app.get(Redial).getMachine({ machineName: 'door' })).toMatchObject({ version: 1 });
    await app.close();
  });

  it('refuses to start twice in one application', async () => {
    const [dataDir, other] = [Folder.path, join(Folder.path, 'other')];
    @Module({ imports: [RedialModule.forRoot({ dataDir }), RedialModule.forRoot({ dataDir: other })] })
    class Application {}
    await expect(context(Application)).rejects.toThrow(
      /^\[DuplicateEngine\] RedialModule: the application imports it 2 times/,
    );
  });

  it('refuses to start on a file that is not a log, and says which', async () => {
    await writeFile(
      join(Folder.path, 'log.sqlite'),
      'not a database, but long enough to be looked at as one'.repeat(40),
    );
    const start = context(RedialModule.forRoot({ dataDir: Folder.path }));
    await expect(start).rejects.toThrow(/^\[StoreUnavailable\] .*log\.sqlite/);
  });

  it('X-S11: refuses to begin an empty log beside the read models of another one', async () => {
    const options = { dataDir: Folder.path };
    await (await context(RedialModule.forRoot(options))).close();
    const log = join(Folder.path, 'log.sqlite');
    await rename(log, `${log}.moved`);
    await expect(context(RedialModule.forRoot(options))).rejects.toThrow(
      /^\[StoreUnavailable\] .*log\.sqlite: the file does not exist, but read models made from a log do/,
    );
    expect(existsSync(log)).toBe(false);
    await rename(`${log}.moved`, log);
    await (await context(RedialModule.forRoot(options))).close();
  });
});
