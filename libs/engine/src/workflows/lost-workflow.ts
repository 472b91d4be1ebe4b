import { RedialError } from '#lib/kernel';

/** A workflow that its session, or whoever it is to ask, does not know. A bug, or a damaged log. */
export class LostWorkflow extends RedialError {}
