export const TASK_STATUSES = ['open', 'claimed', 'answered', 'expired', 'withdrawn'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];
export const TASK_KINDS = ['decision', 'approval', 'answer'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];
