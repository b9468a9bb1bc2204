import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';

const isPlainPress = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** A link in a row of a long table: the router's own looks at the address bar in each of them, at each scroll. */
export function RowLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const router = useRouter();
  return (
    <a
      href={href}
      onClick={event => {
        if (!isPlainPress(event)) return;
        event.preventDefault();
        router.history.push(href);
      }}
    >
      {children}
    </a>
  );
}
