/**
 * The rules of a session: its decider, consensus, arbitration.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */
export * from '#lib/decisions/session';
