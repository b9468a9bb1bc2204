import type { RefObject } from 'react';
import { useEffect, useRef } from 'react';

/**
 * Brings what was chosen into view: where panels stand below each other it would open out of sight. Not what the address had from the
 * start: a page begins at its top.
 */
export function useInViewWhenChosen<E extends HTMLElement>(chosen: string | undefined): RefObject<E | null> {
  const element = useRef<E>(null);
  const before = useRef(chosen);
  useEffect(() => {
    if (chosen === before.current) return;
    before.current = chosen;
    element.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return element;
}
