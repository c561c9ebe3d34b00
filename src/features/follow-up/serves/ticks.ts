/** Reads what a tick on a card says: its name as a sentence, in the words of cards in English, Spanish, French and German. */

import { hash } from 'node:crypto';
import { isTick, plain } from '../../../core/schema/tick.ts';
import type { MEANINGS } from '../declares.ts';

/**
 * The meaning of a tick: somebody is to call, nobody is to call, or to contact them in any way; or it is something about calls that
 * the words do not tell, such as *Phone number is right*.
 */
export type Ticked = 'call' | 'no_call' | 'no_contact' | 'unclear';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** To call. */
const CALL =
  words(`call calls calling phone phones phoning phonecall phonecalls telephone telephones telephoning ring rings
  ringing callback callbacks
  llamar llamarme llamarnos llame llames llamen llameme llamenme llamame llamada llamadas llamenos telefono telefonica
  telefonicas telefonico telefonicamente telefonear telefoneme
  appel appels appeler appelez appelle rappeler rappelez rappelle rappel telephoner telephonez telephonique telephoniques
  anruf anrufe anrufen ruckruf ruckrufe rueckruf rueckrufe zuruckrufen zurueckrufen rufen rufe ruft ruf telefon telefonat telefonate
  telefonisch telefonische telefonischen telefonischer telefonieren telefonanruf telefonanrufe`);
/** To have called; it is a wish where one says so. */
const CALLED = words(
  'called phoned telephoned rung rappele rappelee rappeles llamado llamados appele appelee appeles angerufen zuruckgerufen zurueckgerufen',
);
/** Things that somebody has: by itself no wish, and the lack of it no refusal. */
const THINGS = words(
  'phone phones telephone telephones telefono telephonique telefon ring rings rappel',
);
const CONTACT =
  words(`contact contacts contacted contacting kontakt kontaktieren kontaktiert kontaktaufnahme contacter contactez
  contacte contactee contactar contactarme contacto contacten contacteme`);

const PLEASE = words('please pls plz kindly bitte svp stp veuillez merci favor porfavor plait');
const ME = words('me us myself mich uns moi nous m');
/** To want, to ask for, and to be glad of. */
const WISH =
  words(`want wants wanted would like likes wish wishes need needs request requests requested requesting prefer prefers
  preferred expect expects desire desires desired appreciate appreciates welcome interested ask asks asking asked schedule arrange
  quiero quiere quisiera deseo desea deseamos solicito solicita solicitar necesito prefiero pido gustaria
  veux voudrais voudrait souhaite souhaitons souhaiter souhaitez desire desirons demande prefere aimerais
  mochte moechte mochten moechten wunsche wuensche wunschen wuenschen gewunscht gewuenscht erwunscht erwuenscht erbeten wunsch will wollen bitten gern gerne hatte haette`);
const MAY = words(
  'may can ok okay fine happy agree agrees consent consents puede pueden pouvez peut durfen duerfen konnen koennen darf',
);
const NOT =
  words(`not no never dont cannot without stop quit cease avoid decline declines declined refuse refuses refused neither
  unsubscribe optout refrain nobody non nein nunca jamas sin tampoco ningun ninguna ningunas pas jamais sans aucun aucune nicht kein keine keinen keinem keiner keinerlei nie niemals ohne
  unwanted unwelcome unerwunscht unerwuenscht indesirable indesirables`);
/** Stands behind what it denies. */
const NOT_AFTER = words(
  'nicht nie niemals pas jamais non nein optout unwanted unwelcome declined refused unerwunscht unerwuenscht indesirable indesirables',
);
const ADJECTIVES = words(
  'optout unwanted unwelcome declined refused unerwunscht unerwuenscht indesirable indesirables',
);
/** Verbs that what is denied may stand behind. */
const VERBS = words(
  'rufen rufe ruft ruf appelez appelle rappelez rappelle telephonez anrufen telefonieren kontaktieren contactez',
);
const NEEDED =
  words(`wanted needed required necessary desired requested welcome wished erwunscht erwuenscht gewunscht gewuenscht notig noetig
  erforderlich gestattet erlaubt souhaite souhaites souhaitee desire desires necessaire merci danke thanks thank`);
