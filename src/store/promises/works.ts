/** Background work that stores do for account after account, by the names under which its failures are reported. */
export const storeWorks = {
  search: 'search',
  forgetting: 'erased records',
  sweeping: 'old changes',
} as const;
