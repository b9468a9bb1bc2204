import type { RefObject } from 'react';
import { useLayoutEffect, useRef } from 'react';

/** Whether the heading that has gone last had the focus. */
let hadFocus = false;

/** A page that is read may be drawn anew as another, and its heading with it: whoever was at the heading still is. */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const own = heading.current;
    if (hadFocus && document.activeElement === document.body) own?.focus({ preventScroll: true });
    hadFocus = false;
    return () => {
      hadFocus = document.activeElement === own;
    };
  }, []);
  return heading;
}
