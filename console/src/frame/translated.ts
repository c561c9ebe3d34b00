/**
 * Keeps the page true where a program that translates it has put elements of its own in place of texts: each text still
 * answers for its place, and what is new in it stands there again, to be translated once more.
 */

/** What stands in place of a text, and the texts that it stands for, in their order. */
const standIns = new WeakMap<Node, ChildNode>();
const originals = new WeakMap<Node, readonly Text[]>();

const written = Object.getOwnPropertyDescriptor(CharacterData.prototype, 'data') as {
  get(this: Node): string;
  set(this: Node, data: string): void;
};
const OWN = ['parentNode', 'nextSibling', 'data', 'remove'] as const;

/** From now on the text answers as if it stood where the other does. */
function standIn(text: Text, other: ChildNode): void {
  standIns.set(text, other);
  originals.set(other, [...(originals.get(other) ?? []), text]);
  Object.defineProperties(text, {
    parentNode: { configurable: true, get: () => other.parentNode },
    nextSibling: { configurable: true, get: () => other.nextSibling },
    data: {
      configurable: true,
      get: () => written.get.call(text),
      set(data: string) {
        if (data === written.get.call(text)) return;
        written.set.call(text, data);
        putBack(other);
      },
    },
    remove: {
      configurable: true,
      value() {
        putBack(other, text);
      },
    },
  });
}

/** The text is itself again. */
function giveBack(text: Text): Text {
  standIns.delete(text);
  for (const name of OWN) Reflect.deleteProperty(text, name);
  return text;
}

/** Puts the texts back for which another one stands, but for one that goes. */
function putBack(other: ChildNode, gone?: Node): void {
  const texts = (originals.get(other) ?? []).filter((text) => standIns.get(text) === other);
  originals.delete(other);
  other.replaceWith(...texts.map(giveBack).filter((text) => text !== gone));
}

function note(records: readonly MutationRecord[]): void {
  const added = new Set(records.flatMap((one) => [...one.addedNodes]));
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records) {
    // It was put back.
    for (const one of addedNodes) if (standIns.has(one) && isIn(one)) giveBack(one as Text);
    for (const one of removedNodes) {
      const near = [...addedNodes, previousSibling, nextSibling].find(
        (other) => other !== null && added.has(other) && other !== one && isIn(other),
      );
      if (!(near instanceof Element || near instanceof Text)) continue;
      // What stood for texts may be replaced, too.
      for (const text of originals.get(one) ?? [one])
        if (text instanceof Text && !isIn(text)) standIn(text, near);
    }
  }
}

const isIn = (node: Node): boolean => document.contains(node);

/** Begins before anything of the page is drawn. */
export function startTranslated(page: Element): void {
  new MutationObserver(note).observe(page, { childList: true, subtree: true });
  for (const name of ['insertBefore', 'moveBefore'] as const) {
    const own: (<T extends Node>(node: T, before: Node | null) => T) | undefined =
      Element.prototype[name as 'insertBefore'];
    if (own === undefined) continue;
    Element.prototype[name as 'insertBefore'] = function put(node, before) {
      const other = standIns.get(node);
      if (other !== undefined) putBack(other);
      return own.call(this, node, (before && standIns.get(before)) ?? before) as typeof node;
    };
  }
}
