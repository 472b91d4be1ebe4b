// A process of its own: Nest with one route, which only answers the JSON that it gets.
import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { serveParent } from './serve-parent.js';

let answer: unknown;

@Controller('v1/sessions')
class ConstantController {
  @Get(':id')
  get(): unknown {
    return answer;
  }
}

@Module({ controllers: [ConstantController] })
class BareModule {}

serveParent(async (json) => {
  answer = JSON.parse(json);
  const app = await NestFactory.create<NestExpressApplication>(BareModule, { logger: ['error', 'warn'] });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => app.close() };
});
