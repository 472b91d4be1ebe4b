/** Why an arbiter that was asked gave no verdict. */
export interface ArbitrationFailure {
  readonly kind:
    /** no reply came: the connection, the time limit, the process that waited for it */
    | 'network'
    | 'timeout'
    | 'interrupted'
    /** the reply was an HTTP error */
    | 'http-error'
    /** what came is not a verdict */
    | 'unusable-verdict'
    /** a registered function threw */
    | 'function'
    /** an operator gave the run up, which could not continue. Before 0.3: `interrupted` */
    | 'given-up';
  readonly message: string;
  /** HTTP status of the reply, if there was one. */
  readonly upstreamStatus?: number;
}
