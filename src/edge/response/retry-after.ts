/** Headers of what could not be accepted: it may be sent again after a second. */
export const RETRY_SOON = { 'Retry-After': '1' };
