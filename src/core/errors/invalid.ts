/** An entry of the catalogue for what a caller sent. */
export const invalid = (message: string, hint: string, status = 400) => ({
  type: 'invalid_request_error' as const,
  status,
  message,
  hint,
});