/** "Do not hesitate to call" asks for a call. */
const HESITATE =
  words(`hesitate forget fail hesiter hesitez oublier oubliez dude duden dudar olvide olviden zogern zoegern vergessen
  manquez`);
/** Words that may stand between a refusal and what is refused. */
const BETWEEN =
  words(`do does to be being get getting receive receiving accept accepting take make have any more further longer future follow up ever
  please phone telephone sales marketing unsolicited promotional advertising the a an my our your you anyone anybody someone disturb from of for by via per through out list in
  email emails mail text texts sms write or nor back should must want wants wish wishes need like would i we
  me us return cold spam automated robo daytime
  sie mich uns durch am zu weitere weiteren telefonische telefonischen werden wird wollen mochte moechte bitte ich wir
  moi m nous de d par l etre plus recevoir souhaite veux voudrais desire veuillez vouloir telephonique je ne n que
  nos por para favor quiero deseo deseamos quisiera recibir mas ser sea sean se le les que mi desea telefonicas hacer`);
/** A refusal of some calls, or for a while: nobody knows by rules what that is. */
const QUALIFIES =
  words(`before after until till unless except at on during when while yet now today tomorrow tonight work home mobile cell landline
  early late weekend weekends weekday weekdays sunday sundays saturday saturdays monday morning mornings evening evenings night nights noon only if but
  antes despues hasta trabajo casa ahora hoy manana salvo excepto si solo fin
  avant apres travail maison maintenant aujourd sauf seulement si weekend
  vor nach bis jetzt heute morgen morgens abends arbeit ausser nur wenn wochenende sonntags sonntag
  answered returned made reached successful completed connected taken possible available beantwortet erreicht`);
const TO_BE = words('be etre ser werden');
/** Asks by itself, with what it is about or when behind it: "Call about a plot". */
const IMPERATIVES = words('call appeler rappeler llamar anrufen');
const ABOUT =
  words(`to for about regarding re concerning after before in on at between from until when if anytime soon asap now today
  tomorrow tonight mornings evenings afternoons weekdays weekends para sobre pour avant apres wegen nach vor`);
/** Where one thing ends and another begins. */
const BREAK =
  /[,;:.!?/|–—()[\]{}&+]|\s-\s|\b(?:but|instead|however|aber|sondern|mais|pero|sino)\b/u;

/** Names that are one word: what people and programs write together. */
const KNOWN = new Set(
  [
    CALL,
    CALLED,
    CONTACT,
    PLEASE,
    ME,
    NOT,
    MAY,
    WISH,
    words('do does not to my back by be a the give'),
  ].flatMap((set) => [...set]),
);

/** The length of the longest name that is read: others would take time, and are no names of ticks. */
const MAX_NAME = 500;

/** Reads what the name of a tick says of calls; `undefined` where it says nothing of them. */
export function saidBy(name: string): Ticked | undefined {
  if (name.length > MAX_NAME) return undefined;
  const said = clausesOf(name).map(saidInClause);
  const refusal = said.find((one) => one === 'no_contact') ?? said.find((one) => one === 'no_call');
  if (refusal !== undefined) return said.includes('call') ? 'unclear' : refusal;
  return said.find((one) => one === 'call') ?? said.find((one) => one === 'unclear');
}

type Details = Readonly<Record<string, unknown>>;

/** Tells what people have said that a tick means whose words do not tell it; `undefined`: nobody has. */
export type Means = (name: string) => (typeof MEANINGS)[number] | undefined;

/** The ticks of an account, by what is the same in each spelling. */
export type Ticks = Map<string, ReturnType<Means> | null>;

export const meansBy =
  (ticks: Ticks): Means =>
  (name) =>
    ticks.get(foldedName(name)) ?? undefined;

const namesOf = (details: Details): readonly string[] =>
  Object.entries(details).flatMap(([name, tick]) =>
    typeof tick === 'string' && isTick(tick) ? name : [],
  );

/** Reads what the ticks of a card say together: somebody who refuses calls on it is not called. */
export function saidByTicks(details: Details, means?: Means): Ticked | undefined {
  const said = new Set(
    namesOf(details).map((name) => {
      const words = saidBy(name);
      const meant = words === 'unclear' ? means?.(name) : undefined;
      return meant === 'nothing' ? undefined : (meant ?? words);
    }),
  );
  return (['no_contact', 'no_call', 'call', 'unclear'] as const).find((one) => said.has(one));
}

