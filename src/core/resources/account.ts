import { defineResource } from '../schema/define.ts';
import { required, text } from '../schema/fields/index.ts';

export const account = defineResource({
  name: 'account',
  path: 'accounts',
  prefix: 'acct_',
  says: 'The top-level object: a funeral group. Accounts can be listed; operators create them on the command line.',
  parent: undefined,
  fields: { name: required(text({ max: 500 }), 'Name of the account', 'Example Funeral Group') },
  keys: { name: { field: 'name', as: 'folded' } },
  search: { name: 'words' },
  display: { title: ['name'], columns: ['name', 'inserted_at'] },
  list: { order: 'name', page: 1000, entry: { name: 'name' } },
});
