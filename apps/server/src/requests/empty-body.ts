/** The body of calls that need none: nothing, or `{}`. */
export class EmptyBody {}
