/** The objects and tables of imports. */
import {
  importLook,
  importRejected,
  importResult,
  importTemplate,
  importUndo,
} from './declares/answers.ts';
import { importRun } from './declares/import-run.ts';
import { upload, uploadPart } from './declares/upload.ts';

export const objects = [
  upload,
  importRun,
  importLook,
  importRejected,
  importResult,
  importTemplate,
  importUndo,
];
export const tables = [importRun, upload, uploadPart];
