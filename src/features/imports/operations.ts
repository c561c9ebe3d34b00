/** The operations on uploads and imports: a file travels once, and is looked at, checked, imported and undone. */

import { ApiError } from '../../core/errors.ts';
import { present } from '../../core/objects/own-object.ts';
import { optional, required, text, wish } from '../../core/schema/fields/index.ts';
import { sifted } from '../../core/sifted.ts';
import { type Operation, type OperationsOf, operation } from '../../edge/operations/operation.ts';
import { pageOf, paging } from '../../edge/operations/pages.ts';
import type { HandlersOf } from '../../edge/request/operations.ts';
import { authorize } from '../../records/auth/principal.ts';
import { importRun } from './declares/import-run.ts';
import { upload as uploadObject } from './declares/upload.ts';
import { checkImporter } from './operations/brought.ts';
import { handlersOf, runOf, sees } from './operations/handlers.ts';
import { reading, running, writing } from './operations/members.ts';

export const handlers: HandlersOf = handlersOf;

export const tag = {
  name: 'Imports',
  description: 'Files with records: sent once, looked at, checked, imported and undone.',
};

const PAGE = 50;
const FORGOTTEN =
  'The refused rows of this import are no longer kept: they stay for seven days. Import the same file again to see which rows are refused.';

const common = { tag: tag.name, needs: { permission: 'write' } } as const;
const NO_KEY = {
  refusesIdempotencyKey:
    'Uploads and imports take no Idempotency-Key: send the request without it. The same import goes on where it stopped.',
};
const UPLOAD = { says: 'Identifies the upload', prefix: 'upl_' } as const;
const onUpload = {
  ...common,
  ...NO_KEY,
  id: UPLOAD,
} as const;
const onImport = { ...common, id: { says: 'Identifies the import', prefix: 'imp_' } } as const;
/** Errors of what reads a file. */
const OF_FILES = [
  ...(['import_refused', 'file_empty', 'header_missing', 'column_missing'] as const),
  ...(['column_given_twice', 'parent_column_missing', 'columns_rival'] as const),
  ...(['columns_filled_too_many', 'date_order_unclear', 'date_orders_mixed'] as const),
  ...(['times_without_zone', 'files_waiting', 'upload_gone', 'files_no_room'] as const),
];
const LINES = {
  'application/x-ndjson':
    'Lines of JSON while it is running, in order: `import`, `total`, `read` and `twice`; `rows` and `counts` now and then; pieces of `rejected`; last `done` and `counts`, or `error`. Together they have the members of the object.',
};
const dry_run = optional(wish(), 'Whether to show what would happen, and write nothing', true);

