/** The right of keys, by its name, to make webhook endpoints and to change them. */
export const RIGHT = 'webhooks';
