import { type EventLog, idInStream } from '#lib/event-store';
import { present, type RecordedEvent } from '#lib/kernel';
import type { Origin, Origins } from '#lib/reactions';
import type { WorkflowRegistry } from '#lib/workflow';
import { type Hook, reactionName } from './hook.decider.js';
import type { HookType } from './hook-types.js';
import { type Around, type NoticeData, noticeOf } from './told-events.js';

const PAGE = 16;

/** The messages of hooks about the events of the log. */
export class Notices {
  constructor(
    private readonly log: EventLog,
    private readonly origins: Origins,
    private readonly workflows: WorkflowRegistry,
  ) {}

  /** The types of an event that a hook has. @throws UndecodableEvent @throws StoreUnavailable */
  async typesOf(event: RecordedEvent, hook: Hook): Promise<readonly HookType[]> {
    const found: HookType[] = [];
    for (const type of hook.types) if (await this.of(type, event, hook)) found.push(type);
    // The deliveries of one event come in this order, too.
    return found.toSorted();
  }

  /** The data of one type; `undefined` if the hook gets no message. @throws UndecodableEvent @throws StoreUnavailable */
  async of(
    type: HookType,
    event: RecordedEvent,
    { hookId, machineName }: Pick<Hook, 'hookId' | 'machineName'>,
  ): Promise<NoticeData | undefined> {
    const data = await noticeOf(type, event, await this.#around(event));
    const isOther = machineName !== undefined && data?.['machineName'] !== machineName;
    const isOwn = data?.['reaction'] === reactionName(hookId);
    return isOther || isOwn ? undefined : data;
  }

  async #around(event: RecordedEvent): Promise<Around> {
    const { log } = this;
    const { category = '', id = '' } = log.streams.parse(event.stream) ?? {};
    return {
      category,
      id,
      root: rootOf(await this.origins.of(event.stream), this.workflows),
      isInternal: this.workflows.isInternal(category),
      before: () => this.#before(event),
      first: async () => (await log.readStream(event.stream, { limit: 1 }))[0] ?? event,
    };
  }

  async *#before({ stream, revision }: RecordedEvent): AsyncGenerator<RecordedEvent> {
    for (let from = revision - 1; from >= 0;) {
      const page = await this.log.readStream(stream, { from, direction: 'backwards', limit: PAGE });
      yield* page;
      if (page.length === 0) return;
      from -= page.length;
    }
  }
}

function rootOf({ root, machineName, agentName }: Origin, workflows: WorkflowRegistry): NoticeData {
  return {
    ...idsOf(root, workflows),
    ...present({ machineName, agentName }),
  };
}

const WITH_IDS = ['session', 'conversation', 'experiment'];

function idsOf(stream: string, workflows: WorkflowRegistry): NoticeData {
  const category = stream.slice(0, stream.indexOf('-'));
  const id = idInStream(stream);
  if (WITH_IDS.includes(category)) return { [`${category}Id`]: id };
  return workflows.named(category) ? { runId: id, workflow: category } : {};
}
