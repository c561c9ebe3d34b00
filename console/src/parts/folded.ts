/** How many columns of a table stand below its first cell, so that it fits its place. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Pixels: as on a phone. */
const NARROW = 544;

/**
 * Folds one column after another until the table fits or `most` are folded; on a phone at least `least`. Starts over
 * when the rows or the width change, and folds on when a table becomes wider by itself.
 */
export function useFolded(rows: unknown, most: number, least: number) {
  const place = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  const [grown, setGrown] = useState(0);
  const [tried, setTried] = useState({ rows, width, count: 0 });
  const now = tried.rows === rows && tried.width === width ? tried.count : 0;
  const count = Math.min(Math.max(now, width > 0 && width < NARROW ? least : 0), most);
  useLayoutEffect(() => {
    const shown = place.current;
    if (count >= most || shown === null) return;
    if (shown.scrollWidth > shown.clientWidth) setTried({ rows, width, count: count + 1 });
  }, [rows, width, count, most, grown]);
  useEffect(() => {
    const shown = place.current;
    if (shown === null) return;
    const observer = new ResizeObserver((all) => {
      for (const { target, contentRect } of all) {
        if (target === shown) setWidth(Math.round(contentRect.width));
        // Names of what the rows refer to may come later than the rows.
        else setGrown((times) => times + 1);
      }
    });
    for (const one of [shown, ...shown.children]) observer.observe(one);
    return () => observer.disconnect();
  }, []);
  return { place, count };
}
