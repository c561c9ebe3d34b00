/**
 * Passwords of 15 characters and more that guessing begins with. Lists of leaked
 * passwords have few that long, and nearly all of them repeat a piece, follow the
 * keyboard or the alphabet, or join the commonest words (docs/decisions/0030).
 */

/** Rows of keyboards, alphabets and digits, as people run along them. */
const RUNS = [
  ...['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  ...['qwertzuiop', 'yxcvbnm', 'azertyuiop', 'qazwsxedcrfvtgbyhnujmikolp'],
  ...['1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p', '1q2w3e4r5t6y7u8i9o0p'],
];

/** The words that the most common long passwords consist of. */
const WORDS = [
  ...['password', 'passw0rd', 'passwort', 'ledgerstone', 'funeral', 'admin', 'administrator'],
  ...['welcome', 'letmein', 'iloveyou', 'secret', 'login', 'user', 'test', 'hello', 'home'],
  ...['changeme', 'master', 'dragon', 'monkey', 'football', 'baseball', 'sunshine', 'princess'],
  ...['superman', 'correcthorsebatterystaple', 'summer', 'winter', 'spring', 'autumn', 'the'],
  ...['my', 'is', 'this'],
];

/** Shorter runs do not count. */
const MIN_RUN = 3;
/** How many characters must be left once everything predictable is taken away. */
const MIN_LEFT = 6;

/** Whether a password would be guessed early; `email` is its owner's. */
export function isPredictable(password: string, email: string): boolean {
  const plain = password
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_.,;:!?*#@$%&+/\\-]+/g, '');
  if (isRepeated(plain)) return true;
  const [own = '', at = ''] = email.toLowerCase().split('@');
  const words = [own, at, ...own.split(/[.+_-]/), ...at.split('.')].filter(
    (word) => word.length >= MIN_RUN,
  );
  let left = plain;
  for (const word of [...words, ...WORDS].sort((one, other) => other.length - one.length))
    left = left.replaceAll(word, '');
  return new Set(withoutRuns(left)).size < MIN_LEFT;
}

/** Whether it repeats a piece of at most a third of its length. */
function isRepeated(text: string): boolean {
  for (let piece = 1; piece <= text.length / 2; piece++) {
    if (text.slice(0, piece).repeat(text.length).startsWith(text)) return true;
  }
  return false;
}

function withoutRuns(text: string): string {
  let left = '';
  for (let at = 0; at < text.length; ) {
    const run = longestRun(text, at);
    if (run < MIN_RUN) left += text.charAt(at);
    at += Math.max(1, run < MIN_RUN ? 1 : run);
  }
  return left;
}

function longestRun(text: string, at: number): number {
  let longest = 0;
  for (const row of ROWS) {
    let length = 1;
    while (at + length < text.length && row.includes(text.slice(at, at + length + 1))) length++;
    longest = Math.max(longest, length);
  }
  return longest;
}

const ROWS = RUNS.flatMap((row) => [row, [...row].reverse().join('')]);
