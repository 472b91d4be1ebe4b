// Made of the declared operations by `npm run operations:record`.

import { type ClientCallOptions, type ClientOptions, callOverHttp } from './call-over-http.js';

export interface DeletePersonInput {
  personId: string;
}
export interface GetPersonInput {
  personId: string;
  /**
   * Answer only once the rows have reached this position, given in `Redial-Position` before
   */
  minPosition?: string;
}
export interface ListPeopleInput {
  /**
   * Items at most
   */
  limit?: number;
  /**
   * `nextCursor` of the page before
   */
  cursor?: string;
  /**
   * Answer only once the rows have reached this position, given in `Redial-Position` before
   */
  minPosition?: string;
}
export interface RegisterPersonInput {
  personId: string;
  name?: string;
  role: 'viewer' | 'reviewer' | 'operator';
}
export interface ReplacePersonTokenInput {
  personId: string;
}
export interface PersonToken {
  /**
   * Given once, and stored only as a hash; the token before it ends
   */
  token: string;
}
export interface PersonView {
  personId: string;
  name?: string;
  role: 'viewer' | 'reviewer' | 'operator';
  createdAt: string;
}
export interface RegisteredPerson {
  personId: string;
  name?: string;
  role: 'viewer' | 'reviewer' | 'operator';
  /**
   * Given once, and stored only as a hash. Absent where the person was registered before
   */
  token?: string;
}

/** A method for each operation of a Redial server. Needs `fetch` and nothing else. */

export class RedialClient {
  constructor(private readonly server: ClientOptions) {}

  /** Delete a person: their token ends, the specialists that name them stay and cannot act. */
  deletePerson(input: DeletePersonInput, options?: ClientCallOptions): Promise<null> {
    return callOverHttp(
      this.server,
      { method: 'DELETE', path: '/v1/people/:personId' },
      input,
      options,
    ) as Promise<null>;
  }

  /** A person. */
  getPerson(input: GetPersonInput, options?: ClientCallOptions): Promise<PersonView> {
    return callOverHttp(
      this.server,
      { method: 'GET', path: '/v1/people/:personId' },
      input,
      options,
    ) as Promise<PersonView>;
  }

  /** The people, by id. */
  listPeople(
    input: ListPeopleInput = {},
    options?: ClientCallOptions,
  ): Promise<{ readonly items: readonly PersonView[]; readonly nextCursor: string | null }> {
    return callOverHttp(this.server, { method: 'GET', path: '/v1/people' }, input, options) as Promise<{
      readonly items: readonly PersonView[];
      readonly nextCursor: string | null;
    }>;
  }

  /** Register a person, who gets a token of their own. */
  registerPerson(input: RegisterPersonInput, options?: ClientCallOptions): Promise<RegisteredPerson> {
    return callOverHttp(
      this.server,
      { method: 'POST', path: '/v1/people' },
      input,
      options,
    ) as Promise<RegisteredPerson>;
  }

  /** Give a person a new token; the one before ends. */
  replacePersonToken(input: ReplacePersonTokenInput, options?: ClientCallOptions): Promise<PersonToken> {
    return callOverHttp(
      this.server,
      { method: 'POST', path: '/v1/people/:personId/token' },
      input,
      options,
    ) as Promise<PersonToken>;
  }
}
