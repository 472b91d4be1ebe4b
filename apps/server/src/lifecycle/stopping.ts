import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** Says when the server begins to stop: streams end then, so that nothing without an end delays the stop. */
@Injectable()
export class Stopping implements OnModuleDestroy {
  private readonly controller = new AbortController();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  onModuleDestroy(): void {
    this.controller.abort();
  }
}