const uploads: readonly Operation[] = [
  operation({
    ...common,
    ...NO_KEY,
    name: 'create_upload',
    uncommanded: '`import --url` sends each file that it is given.',
    long: true,
    route: 'POST /v1/uploads',
    summary: 'Upload a file',
    description:
      'Takes a CSV, TSV, XLSX or NDJSON file as it is, up to 32 MiB, and keeps it for an hour, so that it can be looked at, checked and imported. Only the key that sent it sees it. The same file again is the same upload. A key has room for 10 files of 64 MiB together: the oldest go.',
    file: true,
    handled: true,
    query: {
      name: required(
        text({ max: 255 }),
        'The name of the file; its ending says what it is',
        'Services 2027.csv',
      ),
    },
    answers: { schema: 'Upload', says: 'The upload.' },
    errors: ['file_empty', 'uploads_full'],
  }),
  operation({
    ...common,
    name: 'list_uploads',
    uncommanded: 'Files are gone within an hour, and `import --url` finds its own again.',
    route: 'GET /v1/uploads',
    summary: 'List uploads',
    description: 'Lists the files that this key has sent, and that are kept still.',
    query: paging({ limit: PAGE }),
    defaults: { limit: PAGE },
    answers: { schema: 'UploadList', says: 'One page.' },
    run: ({ store }, { caller, params }) => {
      checkImporter(caller);
      const { limit = PAGE, starting_after: after } = params();
      return pageOf('/v1/uploads', {
        ...{ limit, after },
        find: async (after, limit) =>
          (await store.imports.uploads.list(caller.key, limit, after)).map((one) =>
            present(uploadObject, one, 'api', 0),
          ),
      });
    },
  }),
  operation({
    ...common,
    id: UPLOAD,
    name: 'get_upload',
    uncommanded: 'Files are gone within an hour, and `import --url` finds its own again.',
    route: 'GET /v1/uploads/:unique_identifier',
    summary: 'Read an upload',
    description: 'Returns what is known of the file, and when it goes.',
    answers: { schema: 'Upload', says: 'The upload.' },
    errors: ['upload_gone'],
    run: async ({ store }, { caller, id }) => {
      const found = await store.imports.uploads.find(caller.key, id);
      if (found === undefined) throw new ApiError('upload_gone', { values: { upload: id } });
      return present(uploadObject, found, 'api', 0);
    },
  }),
  operation({
    ...onUpload,
    name: 'delete_upload',
    uncommanded: 'Files are gone within an hour, and `import --url` finds its own again.',
    route: 'DELETE /v1/uploads/:unique_identifier',
    summary: 'Delete an upload',
    description: 'Removes the file before its hour has passed. What was imported from it stays.',
    answers: { schema: 'RemovedUpload', says: 'The upload is gone.' },
    errors: ['upload_gone'],
    run: async ({ store: { imports } }, { caller, id }) => {
      const found = await imports.uploads.find(caller.key, id);
      if (found === undefined) throw new ApiError('upload_gone', { values: { upload: id } });
      await imports.uploads.remove([id]);
      return { object: 'upload', unique_identifier: id, deleted: true };
    },
  }),
  operation({
    ...onUpload,
    name: 'look_at_upload',
    uncommanded: '`import --url` looks at each file first.',
    route: 'POST /v1/uploads/:unique_identifier/look',
    summary: 'Look at an upload',
    description:
      'Says how the file is read, what its columns are taken for, and what every row still needs. Where the file leaves open which sheet or delimiter is meant, the answer asks.',
    body: reading,
    handled: true,
    answers: { schema: 'ImportLook', says: 'What it looks like.' },
    errors: OF_FILES,
  }),
  operation({
    ...onUpload,
    name: 'check_upload',
    uncommanded: '`import --url --dry-run` does it.',
    long: true,
    route: 'POST /v1/uploads/:unique_identifier/check',
    // It shows what records have now, beside what the rows make of it.
    audits: 'list',
    summary: 'Check an upload',
    description:
      'Goes through all rows as an import does, and writes nothing: how many records would be created and changed, and which rows would be refused.',
    body: writing,
    handled: true,
    answers: { schema: 'ImportResult', says: 'What would become of its rows.', also: LINES },
    errors: OF_FILES,
  }),
];

