/**
 * Events, commands, deciders, rejections, JSON text, hashes and derived ids.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */
export * from '#lib/kernel';
