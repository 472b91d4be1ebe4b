import { RedialError } from '#lib/kernel';

/** The categories of streams; each workflow is one, too. Streams are named `<prefix><category>-<id>`, so that category streams work on EventStoreDB. */
export type StreamCategory =
  | 'machine'
  | 'gate'
  | 'specialist'
  | 'session'
  | 'solicitation'
  | 'arbitration'
  | 'due_times'
  | 'evaluation'
  | 'llm_try'
  | 'experiment'
  | 'person'
  | 'task'
  | 'exemplars'
  | 'tool'
  | 'agent'
  | 'conversation'
  | 'call'
  | 'reaction'
  | 'hook'
  | 'subject'
  | 'export'
  | 'blob'
  | 'log';

class InvalidStreamPrefix extends RedialError {}

/** The id in the name of a stream, for any prefix and category: neither has a dash. */
export function idInStream(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}

/** The names of Redial's streams in a log that may be shared with other applications. */
export class StreamNames {
  constructor(readonly prefix = 'redial_') {
    if (/^[A-Za-z0-9_]{0,64}$/.test(prefix)) return;
    throw new InvalidStreamPrefix(
      `stream prefix ${JSON.stringify(prefix)}`,
      'a prefix is at most 64 letters, digits and underscores',
      'Set REDIAL_STREAM_PREFIX to such a word',
    );
  }

  of(category: string, id: string): string {
    return `${this.prefix}${category}-${id}`;
  }

  /** The name in events, so that a log can be moved to another prefix. */
  withoutPrefix(stream: string): string {
    return stream.startsWith(this.prefix) ? stream.slice(this.prefix.length) : stream;
  }

  /** The full name of a stream that an event names without the prefix. */
  withPrefix(name: string): string {
    return `${this.prefix}${name}`;
  }

  /** The category and id in a name; `undefined` for a stream of another application. */
  parse(stream: string): { category: string; id: string } | undefined {
    const dash = stream.indexOf('-');
    if (!stream.startsWith(this.prefix) || dash < 0) return undefined;
    return { category: stream.slice(this.prefix.length, dash), id: stream.slice(dash + 1) };
  }
}
