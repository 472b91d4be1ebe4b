// The HTTP API in an application, as the package has it.
import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { RedialModule } from 'redial-engine';
import { RedialHttpModule } from 'redial-engine/http';

@Module({
  imports: [
    RedialModule.forRoot({ storage: 'memory' }),
    RedialHttpModule.forRoot({ path: '/redial', console: true }),
  ],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
await app.listen(0, '127.0.0.1');
const { port } = app.getHttpServer().address() as AddressInfo;
const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { Accept: 'text/html' } });
const answers = await Promise.all(['/redial/health/ready', '/redial', '/health/ready'].map(at));
const console = await answers[1]?.text();
await app.close();
if (answers.map(({ status }) => status).join(' ') !== '200 200 404' || !console?.includes('/redial/'))
  throw new Error('The package does not mount its API.');
process.stdout.write('The API of the package is mounted in an application.\n');
