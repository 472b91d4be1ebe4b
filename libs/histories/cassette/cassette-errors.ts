import { RedialError } from '#lib/kernel';

/** The cassette file is missing, and recording is not allowed. */
export class CassetteMissing extends RedialError {}

/** The cassette file is not a history, has no calls of models, or was exported without their content. */
export class CassetteUnreadable extends RedialError {}

/** The cassette has no recorded call with this request. */
export class CassetteMiss extends RedialError {}

/** Every recorded call with this request is used already. */
export class CassetteExhausted extends RedialError {}

/** The cassette file cannot be written: the answer of a model is not recorded. */
export class CassetteNotWritten extends RedialError {}
