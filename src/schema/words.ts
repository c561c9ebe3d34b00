/** A name of the interface in words: `event_check_in_record` is an event check-in record. */
export function inWords(name: string): string {
  return name.replaceAll('_', ' ').replace('check in', 'check-in');
}
