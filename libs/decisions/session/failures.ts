/** The failure of a proposer that was asked and gave no proposal. */
export interface SolicitationFailure {
  readonly kind:
    /** no reply: the connection, the time limit, or the end of the process that waited for it */
    | 'network'
    | 'timeout'
    | 'interrupted'
    /** the reply was an HTTP error */
    | 'http-error'
    /** the reply is not a completion, or has an unsupported form */
    | 'unusable-reply'
    /** the model refused to answer */
    | 'refusal'
    /** the reply ended at the token limit, without usable content */
    | 'length'
    /** the provider's filter stopped the reply, without usable content */
    | 'content-filter'
    /** the stream ended before the end of the reply */
    | 'incomplete'
    /** the text of the reply has no decision */
    | 'unreadable-decision'
    /** the choice is not a transition of the state, or names another target */
    | 'invalid-choice'
    /** the arguments do not fit the transition's parameters, and its policy does not accept them */
    | 'invalid-arguments'
    /** the context's template exceeds its bounds: no proposer was asked */
    | 'template-too-large'
    /** the model call might have exceeded the budget: it was not made */
    | 'budget'
    /** a registered function threw */
    | 'function'
    /** the proposing workflow failed, or was cancelled */
    | 'workflow'
    /** an operator gave up the run, which could not continue. Before 0.3: `internal` */
    | 'given-up'
    /** a limit or a bug ended the run */
    | 'internal';
  readonly message: string;
  /** HTTP status of the reply, if there was one. */
  readonly upstreamStatus?: number;
}

/** The failure of an arbiter that was asked and gave no verdict. */
export interface ArbitrationFailure {
  readonly kind:
    /** no reply: the connection, the time limit, or the end of the process that waited for it */
    | 'network'
    | 'timeout'
    | 'interrupted'
    /** the reply was an HTTP error */
    | 'http-error'
    /** the reply is not a verdict */
    | 'unusable-verdict'
    /** a registered function threw */
    | 'function'
    /** an operator gave up the run, which could not continue. Before 0.3: `interrupted` */
    | 'given-up';
  readonly message: string;
  /** HTTP status of the reply, if there was one. */
  readonly upstreamStatus?: number;
}
