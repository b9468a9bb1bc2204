import type { RefObject } from 'react';
import { useEffect, useLayoutEffect, useRef } from 'react';

const NEAR_PX = 24;

/** Keeps the end of what grows in view, unless somebody has scrolled away from it. */
export function useStuckToEnd<E extends HTMLElement>(grows: string): RefObject<E | null> {
  const element = useRef<E>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const { current } = element;
    const look = () => {
      if (current !== null)
        isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight <= NEAR_PX;
    };
    current?.addEventListener('scroll', look, { passive: true });
    return () => current?.removeEventListener('scroll', look);
  }, []);
  // Whenever there is more of it.
  useLayoutEffect(() => {
    if (isAtEnd.current && element.current !== null) element.current.scrollTop = element.current.scrollHeight;
  }, [grows]);
  return element;
}
