/** Which pages there are, in the order of the navigation: each is a file of `docs/`, served as a page and as Markdown. */

import type { Resource } from '../src/core/schema/define.ts';
import { headingOf } from '../src/core/schema/present/words.ts';

export interface ManualPage {
  /** Below `docs/`. */
  readonly file: string;
  /** Where it is served, such as `/docs/merging`; its Markdown is at `/docs/merging.md`. */
  readonly path: string;
  /** As the navigation calls it. */
  readonly title: string;
  /** One sentence: what a reader finds there. */
  readonly says: string;
  /** Where the file is, from the project's folder, if not in `docs/`. */
  readonly source?: string;
}

export interface Chapter {
  readonly title: string;
  readonly pages: readonly ManualPage[];
}

/** The parts of a resource that the list of pages shows. */
export interface PagedResource {
  /** The name in paths, such as `events`. */
  readonly path: string;
  readonly title: string;
  readonly says: string;
}

export function pagedAs(resource: Resource): PagedResource {
  return { path: resource.path, title: headingOf(resource), says: resource.says };
}

/** The address of the service in the files of `docs/`. */
export const SHOWN_ADDRESS = 'http://127.0.0.1:8080';

/** The first words at `/docs`. */
export const INTRODUCTION =
  'Ledgerstone stores the records of funeral homes that other systems send to it. You create or update a record with one request, and repeating it changes nothing.';

/** The page at `/docs`. */
export const FRONT = 'README.md';

/** How far below the others search ranks a page. */
export type Late = 0 | 1 | 2;

/** Partners look for their pages first; the overview and the changelog only point to others. */
export function lateOf(chapters: readonly Chapter[], page: ManualPage): Late {
  if (page.file === FRONT || page.file === 'changelog.md') return 2;
  const chapter = chapters.find(({ pages }) => pages.includes(page));
  return PARTNERS.has(chapter?.title ?? '') ? 0 : 1;
}

/** Where pages went that others link to, by the path that they had: partners' notes and what was printed keep leading somewhere. */
export const MOVED: Readonly<Record<string, string>> = {
  activity: 'feeds#how-much-arrived',
  choosing: 'quick-start#which-way-to-take',
  expectations: 'feeds#who-has-stopped',
  holds: 'retention#keep-a-record-holds',
  idempotency: 'errors-and-retries#have-a-request-done-once',
  requests: 'feeds#what-was-refused',
  running: 'production#start-stop-and-health',
  sources: 'feeds#who-sends',
};

/** The chapters in which partners look first. */
const PARTNERS = new Set(['Integrate']);

