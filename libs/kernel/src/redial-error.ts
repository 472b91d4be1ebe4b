import { explain } from './explain.js';

/** What Redial throws: a bug, a divergence, or a part of the outside that does not work. Refusals are values (`Rejection`). */
export class RedialError extends Error {
  constructor(what: string, why: string, fix: string, options?: ErrorOptions) {
    super('', options);
    this.name = new.target.name;
    this.message = explain(this.name, what, why, fix);
  }
}
