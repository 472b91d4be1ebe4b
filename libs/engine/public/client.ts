/**
 * The typed client of a server: a method for each operation. Needs `fetch` alone, so it works in a browser.
 * @packageDocumentation
 */
export * from '#lib/client';