export function chaptersOf(resources: readonly PagedResource[]): readonly Chapter[] {
  return [
    {
      title: 'Integrate',
      pages: [
        page(FRONT, 'Overview', 'What there is to read, and where to begin.'),
        page(
          'quick-start.md',
          'Integrate in fifteen minutes',
          'From an API key to records that arrive every night; then which way to take.',
        ),
        page(
          'merging.md',
          'Writing records',
          'What an upsert merges; changing, rehearsing and removing records.',
        ),
        page('bulk.md', 'Many records at once', 'Arrays, all or none, and streams of lines.'),
        page(
          'syncs.md',
          'Nightly syncs',
          'Send everything you have, and remove what you no longer send: syncs, and undoing them.',
        ),
        page('pagination.md', 'Reading records', 'Pages, filters, search, expand[] and ETag.'),
        page(
          'changes.md',
          'Changes and copies',
          'Follow every change, keep a copy, read a history, restore a version.',
        ),
        page(
          'webhooks.md',
          'Receive webhooks',
          'Be called when records change: signatures, retries, replays.',
        ),
        page(
          'errors-and-retries.md',
          'Errors and retries',
          'What a client does with an error, when it retries, and how a request is done once.',
        ),
        page(
          'self-test.md',
          'Test your integration',
          'Test accounts, provoked errors, and twelve checks that your program passes before it goes live.',
        ),
        {
          ...page(
            'client.md',
            'Client for TypeScript',
            'Exact types, iteration, retries, and any number of rows; also for JavaScript.',
          ),
          source: 'client/README.md',
        },
        page(
          'other-languages.md',
          'PHP, C#, Java and Ruby',
          'A nightly load and a webhook receiver in each, with nothing but its standard library.',
        ),
        page(
          'corrections.md',
          'What staff corrected',
          'Corrections stay: what a source sends for them is proposed, and a person decides.',
        ),
        page(
          'locations.md',
          'Time zones and regions',
          'The time zone, region and state of locations, and lists of a region.',
        ),
        page(
          'follow-ups.md',
          'Follow up',
          'What is to be done about records and who does it; and the register of whom nobody is to contact.',
        ),
        page(
          'feeds.md',
          'Is my feed healthy?',
          'Who sends, what was refused and why, how much arrived, and who has stopped.',
        ),
        page('resources.md', 'Resources', 'All resources, and what holds for each.'),
        ...resources.map(({ path, title, says }) => page(`resources/${path}.md`, title, says)),
        page(
          'operations.md',
          'Operations on other objects',
          'Webhooks, syncs, holds and the rest: each operation, what it takes and what it needs.',
        ),
        page(
          'objects.md',
          'Objects that are not records',
          'Keys, webhooks, removals, imports, people: the fields that the API and commands show.',
        ),
        page('errors.md', 'Error codes', 'Every code: what it means, and what to do.'),
      ],
    },
    {
      title: 'Work in the office',
      pages: [
        page(
          'console.md',
          'Families and services',
          'Sign in, find a family, correct a record, read mail replies.',
        ),
        page(
          'console-import.md',
          'Bring in a spreadsheet',
          'Match columns, fix what is unclear by kinds, import, and undo.',
        ),
        page(
          'console-files.md',
          'Files, systems and people',
          'Import a spreadsheet, export, connect systems, invite colleagues.',
        ),
      ],
    },
    {
      title: 'Privacy',
      pages: [
        page(
          'console-privacy.md',
          'Privacy in the console',
          'Forget a person, let records go by age, keep what a case needs, see who looked.',
        ),
        page(
          'privacy.md',
          'Answer privacy requests',
          'What laws ask when a person wants to be forgotten, what the service does for it, and what you do.',
        ),
        page(
          'erasure.md',
          'Forget a person',
          'Find the records of a person who asks for it, erase them for good, and refuse them when they are sent again.',
        ),
        page(
          'retention.md',
          'Forget by age, and keep',
          'Rules that remove records when they are old enough, and holds that keep them.',
        ),
        page(
          'audit.md',
          'Who has seen what',
          'The audit: who opened, searched, exported or administered what, and proof that it is whole.',
        ),
        page(
          'personal-data.md',
          'Where personal data is',
          'Every table and file, what it holds of people, and when that goes.',
        ),
      ],
    },
    {
      title: 'Operate',
      pages: [
        page(
          'production.md',
          'Run it in production',
          'Install, TLS, systemd, backups, upgrades, what to watch; start, stop, doctor, containers.',
        ),
        page('network.md', 'HTTPS and proxies', "Certificates, proxies, and clients' addresses."),
        page('settings.md', 'Settings', 'Every setting, its default and its variable.'),
        page(
          'keys.md',
          'Accounts and keys',
          'Who may call, and what; many keys at once; who changed what.',
        ),
        page(
          'who-may-sign-in.md',
          'Who may sign in',
          'Invitations, roles, passkeys, passwords, single sign-on, and sessions.',
        ),
        page('limits.md', 'Limits', 'Rates of keys, and what no caller can exceed.'),
        page(
          'logs.md',
          'Logs and refused requests',
          "What is logged, and why a partner's records are refused.",
        ),
        page(
          'metrics.md',
          'Metrics and alerts',
          'What Prometheus reads, and what to look at first.',
        ),
        page(
          'backup.md',
          'Back up and restore',
          'One file with everything, checked by restoring it; from SQLite to PostgreSQL and back.',
        ),
        page(
          'worst-day.md',
          'The worst day',
          'A disk is lost, a file is damaged, a deploy went wrong: what to do, step by step.',
        ),
        page('upgrading.md', 'Upgrade', 'Before, during and back, on SQLite and PostgreSQL.'),
        page(
          'import.md',
          'Import a spreadsheet',
          'CSV, TSV, XLSX and NDJSON files, with a mapping, a dry run and a file of rejected rows.',
        ),
        page(
          'files-that-come.md',
          'Files that come by themselves',
          'A watched folder, delivered to by SFTP at night: each file once, and who has stopped.',
        ),
        page(
          'export.md',
          'Export everything',
          'All records as NDJSON, CSV or XLSX, as they stand at one moment.',
        ),
        page(
          'postgresql.md',
          'PostgreSQL',
          'Several processes, settings of the server, outages and standbys.',
        ),
        page('beyond-one-server.md', 'Beyond one database server', 'Citus and PgBouncer.'),
      ],
    },
    {
      title: 'Understand',
      pages: [
        page(
          'storage.md',
          'Data on disk',
          'Durability, the files of a SQLite store, space, and when removed content is gone.',
        ),
        page(
          'reliability.md',
          'How reliable it is',
          'What is promised, how each promise is tested, what was found, and what is not promised.',
        ),
        page(
          'versioning.md',
          'Versions and changes',
          'What /v1 may gain, what never changes, and how long notice is given.',
        ),
        {
          ...page(
            'changelog.md',
            'Changelog',
            'What is new in each version; also as an Atom feed.',
          ),
          source: 'CHANGELOG.md',
        },
        page(
          'performance.md',
          'How fast it is',
          'What was measured, on which machine, and how to measure it yourself.',
        ),
        page(
          'architecture.md',
          'How it is built',
          'The rooms of the code, what may import what, and the way of a request.',
        ),
      ],
    },
  ];
}

function page(file: string, title: string, says: string): ManualPage {
  const path = file === FRONT ? '/docs' : `/docs/${file.replace(/\.md$/, '')}`;
  return { file, path, title, says };
}

/** The file of a page, from the project's folder. */
export function sourceOf({ file, source }: ManualPage): string {
  return source ?? `docs/${file}`;
}