/** Finds the ticks of a card whose words do not tell what they mean: each once, by what is the same in each spelling. */
export function unclearOf(details: Details): ReadonlyMap<string, string> {
  const unclear = namesOf(details).filter((name) => saidBy(name) === 'unclear');
  return new Map(unclear.map((name) => [foldedName(name), shownName(name)]));
}

/** A hash of the letters and digits of a name. */
export function foldedName(name: string): string {
  const letters = plain(shownName(name))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return hash('sha256', letters.join(' '), 'base64url');
}

/** The name without what no line shows. */
const shownName = (name: string): string =>
  name
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();

/** The words of each part: `pleaseCallMe`, `please_call_me` and `Please, call me` have the same. */
function clausesOf(name: string): readonly (readonly string[])[] {
  const spaced = name
    .normalize('NFKC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu, ' ')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(?<=\p{L})\.(?=\p{L})/gu, ' ')
    .replace(/[_\u2010-\u2012\u2212\u00ad]|(?<=\S)-(?=\S)/gu, ' ');
  const simple = plain(spaced)
    .replace(/\s+/g, ' ')
    .replace(/\b(ca|wo|do|does|did|is|are|should|must|need|would)\s?n['\s]?t\b/g, '$1 not')
    .replace(/\b(do|does|should|must)nt\b/g, '$1 not')
    .replace(/\b(?:ca|wo) not\b|\bcan not\b/g, 'cannot')
    .replace(/\bopt(?:ed)?\s*(?:me\s*)?out\b/g, 'optout')
    .replace(/\b(?:take|remove)\b(?=.*\bfrom\b)/g, 'stop')
    .replace(/\bno\s+longer\b/g, 'not')
    .replace(/\bd[. ]?n[. ]?c\b\.?/g, 'do not call')
    .replace(/\bs'?il\s+(?:vous|te)\s+plait\b/g, 'svp')
    .replace(/\bring(?=\s+(?:me|us|back|up)\b)|(?<=\bgive\s(?:me|us)\sa\s)ring\b/g, 'call')
    .replace(/\bon\s+(?:the\s+|a\s+)?(?=do not call)/g, '')
    .replace(/'/g, ' ');
  return simple
    .split(BREAK)
    .map((part) =>
      part.split(/[^\p{L}\p{N}]+/u).flatMap((word) => (word === '' ? [] : apart(word))),
    )
    .filter((part) => part.length > 0);
}

/** A word, or the known ones that it is made of: `donotcall`. */
function apart(word: string): readonly string[] {
  if (KNOWN.has(word) || word.length > 40) return [word];
  const [, compound] = /^\p{L}{3,}?(anrufe?|ruckrufe?)$/u.exec(word) ?? [];
  if (compound !== undefined) return [compound];
  const ways: (readonly string[] | undefined)[] = [[]];
  for (let end = 1; end <= word.length; end += 1) {
    for (let start = 0; start < end; start += 1) {
      const before = ways[start];
      const part = word.slice(start, end);
      const isWord = part.length > 1 && KNOWN.has(part);
      if (before === undefined || !isWord) continue;
      if (ways[end] === undefined || before.length + 1 < (ways[end]?.length ?? 0))
        ways[end] = [...before, part === 'dont' ? 'not' : part];
    }
  }
  const found = ways[word.length];
  return found?.some((one) => CALL.has(one)) ? found : [word];
}

function saidInClause(said: readonly string[]): Ticked | undefined {
  const isCall = (word: string): boolean => CALL.has(word) || CALLED.has(word);
  const calls = said.some(isCall);
  if (!calls && !said.some((word) => CONTACT.has(word))) return undefined;
  const isNe = said.some((word) => word === 'ne' || word === 'n');
  const denials = said.flatMap((word, at) =>
    NOT.has(word) || (isNe && word === 'plus') ? [at] : [],
  );
  if (denials.length > 0) {
    if (said.some((word) => HESITATE.has(word))) return denials.length === 1 ? 'call' : 'unclear';
    return denials.length > 1 && !isPair(said, denials)
      ? 'unclear'
      : refusedIn(said, denials[0] ?? 0, calls);
  }
  // French leaves "pas" out on forms: "ne pas appeler" has it, "n'appelez" alone says nothing.
  if (isNe && said.some((word) => ['appelez', 'appeler'].includes(word))) return 'unclear';
  return calls && isWished(said, isCall) ? 'call' : 'unclear';
}

/** "Ningún… nunca", "ohne … kein": only of one thing said twice in a row. */
function isPair(
  said: readonly string[],
  [first = 0, second = 0, ...others]: readonly number[],
): boolean {
  return others.length === 0 && second === first + 1 && said[first] === said[second];
}

/** Finds what is refused by the word at that place. */
function refusedIn(said: readonly string[], at: number, calls: boolean): Ticked {
  const isMeant = (word: string): boolean =>
    calls ? CALL.has(word) || CALLED.has(word) : CONTACT.has(word);
  const refused = calls ? 'no_call' : 'no_contact';
  if (said.some((word) => QUALIFIES.has(word))) return 'unclear';
  const denial = said[at] ?? '';
  // The last one counts: in "no phone calls" the calls, in "not by phone call" as well.
  const meant = said.findLastIndex(isMeant);
  if (meant > at) {
    const between = said.slice(at + 1, meant);
    if (
      !between.every(
        (word) => BETWEEN.has(word) || isMeant(word) || CONTACT.has(word) || WISH.has(word),
      )
    )
      return 'unclear';
    const last = said[meant] ?? '';
    const behind = said.slice(meant + 1);
    const isVerbal =
      between.some((word) =>
        ['by', 'via', 'per', 'par', 'por', 'to', 'be', 'through'].includes(word),
      ) ||
      ['do', 'does', 'must', 'should', 'would', 'please'].includes(said[at - 1] ?? '') ||
      ['not', 'dont', 'cannot', 'never', 'stop'].includes(denial);
    // "No telephone" says that somebody has none. It does not refuse calls.
    if (THINGS.has(last) && !isVerbal && !behind.some((word) => CONTACT.has(word)))
      return 'unclear';
    if (
      CALLED.has(last) &&
      !between.some(
        (word) =>
          ['be', 'being', 'get', 'werden', 'ser', 'etre', 'sein'].includes(word) || WISH.has(word),
      ) &&
      behind.every((word) => !['werden', 'sein'].includes(word))
    )
      return 'unclear';
    return refused;
  }
  if (!NOT_AFTER.has(denial) && !(said[at + 1] !== undefined && NEEDED.has(said[at + 1] ?? '')))
    return 'unclear';
  const isOf =
    ADJECTIVES.has(denial) ||
    said.some((word) => VERBS.has(word)) ||
    said.slice(at).some((word) => NEEDED.has(word));
  return isOf ? refused : 'unclear';
}

/** Whether somebody asks for a call, or is glad of one. */
function isWished(said: readonly string[], isCall: (word: string) => boolean): boolean {
  const has = (some: ReadonlySet<string>): boolean => said.some((word) => some.has(word));
  const isAsked = ['would', 'do', 'shall', 'should'].includes(said[0] ?? '') || has(MAY);
  const isToYou = said.includes('you') && !isAsked;
  if (isToYou || said.includes('already') || said.includes('no')) return false;
  const at = said.findIndex(isCall);
  const near = (some: ReadonlySet<string>): boolean =>
    said.some((word, place) => some.has(word) && Math.abs(place - at) <= 3);
  if (has(CALLED) && !said.some((word) => CALL.has(word) && !CALLED.has(word)))
    return has(WISH) || has(TO_BE);
  if (has(PLEASE) || has(WISH) || has(MAY)) return true;
  if (near(ME) && !/^(?:i|we|ich|wir|je|nous|yo)$/.test(said[0] ?? '')) return !isMine(said, at);
  if (['callback', 'callbacks'].some((word) => said.includes(word)) || said[at + 1] === 'back')
    return true;
  if (IMPERATIVES.has(said[0] ?? '') && ABOUT.has(said[1] ?? '')) return true;
  return (
    said.every((word) => isCall(word) || ['a', 'the', 'asap', 'give'].includes(word)) &&
    !said.every((word) => ['ring', 'rings', 'rappel'].includes(word))
  );
}

/** Whether what is near is whose the telephone is: "us phone", "my phone". */
function isMine(said: readonly string[], at: number): boolean {
  return THINGS.has(said[at] ?? '') && ME.has(said[at - 1] ?? '');
}
