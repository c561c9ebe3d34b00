/** Has the browser ask before a page goes whose text is not saved, or that is at work. */
import { useEffect, useRef } from 'preact/hooks';

export function useStay(isTyped: () => boolean): void {
  const now = useRef(isTyped);
  now.current = isTyped;
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (now.current()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
}
