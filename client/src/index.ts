/** The client of Ledgerstone: `new Ledgerstone({ key, url })`. */
export { type Answer, answerOf } from './answer.ts';
export type { ChangeExpand, ChangePage, ChangePages, Changes, ListedChange } from './changes.ts';
export type { Collection, HistoryParams, OfVersion, ReadableCollection } from './collection.ts';
export { type ConnectionCode, ConnectionError, LedgerstoneError } from './error.ts';
export type * from './generated/changes.d.ts';
export * from './generated/errors.ts';
export { Ledgerstone } from './generated/ledgerstone.ts';
export type * from './generated/notifications.d.ts';
export type * from './generated/objects.d.ts';
export type * from './generated/records.d.ts';
export type * from './generated/search.d.ts';
export { ExactNumber, parseJson, toJson } from './json.ts';
export type { List, Page } from './list.ts';
export type { RowAnswer, RowAnswers, RowRefused, RowWritten, UpsertManyResult } from './many.ts';
export type { ChangeNotification, ProposalNotification } from './notifications.ts';
export type {
  RecordOptions,
  RemoveOptions,
  RequestOptions,
  Settings,
  UpsertManyOptions,
  UpsertOptions,
  WriteOptions,
} from './settings.ts';
export type { SyncOf, SyncOptions, SyncResult } from './sync.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts';
