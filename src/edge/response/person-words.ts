/** Sentences about API keys, reworded for people: a person who signs in has no key, and is "you". */

const WORDS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/: use a key of the whole account/g, '. Ask an administrator'],
  [/: ask the operator for a key with it/g, '. Ask an administrator'],
  [/\bAn API key that is limited/g, 'A person who is limited'],
  [/\bone key may\b/g, 'one person may'],
  [/\bThe API key is\b|\bThis API key is\b/g, 'You are'],
  [/\bThe API key lacks\b|\bThis API key lacks\b/g, 'You lack'],
  [/\bThis API key sends\b/g, 'You send'],
  [/\bThis API key (may|has)\b/g, 'You $1'],
  [/\bYou has\b/g, 'You have'],
  [/\b(?:this|the) API key has\b/g, 'you have'],
  [/\b(?:this|the) API key may\b/g, 'you may'],
  [/\bof this API key\b/g, 'of yours'],
  [/\bfor this API key\b/g, 'for you'],
];

export function inPersonsWords(text: string): string {
  return WORDS.reduce((said, [pattern, words]) => said.replace(pattern, words), text);
}
