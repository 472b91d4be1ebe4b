/** Another process has the reaction, or it has ended. No row was changed. */
export class TakenOver extends Error {}
