/** Expectations of imports that tests of the whole service check. */
import type { CallsGround, Expected } from '../../support/expected.ts';
import { AT, many, wide } from '../../support/largest.ts';

const FILE = '/v1/uploads?name=visitors.csv';
const asked = { resource: 'event_check_in_records' };

/** A file that names a record that is there by what it is found by, and one that is refused. */
async function sheet({ visitor }: CallsGround): Promise<string> {
  const { body } = await visitor();
  const { external_identifier, event_unique_identifier, visitor_phone_number } = body;
  return [
    'external_identifier,event_unique_identifier,visitor_full_name,visitor_phone_number',
    `${external_identifier},${event_unique_identifier},Another Name,${visitor_phone_number}`,
    `refused,${event_unique_identifier},Another Name,nowhere`,
    '',
  ].join('\n');
}

export const expected: Expected = {
  lists: {
    list_uploads: 'ten at most, of a key each',
    list_imports: {
      ...{ table: 'import_run', count: 150 },
      entry: {
        ...{ fingerprint: 'a', status: 'finished', began: {}, chunk: 1_000 },
        files: many(100, { name: `${wide(120)}.csv`, resource: 'events', rejected: '' }),
        position: { file: 0, rows: 0, rejected: [] },
        counts: { created: 1, updated: 1, unchanged: 1, failed: 1 },
        ...{ inserted_at: AT, updated_at: AT },
      },
    },
  },
  alike: { all: ['imports.encodings.utf-8'] },
  answers: {
    create_upload: 'only the key that sent a file sees it',
    list_uploads: 'only the key that sent a file sees it',
    get_upload: 'only the key that sent a file sees it',
    delete_upload: 'only the key that sent a file sees it',
    look_at_upload: 'shows the file that the key sent',
    check_upload: 'rows are judged as those that the key sends by itself',
    create_import: 'rows are written as those that the key sends by itself',
    list_imports: 'a limited key sees its own',
    get_import: 'a limited key sees its own',
    get_rejected_rows: 'a limited key sees its own',
    get_import_template: 'shows no records',
  },
  // Each run in a transaction of its one statement; parts of a file before it.
  locks: { import_run: ['import_run'], upload: ['upload_part', 'upload'] },
  calls: (ground) => {
    const { does } = ground;
    const uploaded = async (): Promise<string> =>
      (await does('POST', FILE, await sheet(ground))).unique_identifier;
    const imported = async (): Promise<string> =>
      (await does('POST', '/v1/imports', { upload: await uploaded(), ...asked })).import;
    return {
      'POST /v1/uploads': async () => [
        {
          query: '?name=visitors.csv',
          body: await sheet(ground),
          headers: { 'Content-Type': 'text/csv' },
        },
      ],
      'GET /v1/uploads': async () => [{}],
      'GET /v1/uploads/:unique_identifier': async () => [{ id: await uploaded() }],
      'DELETE /v1/uploads/:unique_identifier': async () => [{ id: await uploaded() }],
      'POST /v1/uploads/:unique_identifier/look': async () => [
        { id: await uploaded(), body: asked },
      ],
      'POST /v1/uploads/:unique_identifier/check': async () => [
        { id: await uploaded(), body: asked },
        {
          id: await uploaded(),
          body: asked,
          headers: { 'Content-Type': 'application/json', Accept: 'application/x-ndjson' },
        },
      ],
      'POST /v1/imports': async () => [{ body: { upload: await uploaded(), ...asked } }],
      'GET /v1/imports': async () => [{}],
      'GET /v1/imports/:unique_identifier': async () => [{ id: await imported() }],
      'GET /v1/imports/:unique_identifier/rejected': async () => [{ id: await imported() }],
      'POST /v1/imports/:unique_identifier/undo': async () => {
        const id = await imported();
        return [true, false].map((dry_run) => ({ id, body: { dry_run } }));
      },
      'GET /v1/import_templates': async () => [{ query: '?resource=events' }],
    };
  },
};
