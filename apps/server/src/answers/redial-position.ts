/** The header that says how far the log has come with an answer: the position of the last event appended for it. */
export const REDIAL_POSITION = 'Redial-Position';
