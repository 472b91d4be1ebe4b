/** The id of the start of a run as releases before 0.3 made it: it does not say what the start says. */
export function idOfBefore(eventId: string): string {
  return eventId.charAt(14) === '8' ? `${eventId.slice(0, 14)}5${eventId.slice(15)}` : eventId;
}
