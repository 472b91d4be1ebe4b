/** The lease of whoever drives a session on. */
export function driveLease(sessionId: string): string {
  return `drive-${sessionId}`;
}
