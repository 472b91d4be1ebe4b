// A process of its own: the server as it is shipped and a bare Nest route, over the same work. It also makes calls without HTTP, and reports
// their cost.
import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Body, Controller, Get, Inject, Module, Param, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { IsNumber, IsObject, IsOptional, IsString } from 'class-validator';
import { Redial } from '#lib/engine';
import { readEnvironment } from '#lib/engine/core';
import { answered } from '#lib/operations/core';
import { startServer } from '../../../server/src/start-server.js';
import { decisionMachine } from '../fixtures/decision-machine.js';
import { propose } from '../fixtures/decision-sides.js';
import { serveParent } from './serve-parent.js';

/** About the time of a model that answers at once, and of two flushes. */
const WORK_MS = 2;

/** A call without HTTP: the facade with the work in place of a decision, or the work alone. */
export type Inner = 'facade' | 'work';

/** The processor time of all threads of this process, and the time that each call took, in milliseconds. */
export interface Spent {
  readonly cpu: number;
  readonly each: readonly number[];
}

const CALLS = Symbol('calls');
type Calls = { readonly [Side in Inner]: () => Promise<unknown> };

/** The same body as that of a proposal. */
class ProposalBody {
  @IsString() specialistId!: string;
  @IsOptional() @IsString() roundId?: string;
  @IsOptional() @IsString() transitionName?: string;
  @IsOptional() @IsString() reasoning?: string;
  @IsOptional() @IsObject() metaJson?: object;
  @IsOptional() @IsString() actAs?: string;
  @IsOptional() @IsNumber() costUsd?: number;
}

@Controller()
class BareController {
  constructor(@Inject(CALLS) private readonly calls: Calls) {}

  @Post('v1/sessions/:sessionId/proposals')
  propose(@Param('sessionId') _sessionId: string, @Body() _body: ProposalBody): Promise<unknown> {
    return this.calls.work();
  }

  @Get('cpu')
  cpu(): Spent {
    return { cpu: processorTime(), each: [] };
  }

  @Post('calls/:side/:count')
  async inner(@Param('side') side: Inner, @Param('count') count: string): Promise<Spent> {
    const [before, each]: [number, number[]] = [processorTime(), []];
    while (each.length < Number(count)) {
      const start = performance.now();
      await this.calls[side]();
      each.push(performance.now() - start);
    }
    return { cpu: processorTime() - before, each };
  }
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

serveParent(async (settings) => {
  const given = JSON.parse(settings) as Record<string, string>;
  const ours = await startServer(readEnvironment({ PORT: '0', ...given }));
  const redial = ours.app.get(Redial);
  await redial.defineMachine(decisionMachine);
  const { sessionId } = await redial.createSession({ machineName: decisionMachine.machineName });
  const value = await propose(redial, sessionId);
  const { position } = (await redial.listSessionEvents({ sessionId })).items.at(-1) ?? {};
  const work = async () => {
    await setTimeout(WORK_MS);
    return value;
  };
  ours.app.get(CommandBus).execute = async () =>
    answered({ value: await work(), position, created: true }) as never;
  const bare = await bareServer({ work, facade: () => propose(redial, sessionId) });
  const { port } = bare.getHttpServer().address() as AddressInfo;
  return {
    url: `${ours.url} http://127.0.0.1:${port} /v1/sessions/${sessionId}/proposals`,
    close: async () => {
      await bare.close();
      await ours.app.close();
    },
  };
});

async function bareServer(calls: Calls): Promise<NestExpressApplication> {
  @Module({ controllers: [BareController], providers: [{ provide: CALLS, useValue: calls }] })
  class BareModule {}
  const app = await NestFactory.create<NestExpressApplication>(BareModule, { logger: ['error', 'warn'] });
  app.useGlobalPipes(new ValidationPipe({ forbidUnknownValues: false }));
  await app.listen(0, '127.0.0.1');
  return app;
}
