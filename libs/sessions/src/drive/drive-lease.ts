/** The lease of the process that drives a session. */
export function driveLease(sessionId: string): string {
  return `drive-${sessionId}`;
}
