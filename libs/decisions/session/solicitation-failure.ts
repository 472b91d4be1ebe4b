/** Why a proposer that was asked gave no proposal. */
export interface SolicitationFailure {
  readonly kind:
    /** no reply came: the connection, the time limit, the process that waited for it */
    | 'network'
    | 'timeout'
    | 'interrupted'
    /** the reply was an HTTP error */
    | 'http-error'
    /** the reply is not a completion, or came in a form that cannot be taken */
    | 'unusable-reply'
    /** the model refused to answer */
    | 'refusal'
    /** the reply ended at the token limit before it said anything that can be used */
    | 'length'
    /** the provider's filter stopped the reply before it said anything that can be used */
    | 'content-filter'
    /** the stream of the reply ended before the reply did */
    | 'incomplete'
    /** the text of the reply holds no decision */
    | 'unreadable-decision'
    /** the choice is not a transition of the state, or leads elsewhere */
    | 'invalid-choice'
    /** the arguments do not fit the transition's parameters, and its policy does not accept that */
    | 'invalid-arguments'
    /** the context's template is over its bounds: no proposer was asked */
    | 'template-too-large'
    /** the call of the model may have exceeded the budget: it was not made */
    | 'budget'
    /** a registered function threw */
    | 'function'
    /** the workflow that was to propose failed, or was cancelled */
    | 'workflow'
    /** an operator gave the run up, which could not continue. Before 0.3: `internal` */
    | 'given-up'
    /** a limit or a bug ended the run */
    | 'internal';
  readonly message: string;
  /** HTTP status of the reply, if there was one. */
  readonly upstreamStatus?: number;
}
