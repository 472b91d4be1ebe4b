/** Nest's token of the read store (`ReadStore` of `#lib/projections`). */
export const READ_STORE = Symbol('ReadStore');
