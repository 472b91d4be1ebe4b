/** Another process has the reaction, or it has ended. Its rows were not changed. */
export class TakenOver extends Error {}
