// Generated from src/features/ by "npm run generate"; do not edit.

import type { BookParts, BookStatement, BookTables, FindSaid } from '../store/books/tables.ts';
import * as expectations from './expectations/store.ts';
import * as followUp from './follow-up/store.ts';
import * as holds from './holds/store.ts';
import * as retention from './retention/store.ts';
import * as selfTests from './self-tests/store.ts';
import * as webhooks from './webhooks/store.ts';

export const featureMarks = [retention.marks] as const;
export const featureKeepers: readonly string[] = [holds.keeper, retention.keeper];
export const featureSettling: readonly ((
  now: number,
) => readonly [BookStatement, ...(string | number)[]])[] = [webhooks.settling];
/** Announces states of objects; it does nothing where no feature announces. */
export const announcerOf = webhooks.announcer;
export const featureBooks = (tables: BookTables, parts: BookParts) => ({
  expectations: expectations.book(tables, parts),
  followUp: followUp.book(tables, parts),
  holds: holds.book(tables, parts),
  retention: retention.book(tables, parts),
  selfTests: selfTests.book(tables, parts),
  webhooks: webhooks.book(tables, parts),
});
export const featureSaid = (
  books: ReturnType<typeof featureBooks>,
): Readonly<Record<string, FindSaid>> => ({ ...followUp.said(books.followUp) });
