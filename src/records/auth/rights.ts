/** The rights beyond records that a key can be given by name. */

/**
 * Each name with what it allows. A right stands here as soon as something needs it: a name that nothing checks would
 * promise what it does not keep.
 */
export const rights: Readonly<Record<string, string>> = {
  requests: 'to see which requests of its accounts were refused, and how much was done',
  webhooks: 'to make webhook endpoints, which are sent the changes that the key may read',
};
