type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

/** Words of the API, and the words for people. A status never has only a colour. */
const STATUSES: ReadonlyMap<string, readonly [words: string, tone: Tone]> = new Map(
  Object.entries({
    open: ['open', 'info'],
    needs_human: ['waits for a person', 'warn'],
    done: ['at rest', 'good'],
    closed: ['closed', 'quiet'],
    running: ['running', 'info'],
    waiting: ['waits', 'warn'],
    completed: ['completed', 'good'],
    failed: ['failed', 'bad'],
    cancelled: ['cancelled', 'quiet'],
    aborted: ['aborted', 'bad'],
    claimed: ['claimed', 'warn'],
    answered: ['answered', 'good'],
    expired: ['expired', 'bad'],
    withdrawn: ['withdrawn', 'quiet'],
    pending: ['pending', 'info'],
    // Not yet good: the choice may be refused.
    toolCall: ['called a tool', 'info'],
    decision: ['decided in text', 'info'],
    askedAgain: ['did not fit', 'warn'],
    noToolCall: ['called no tool', 'warn'],
    unreadable: ['not readable', 'bad'],
    delivered: ['delivered', 'good'],
    parked: ['parked', 'bad'],
    enabled: ['enabled', 'good'],
    gone: ['gone', 'bad'],
    live: ['live', 'good'],
    'catching-up': ['catching up', 'warn'],
    rebuilding: ['rebuilding', 'warn'],
    stopped: ['stopped', 'bad'],
    'awaiting-approval': ['waits for approval', 'warn'],
    refused: ['refused', 'bad'],
  } as const),
);

export function statusWords(status: string): string {
  return STATUSES.get(status)?.[0] ?? status;
}

export function Status({ status }: { readonly status: string }) {
  const [words, tone] = STATUSES.get(status) ?? ([status, 'quiet'] as const);
  return <Badge tone={tone}>{words}</Badge>;
}

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: React.ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
