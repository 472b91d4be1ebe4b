import { explain } from './explain.js';

/** Base class of everything that Redial throws: a bug, a divergence, or an outside system that fails. Refusals are values (`Rejection`). */
export class RedialError extends Error {
  constructor(what: string, why: string, fix: string, options?: ErrorOptions) {
    super('', options);
    this.name = new.target.name;
    this.message = explain(this.name, what, why, fix);
  }
}
