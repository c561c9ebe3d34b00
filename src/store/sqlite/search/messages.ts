/** The messages of the search thread: requests and replies. */
import type { MessagePort } from 'node:worker_threads';
import type { RecordShape } from '../../../core/schema/shape.ts';
import type { NearQuery, ScanQuery, SearchQuery } from '../../promises/search.ts';
import type { OpenedFile } from '../file/file-places.ts';

export interface SearchData {
  /** The port for requests and replies. */
  readonly port: MessagePort;
  readonly path: string;
  readonly files: readonly OpenedFile[];
  readonly shapes: readonly RecordShape[];
  /** Days. */
  readonly historyDays: number;
}

export type SearchCall =
  | {
      readonly method: 'find';
      readonly query: Omit<SearchQuery, 'shape'>;
      readonly resource: string;
    }
  | {
      readonly method: 'findNear';
      readonly query: Omit<NearQuery, 'shape'>;
      readonly resource: string;
    }
  | { readonly method: 'has'; readonly account: string; readonly records: readonly string[] }
  | { readonly method: 'lag'; readonly accounts: readonly string[] | undefined }
  | { readonly method: 'scan'; readonly query: ScanQuery }
  | { readonly method: 'feed' }
  | { readonly method: 'close' };

/** Each request gets a reply, in order. */
export interface SearchReply {
  readonly result?: unknown;
  /** The failure, in words. */
  readonly failure?: string;
}
