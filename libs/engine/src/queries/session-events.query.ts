import { Query } from '@nestjs/cqrs';
import type { RecordedEvent } from '#lib/kernel';
import type { Page, PageRequest } from '#lib/projections';

/** The events of a session and of its solicitations, in log order, whole. */
export class SessionEventsQuery extends Query<Page<RecordedEvent>> {
  constructor(
    readonly sessionId: string,
    readonly page: PageRequest & { readonly afterPosition?: string },
    readonly minPosition?: string,
  ) {
    super();
  }
}
