/**
 * The port of the event log, its codec, and the store in memory.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */
export * from '#lib/event-store';
