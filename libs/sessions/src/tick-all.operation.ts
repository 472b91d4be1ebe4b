import { Command } from '@nestjs/cqrs';
import { list, Operation } from '#lib/operations';
import { Tick } from './sessions.views.js';

@Operation({
  summary: 'One step of every session that is not at rest',
  http: 'POST /v1/tick',
  access: 'operator',
  answers: { 200: list(Tick) },
  problems: [503],
})
export class TickAll extends Command<readonly Tick[]> {}
