/** Seconds after which to retry what could not be accepted. */
export const RETRY_AFTER = '1';
