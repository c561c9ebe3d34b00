/** The paths of all icons, drawn with the same stroke. */

const AGAIN = 'M16 10a6 6 0 1 1-2-4.500M16 3v3.500h-3.500';

const PATHS = {
  today: 'M3.5 5h13v11.5h-13zM3.5 8.5h13M7 3v3M13 3v3',
  find: 'M9 15a6 6 0 1 1 0-12 6 6 0 0 1 0 12zM13.5 13.5 17 17',
  locations:
    'M10 17.5s5.5-5 5.5-9a5.5 5.5 0 0 0-11 0c0 4 5.500 9 5.500 9zM10 10.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  events: 'M5 17V9a5 5 0 0 1 10 0v8zM3 17h14M8 9.500h4M8 12.500h4',
  event_administrators:
    'M7.500 9a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM3 16c0-2.500 2-4.500 4.500-4.500S12 13.500 12 16M13 9a2 2 0 1 0 0-4M14 11.500c2 .3 3 2 3 4',
  event_check_in_records:
    'M10 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4.500 17c0-3 2.500-5 5.500-5s5.500 2 5.500 5',
  online_arrangements:
    'M3 4h2l1.800 8.500h8L16.500 6.500H5.600M8 16.500a.8.8 0 1 0 0-1.600.8.8 0 0 0 0 1.600zM14 16.500a.8.8 0 1 0 0-1.600.8.8 0 0 0 0 1.600z',
  direct_mail_replies: 'M3 5.500h14v9.500H3zM3 6l7 5 7-5',
  accounts: 'M4 17V4.500h8V17M12 8h4v9M2.500 17h15M6.500 7.500h3M6.500 10.500h3M6.500 13.500h3',
  feeds: 'M3.500 16v-4M7.500 16V7.500M11.500 16v-6M15.500 16V4',
  requests: 'M4 5h12M4 10h12M4 15h7',
  keys: 'M7 13a3.500 3.500 0 1 1 3.300-4.600H17v3h-2v2h-2.500v-2h-2.200A3.500 3.500 0 0 1 7 13z',
  staff: 'M10 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4.500 17c0-3 2.500-5 5.500-5s5.500 2 5.500 5',
  privacy: 'M10 2.500 4 5v4.500c0 4 2.500 6.500 6 8 3.500-1.500 6-4 6-8V5zM7.500 9.500l2 2 3-3.500',
  audit:
    'M2.500 10S5.500 5 10 5s7.500 5 7.500 5-3 5-7.500 5-7.500-5-7.500-5zM10 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  account:
    'M10 17.500a7.500 7.500 0 1 1 0-15 7.500 7.500 0 0 1 0 15zM10 10.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM5.500 15.500c.8-1.800 2.500-2.800 4.500-2.800s3.700 1 4.500 2.800',
  removed: 'M4 6h12M8 6V3.500h4V6M5.500 6l.8 10.500h7.400L14.500 6M8.500 9v4.500M11.500 9v4.500',
  menu: 'M3 5.500h14M3 10h14M3 14.500h14',
  close: 'M5 5l10 10M15 5 5 15',
  down: 'M5.500 8l4.500 4.500L14.500 8',
  up: 'M5.500 12 10 7.500l4.500 4.500',
  left: 'M12.500 4.500 7 10l5.500 5.500',
  right: 'M7.500 4.500 13 10l-5.500 5.500',
  more: 'M4.500 10a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0zM9.500 10a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0zM14.500 10a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0z',
  again: AGAIN,
  proposals: AGAIN,
  image: 'M3 4.500h14v11H3zM3 13l4-4 4 4 2-2 4 4M13 8h.01',
  print: 'M6 7V3h8v4M6 14H3.500V7h13v7H14M6 11.500h8V17H6z',
  download: 'M10 3v9M6.500 9l3.500 3.500L13.500 9M4 16.500h12',
} as const;

/** The mark of the product: a stone, and the lettering on it. */
export const STONE = { shape: 'M5 21V10a7 7 0 0 1 14 0v11z', lettering: 'M9 11h6M9 14.5h6M9 18h4' };

/** The drawing of that name, or one that whoever it belongs to has drawn. */
export function pathOf(name: string): string {
  if (name.startsWith('M')) return name;
  return Object.hasOwn(PATHS, name) ? PATHS[name as keyof typeof PATHS] : PATHS.requests;
}
