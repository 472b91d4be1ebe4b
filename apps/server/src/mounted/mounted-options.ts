export const OPTIONS = Symbol('RedialHttpOptions');

/** How the API is mounted in an application. */
export interface RedialHttpOptions {
  /** The path below which the API is; by default `/`, the paths of a server of its own. */
  readonly path?: string;
  /** Whether the console is served, too; by default it is not. */
  readonly console?: boolean;
  /** The token of operators; by default that of `RedialModule`. Without one, this host alone is served. */
  readonly apiToken?: string;
}
