import { defineResource } from '../schema/define.ts';
import { required, text } from '../schema/fields/index.ts';
import { account } from './account.ts';
import { PLACES } from './headings.ts';

export const location = defineResource({
  name: 'location',
  path: 'locations',
  prefix: 'loc_',
  typeName: 'FuneralLocation',
  says: 'One service provider (a funeral home location): the anchor to which other records attach.',
  parent: account,
  anchor: true,
  fields: {
    location_name: required(text({ max: 500 }), 'Name of the location', 'Main Street Chapel'),
  },
  public_data: {},
  keys: { name: { field: 'location_name', as: 'folded' } },
  search: { location_name: 'words' },
  display: {
    title: ['location_name'],
    columns: ['location_name', 'updated_at'],
    labels: { location_name: 'Name' },
    headings: { location_name: PLACES },
    headingsBelow: PLACES,
  },
  list: { order: 'name', page: 1000, entry: { name: 'location_name', public_data: 'public_data' } },
});
