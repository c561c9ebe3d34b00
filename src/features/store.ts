// Generated from src/features/ by "npm run generate"; do not edit.

import type {
  BookParts,
  BookStatement,
  BookTables,
  FindSaid,
  FindsActor,
} from '../store/books/tables.ts';
import * as doNotContact from './do-not-contact/store.ts';
import * as expectations from './expectations/store.ts';
import * as followUp from './follow-up/store.ts';
import * as holds from './holds/store.ts';
import * as imports from './imports/store.ts';
import * as retention from './retention/store.ts';
import * as selfTests from './self-tests/store.ts';
import * as webhooks from './webhooks/store.ts';

export const featureRefuseTooOld = [retention.refuseTooOld] as const;
export const featureKeepers: readonly string[] = [holds.keeper, retention.keeper];
export const featureSettling: readonly ((
  now: number,
) => readonly [BookStatement, ...(string | number)[]])[] = [webhooks.settling];
/** Gives what hangs on a key to the key that replaces it. */
export const featureSucceeding: readonly ((
  old: string,
  successor: string,
) => readonly [BookStatement, ...string[]])[] = [webhooks.succeeding];
/** Announces states of objects; it does nothing where no feature announces. */
export const announcerOf = webhooks.announcer;
/** Knows whom nobody is to contact; nobody where no feature does. */
export const registerOf = doNotContact.register;
export const featureBooks = (tables: BookTables, parts: BookParts) => ({
  doNotContact: doNotContact.book(tables, parts),
  expectations: expectations.book(tables, parts),
  followUp: followUp.book(tables, parts),
  holds: holds.book(tables, parts),
  imports: imports.book(tables, parts),
  retention: retention.book(tables, parts),
  selfTests: selfTests.book(tables, parts),
  webhooks: webhooks.book(tables, parts),
});
/** Who writes records, beside keys and people: by the beginning of their identifiers, whom they are called. */
export const featureActors = (books: ReturnType<typeof featureBooks>): readonly FindsActor[] => [
  imports.actor(books.imports),
];
export const featureSaid = (
  books: ReturnType<typeof featureBooks>,
): Readonly<Record<string, FindSaid>> => ({ ...doNotContact.said(books.doNotContact) });
