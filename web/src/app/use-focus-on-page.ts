import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/**
 * Whoever goes to another page is at its heading then, which is read aloud to whoever hears it; Tab goes on from there and not from the
 * link that was pressed. The first page is left as the browser has it, and so is one on which only the search has changed.
 */
export function useFocusOnPage(): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const before = useRef(path);
  useEffect(() => {
    const hasMoved = before.current !== undefined && before.current !== path;
    before.current = path;
    // On a phone the menu is one line that goes on beyond the edge.
    document
      .querySelector('nav [data-status=active]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
    if (hasMoved) document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true });
  }, [path]);
}