const imports: readonly Operation[] = [
  operation({
    ...common,
    ...NO_KEY,
    name: 'create_import',
    uncommanded: '`import --url` does it.',
    long: true,
    route: 'POST /v1/imports',
    summary: 'Import an upload',
    description:
      'Writes each row as an upsert, and answers when all are done. A row that is refused stops no other. If the connection breaks, the import stops: the same request goes on where it stopped, also after the file was sent again. A key that is limited to locations imports there alone.',
    body: running,
    sends: { upload: 'upl_036Vq1rXbU9kTqPpLw3aZc', resource: 'events' },
    handled: true,
    answers: { schema: 'ImportResult', says: 'What became of its rows.', also: LINES },
    errors: OF_FILES,
  }),
  operation({
    ...common,
    name: 'list_imports',
    route: 'GET /v1/imports',
    summary: 'List imports',
    description:
      'Lists imports into accounts of the key, newest first: those of commands and people, too. A key that is limited to locations or resources sees its own.',
    query: paging({ limit: PAGE }),
    defaults: { limit: PAGE },
    answers: { schema: 'ImportList', says: 'One page.' },
    run: ({ store }, { caller, params }) => {
      checkImporter(caller);
      const { limit = PAGE, starting_after: after } = params();
      return pageOf('/v1/imports', {
        ...{ limit, after },
        find: async (after, limit) => {
          const runs = await sifted(
            { after, limit },
            (after, limit) => store.imports.list(limit, after),
            (run) => sees(caller, run),
          );
          return runs.map((run) => present(importRun, run, 'api', 0));
        },
      });
    },
  }),
  operation({
    ...onImport,
    name: 'get_import',
    route: 'GET /v1/imports/:unique_identifier',
    summary: 'Read an import',
    description: 'Returns the import: its files, its status, and how many rows came to what.',
    answers: { schema: 'Import', says: 'The import.' },
    errors: ['resource_missing'],
    run: async ({ store }, { caller, id }) => {
      checkImporter(caller);
      return present(importRun, await runOf(store, caller, id), 'api', 0);
    },
  }),
  operation({
    ...onImport,
    name: 'get_rejected_rows',
    uncommanded: '`import` writes them to a file beside that of the rows.',
    route: 'GET /v1/imports/:unique_identifier/rejected',
    audits: 'export',
    summary: 'Read the refused rows of an import',
    description:
      'Returns the refused rows as CSV, up to 1 MiB, each with its number and the reason. Corrected, they can be uploaded as they are. They are kept for seven days.',
    answers: { schema: 'ImportRejected', says: 'The rows.' },
    errors: ['resource_missing'],
    run: async ({ store }, { caller, id }) => {
      checkImporter(caller);
      const { files } = await runOf(store, caller, id);
      for (const { resource } of files) authorize(caller, resource, 'read');
      const rows = await store.imports.rejected(id);
      if (rows === undefined) throw new ApiError('resource_missing', { message: FORGOTTEN });
      return { object: 'import_rejected', rows };
    },
  }),
  operation({
    ...onImport,
    ...NO_KEY,
    name: 'undo_import',
    uncommanded: '`imports undo` shows what it would do, asks, and does it.',
    long: true,
    route: 'POST /v1/imports/:unique_identifier/undo',
    summary: 'Undo an import',
    description:
      'Removes the records that the import created, and gives those that it changed what they held before. A record that has changed since stays as it is. With `dry_run` it only says what would happen. It is for keys of whole accounts that may also delete, and safe to repeat.',
    body: { dry_run },
    handled: true,
    answers: { schema: 'ImportUndo', says: 'What was undone.' },
    errors: ['resource_missing', 'import_too_old', 'files_waiting'],
  }),
];

const templates: OperationsOf = (resources) => [
  operation({
    ...common,
    name: 'get_import_template',
    uncommanded: '`import` takes the names of columns as they are: `import --help` says them.',
    route: 'GET /v1/import_templates',
    summary: 'Read a template',
    description:
      'Returns a table with nothing but the names of columns, to be filled and imported.',
    query: {
      resource: required(text({ max: 100 }), 'What its rows are, by its name in paths', 'events'),
    },
    answers: { schema: 'ImportTemplate', says: 'The table.' },
    errors: ['resource_missing'],
    run: async (_services, { caller, params }) => {
      checkImporter(caller);
      const { templateOf } = await import('./serves/table/headings.ts');
      const { resource: path } = params();
      const resource = resources.find((one) => one.path === path && one.parent !== undefined);
      if (resource === undefined) throw new ApiError('resource_missing');
      return { object: 'import_template', resource: path, csv: templateOf(resource) };
    },
  }),
];

export const operations: OperationsOf = (resources) => [
  ...uploads,
  ...imports,
  ...templates(resources),
];
