import {
  Command,
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';
import { IsString, MaxLength } from 'class-validator';
import { currentContext, markFleeting, Operation, page, PageQuery, pageOrThrow } from '#lib/operations';
import { type Page, pageOf } from '#lib/projections';
import { RecoveryDesk } from './recovery.js';
import { SetAsideView } from './recovery.views.js';

/** Characters of a stream's name. */
const LONGEST_NAME = 512;

@Operation({
  summary: 'The work that recovery set aside: it failed in this process and is tried again after pauses',
  http: 'GET /v1/recovery',
  cli: 'recovery list',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(SetAsideView) },
})
export class ListRecovery extends PageQuery<Page<SetAsideView>> {}

@QueryHandler(ListRecovery)
export class ListRecoveryHandler implements IQueryHandler<ListRecovery> {
  constructor(private readonly desk: RecoveryDesk) {}

  async execute(request: ListRecovery): Promise<Page<SetAsideView>> {
    const found = await pageOf(request, {
      list: 'recovery',
      read: async (after = '', limit) =>
        this.desk
          .list()
          .filter(({ stream }) => stream > after)
          .slice(0, limit),
      keyOf: ({ stream }) => stream,
      toItems: (views) => views,
    });
    return pageOrThrow(found);
  }
}

@Operation({
  summary: 'Retry an item that recovery set aside',
  http: 'POST /v1/recovery/:stream/retry',
  cli: 'recovery retry <stream>',
  mcp: true,
  access: 'operator',
  answers: { 200: SetAsideView },
})
export class RetryRecovery extends Command<SetAsideView> {
  @IsString()
  @MaxLength(LONGEST_NAME)
  stream!: string;
}

@CommandHandler(RetryRecovery)
export class RetryRecoveryHandler implements ICommandHandler<RetryRecovery> {
  constructor(private readonly desk: RecoveryDesk) {}

  execute({ stream }: RetryRecovery): Promise<SetAsideView> {
    markFleeting();
    return this.desk.retry(stream);
  }
}

@Operation({
  summary: 'Give up an item that recovery set aside: it ends as failed, recorded',
  http: 'POST /v1/recovery/:stream/give-up',
  cli: 'recovery give-up <stream>',
  mcp: true,
  access: 'operator',
  answers: { 200: SetAsideView },
  problems: [409],
  destructive: true,
})
export class GiveUpRecovery extends Command<SetAsideView> {
  @IsString()
  @MaxLength(LONGEST_NAME)
  stream!: string;
}

@CommandHandler(GiveUpRecovery)
export class GiveUpRecoveryHandler implements ICommandHandler<GiveUpRecovery> {
  constructor(private readonly desk: RecoveryDesk) {}

  execute({ stream }: GiveUpRecovery): Promise<SetAsideView> {
    markFleeting();
    return this.desk.giveUp(stream, currentContext());
  }
}
