/** Addresses of JPG images, stored as they were sent. */
import { inThousands } from '../../present/words.ts';
import { type Kind, refusals, refuse } from '../kind.ts';
import { countCodePoints, ofText } from './text.ts';

const MAX_LENGTH = 2048;
const ABSOLUTE = String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^\s\\/?#][^\s\\]*$`;
const ABSOLUTE_URL = new RegExp(ABSOLUTE, 'u');

/** Extensions of images and documents that are not JPG. Any other path may lead to one: signed URLs end in anything. */
const NOT_JPG = new Set(
  'png apng gif webp avif tif tiff bmp dib ico heic heif svg svgz jp2 j2k jxl psd raw dng eps ai pdf doc docx odt rtf txt xls xlsx ppt pptx htm html zip'.split(
    ' ',
  ),
);

/** An absolute http or https URL of at most 2,048 characters whose path has no extension of another format. */
export function jpgUrl(): Kind<string> {
  return {
    name: 'JPG URL',
    limit: `at most ${inThousands(MAX_LENGTH)} characters`,
    ...ofText((value, at, reading) => {
      const complaint = complain(value);
      return complaint === undefined
        ? value
        : refuse(reading, at, 'image_url_invalid', `${at} ${complaint}`);
    }, 'https://images.example.com/reply.jpg'),
    // Not the format "uri": like browsers, the parser takes letters and signs that RFC 3986 wants encoded.
    schema: { type: 'string', pattern: ABSOLUTE, maxLength: MAX_LENGTH },
    shown: { type: 'string', pattern: ABSOLUTE },
    samples: () => ({
      accepted: [
        { send: 'https://images.example.com/reply-front.jpg' },
        { send: 'HTTP://images.example.com/BACK.JPEG?width=800' },
        { send: 'https://storage.example.com/signed/0f3a?signature=a.png' },
        { send: 'https://images.example.com:8443/scan.v2/front' },
        { send: 'https://images.example.com/Zoë|{1}.jpg' },
        { send: `https://images.example.com/${'\u{1f56f}'.repeat(MAX_LENGTH - 27)}` },
      ],
      refused: [
        ...refusals(
          'image_url_invalid',
          ['https://images.example.com/reply.png', 'https://images.example.com/a.PDF?download=1'],
          'a list of extensions says less than the message',
        ),
        ...refusals(
          'image_url_invalid',
          ['https://images.example.com/reply.%70ng', 'https://images.example.com:99999/reply.jpg'],
          'a pattern decodes nothing, and knows no ports',
        ),
        ...refusals('image_url_invalid', ['//images.example.com/reply.jpg', '/reply.jpg']),
        ...refusals('image_url_invalid', ['ftp://images.example.com/reply.jpg', '']),
        ...refusals('image_url_invalid', ['data:image/jpeg;base64,AAAA', 'https:///reply.jpg']),
        ...refusals('image_url_invalid', ['https:images.example.com/reply.jpg', 'https://']),
        ...refusals('image_url_invalid', [' https://images.example.com/reply.jpg']),
        ...refusals('image_url_invalid', ['https://images.example.com/re ply.jpg']),
        ...refusals('image_url_invalid', [`https://images.example.com/${'x'.repeat(2048)}`]),
        ...refusals('type_invalid', [null, 7]),
      ],
    }),
  };
}

function complain(value: string): string | undefined {
  if (value.length > MAX_LENGTH && countCodePoints(value) > MAX_LENGTH)
    return `is longer than ${MAX_LENGTH} characters; send a shorter URL.`;
  const url = ABSOLUTE_URL.test(value) ? URL.parse(value) : null;
  if (url === null) {
    const nearly = NEARLY.find(([mend]) => isUrl(mend(value)))?.[1];
    return (
      nearly ??
      'is not an absolute http or https URL; send for example https://images.example.com/reply.jpg.'
    );
  }
  const extension = /\.([a-z0-9]+)$/i.exec(decoded(url.pathname))?.[1]?.toLowerCase();
  return extension !== undefined && NOT_JPG.has(extension)
    ? `leads to a .${extension} file; only JPG images are taken.`
    : undefined;
}

/** Mistakes in addresses that are nearly right: what mends each, and what is said of it. */
const NEARLY: readonly (readonly [(value: string) => string, string])[] = [
  [(value) => value.trim(), 'has blanks or line ends around it: send it without.'],
  [
    (value) => value.trim().replaceAll(/\s/gu, '%20'),
    'has a blank, which no URL has: send a blank within it as %20.',
  ],
  [
    (value) =>
      /^(?:\/\/)?[\w-]+(?:\.[\w-]+)+\//.test(value) ? value.replace(/^(?:\/\/)?/, 'https://') : '',
    'does not begin with https:// or http://: send the whole URL.',
  ],
];

function isUrl(value: string): boolean {
  return ABSOLUTE_URL.test(value) && URL.canParse(value);
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
