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
