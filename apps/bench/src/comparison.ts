/** The same work done twice: by Redial, and by the least code that does it. */
export interface Comparison {
  readonly name: string;
  /** The names of the two sides: "this / that". */
  readonly compared: string;
  /** The unit that is counted, in the plural. */
  readonly unit: string;
  /** The least accepted ratio of Redial to the bare side. Absent: no goal. */
  readonly goal?: number;
  /** Counts the time that this process computes, not the time that passes: the time of a server is left out. */
  readonly byProcessorTime?: true;
  readonly unitsPerCall: number;
  /** Ours and bare take turns, each at most so many times, with so many calls each time. */
  readonly blocks: number;
  readonly callsPerBlock: number;
  ours(): Promise<void>;
  bare(): Promise<void>;
}

/** A number that is not a rate, such as a percentile or a size: observed once, with no bare side. */
export interface Observation {
  readonly name: string;
  readonly value: number;
  /** The greatest accepted value. Absent: no goal. */
  readonly atMost?: number;
  readonly unit: string;
  /** The description of the observation. */
  readonly observed: string;
}

/** Comparisons and observations with the same fixture. */
export interface Benchmark {
  readonly name: string;
  /** A name that chooses all benchmarks of the group. */
  readonly group?: string;
  /** Too slow for a run without names: run only if its name or its group is given. */
  readonly onlyByName?: true;
  /** Makes the fixture, in an existing empty folder, which is removed afterwards. */
  open(folder: string): Promise<OpenBenchmark>;
}

export interface OpenBenchmark {
  readonly comparisons: readonly Comparison[];
  /** Called once, after the comparisons. */
  observe?(): Promise<readonly Observation[]>;
  close(): Promise<void>;
}
