import { RedialError } from '#lib/kernel';

/** There is no cassette, and none may be recorded. */
export class CassetteMissing extends RedialError {}

/** The file of a cassette is not a history, or has no calls of models, or their content was left out. */
export class CassetteUnreadable extends RedialError {}

/** A model is asked something that no recorded call asks. */
export class CassetteMiss extends RedialError {}

/** A model is asked once more than the cassette has the request. */
export class CassetteExhausted extends RedialError {}

/** The file of a cassette cannot be written: an answer of a model is not recorded. */
export class CassetteNotWritten extends RedialError {}
