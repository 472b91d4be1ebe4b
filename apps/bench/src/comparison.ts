/** The same work done twice: by Redial, and by the least code that does it. */
export interface Comparison {
  readonly name: string;
  /** The names of the two sides: "this / that". */
  readonly compared: string;
  /** The unit that is counted, in the plural. */
  readonly unit: string;
  /** The least accepted ratio of Redial to the bare side. Absent if none was set. */
  readonly goal?: number;
  /** Count the time that this process computes, not the time that passes: what a server takes is left out. */
  readonly byProcessorTime?: true;
  readonly unitsPerCall: number;
  /** Ours and bare take turns, so many times each at most; each time with so many calls. */
  readonly blocks: number;
  readonly callsPerBlock: number;
  ours(): Promise<void>;
  bare(): Promise<void>;
}

/** A number that is not a rate, such as a percentile or a size: observed once, beside nothing. */
export interface Observation {
  readonly name: string;
  readonly value: number;
  /** The greatest value that is good enough. Absent if none was set. */
  readonly atMost?: number;
  readonly unit: string;
  /** The observation in words. */
  readonly observed: string;
}

/** Comparisons and observations that share what they work on. */
export interface Benchmark {
  readonly name: string;
  /** Chosen together by this name. */
  readonly group?: string;
  /** Too slow for a run without names: run only if its name or its group is given. */
  readonly onlyByName?: true;
  /** Makes what is worked on, in a folder that is there and empty, and goes away by itself. */
  open(folder: string): Promise<OpenBenchmark>;
}

export interface OpenBenchmark {
  readonly comparisons: readonly Comparison[];
  /** Called once, after the comparisons. */
  observe?(): Promise<readonly Observation[]>;
  close(): Promise<void>;
}
